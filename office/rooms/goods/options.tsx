/** The options of a product and their values. SKUs follow what is renamed and taken out. */
import { useState } from 'react';
import { inLocale, localeCodes, locales, mainLocale } from '#contract/locales.ts';
import type { OptionDocument, ProductDocument } from '#contract/staff/goods.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { TextField } from '#ui/inputs.tsx';
import type { EditedDocument } from '../../lib/document.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import {
  missingSkus,
  mostOptions,
  nameOf,
  newValue,
  renamedOption,
  renamedValue,
  type Varied,
  withOption,
  withoutOption,
  withoutValue,
} from './sku-options.ts';

interface OptionsProps {
  form: EditedDocument;
  content: ProductDocument;
}

export function Options({ form, content }: OptionsProps) {
  const { t } = useLanguage();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const { options } = content;
  const missing = missingSkus(content);
  const become = (next: Varied) => {
    form.change(['options'], next.options);
    form.change(['skus'], next.skus);
  };
  const isNew = name.trim() !== '' && value.trim() !== '' && !options.some((each) => nameOf(each) === name.trim());
  return (
    <>
      {options.map((option, index) => (
        <Option
          key={String(index)}
          {...{ option, content, become }}
          onChange={(to) => form.change(['options'], options.with(index, to))}
        />
      ))}
      {form.errorAt(['options'], t('office.goods.options')) && (
        <p className="text-bad">{form.errorAt(['options'], t('office.goods.options'))}</p>
      )}
      {options.length < mostOptions && (
        <div className="grid items-end gap-3 form:grid-cols-[1fr_1fr_auto]">
          <TextField
            label={t('office.goods.newOption')}
            maxLength={60}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label={t('office.goods.firstValue')}
            maxLength={60}
            autoComplete="off"
            value={value}
            onChange={({ target }) => setValue(target.value)}
          />
          <Button
            variant="secondary"
            disabled={!isNew}
            onClick={() => {
              become(withOption(content, name.trim(), value.trim()));
              setName('');
              setValue('');
            }}
          >
            {t('office.goods.addOption')}
          </Button>
        </div>
      )}
      {missing.length > 0 && options.length > 0 && (
        <Button variant="secondary" className="self-start" onClick={() => form.change(['skus'], [...content.skus, ...missing])}>
          {t('office.goods.addMissing', { count: missing.length })}
        </Button>
      )}
    </>
  );
}

interface OptionProps {
  option: OptionDocument;
  content: ProductDocument;
  become: (next: Varied) => void;
  /** What has no consequence for SKUs. */
  onChange: (to: OptionDocument) => void;
}

function Option({ option, content, become, onChange }: OptionProps) {
  const { t, locale } = useLanguage();
  const [added, setAdded] = useState('');
  const name = nameOf(option);
  const others = content.options.filter((each) => each !== option).map(nameOf);
  const values = option.values.map(nameOf);
  const isNew = added.trim() !== '' && !values.includes(added.trim());
  const add = () => {
    onChange({ ...option, values: [...option.values, newValue(added.trim())] });
    setAdded('');
  };
  return (
    <fieldset className="flex flex-col gap-4 rounded-md border border-line p-4">
      <legend className="px-1 font-semibold">{inLocale(option.name, locale)}</legend>
      <div className="flex flex-wrap items-end gap-3">
        <Names
          label={t('office.goods.option')}
          named={option}
          taken={others}
          onRename={(to) => become(renamedOption(content, name, to))}
          onTranslate={(names) => onChange({ ...option, name: names })}
        />
        <Button variant="quiet" size="small" onClick={() => become(withoutOption(content, name))}>
          {t('office.goods.removeOption')}
        </Button>
      </div>
      <ul className="flex flex-col gap-3">
        {option.values.map((value, index) => (
          <Value key={String(index)} {...{ option, value, index, content, become, onChange }} />
        ))}
      </ul>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={t('office.goods.newValue')}
          maxLength={60}
          autoComplete="off"
          value={added}
          onChange={({ target }) => setAdded(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (isNew) add();
          }}
        />
        <Button variant="secondary" disabled={!isNew} onClick={add}>
          {t('office.goods.addValue')}
        </Button>
      </div>
    </fieldset>
  );
}

function Value({
  option,
  value,
  index,
  content,
  become,
  onChange,
}: OptionProps & { value: OptionDocument['values'][number]; index: number }) {
  const { t } = useLanguage();
  const name = nameOf(option);
  const own = nameOf(value);
  const set = (fields: Partial<typeof value>) =>
    onChange({ ...option, values: option.values.with(index, { ...value, ...fields }) });
  return (
    <li className="flex flex-wrap items-end gap-3">
      <Names
        label={t('office.goods.value')}
        named={value}
        taken={option.values.map(nameOf).filter((each) => each !== own)}
        onRename={(to) => become(renamedValue(content, name, own, to))}
        onTranslate={(names) => set({ name: names })}
      />
      <label className="flex flex-col gap-1 text-sm">
        {t('office.goods.colour')}
        <input
          type="color"
          className="h-11 w-14"
          value={value.color ?? '#ffffff'}
          onChange={({ target }) => set({ color: target.value })}
        />
      </label>
      <TextField
        className="w-28"
        label={t('office.goods.extraCost')}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={(value.priceDeltaCents / 100).toFixed(2)}
        onChange={({ target }) => {
          const cents = Math.round(Number(target.value.replace(',', '.')) * 100);
          if (Number.isFinite(cents) && cents >= 0) set({ priceDeltaCents: cents });
        }}
      />
      <div className="flex">
        {index > 0 && (
          <IconButton
            icon="M12 19V5M6 11l6-6 6 6"
            label={`${t('office.goods.up')}: ${own}`}
            onClick={() => onChange({ ...option, values: option.values.toSpliced(index, 1).toSpliced(index - 1, 0, value) })}
          />
        )}
        <IconButton
          icon="close"
          label={`${t('office.goods.removeValue')}: ${own}`}
          onClick={() => become(withoutValue(content, name, own))}
        />
      </div>
    </li>
  );
}

interface NamesProps {
  label: string;
  named: Pick<OptionDocument, 'name'>;
  /** Names of others, which this one cannot have. */
  taken: readonly string[];
  onRename: (to: string) => void;
  onTranslate: (names: OptionDocument['name']) => void;
}

/** SKUs name options by their name in the main language, so one that is empty or taken is shown and not yet taken over. */
function Names({ label, named, taken, onRename, onTranslate }: NamesProps) {
  const { t } = useLanguage();
  const [refused, setRefused] = useState<string | null>(null);
  return localeCodes.map((code) => {
    const isMain = code === mainLocale();
    return (
      <TextField
        key={code}
        className="w-40"
        label={`${label} (${locales[code].name})`}
        lang={locales[code].tag}
        maxLength={60}
        autoComplete="off"
        value={isMain ? (refused ?? nameOf(named)) : (named.name[code] ?? '')}
        error={isMain && refused !== null ? t('office.goods.nameTaken') : undefined}
        onChange={({ target: { value } }) => {
          if (!isMain) {
            const { [code]: _old, ...others } = named.name;
            onTranslate(value === '' ? others : { ...named.name, [code]: value });
          } else if (value.trim() === '' || value !== value.trim() || taken.includes(value)) setRefused(value);
          else {
            setRefused(null);
            onRename(value);
          }
        }}
        onBlur={() => setRefused(null)}
      />
    );
  });
}
