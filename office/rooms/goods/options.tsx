/** The options of a product and their values. SKUs follow what is renamed and taken out. */
import { useId, useState } from 'react';
import { inLocale, locales, mainLocale, offeredLocales } from '#contract/locales.ts';
import type { StoredOption } from '#contract/schemas/product.ts';
import type { ProductDocument, SkuDocument } from '#contract/staff/goods.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import type { Path } from '../../lib/document.tsx';
import { useEdited } from '../../lib/document-form.tsx';
import { labelIn, useLanguage } from '../../lib/i18n.tsx';
import { useMoney } from '../../lib/money.tsx';

export function Options({ content }: { content: ProductDocument }) {
  const form = useEdited();
  const { t } = useLanguage();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const { options } = content;
  const missing = missingSkus(content);
  const become = (next: Varied) => {
    form.change(['options'], next.options);
    form.change(['skus'], next.skus);
  };
  const isNew =
    name.trim() !== '' && value.trim() !== '' && !options.some((each) => nameOf(each) === name.trim());
  return (
    <>
      {options.map((option, index) => (
        <Option
          key={String(index)}
          {...{ option, place: index, content, become }}
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
            label={t('office.goods.addOption')}
            variant="secondary"
            disabled={!isNew}
            onClick={() => {
              become(withOption(content, name.trim(), value.trim()));
              setName('');
              setValue('');
            }}
          />
        </div>
      )}
      {missing.length > 0 && options.length > 0 && (
        <Button
          variant="secondary"
          className="self-start"
          onClick={() => form.change(['skus'], [...content.skus, ...missing])}
        >
          {t('office.goods.addMissing', { count: missing.length })}
        </Button>
      )}
    </>
  );
}

interface OptionProps {
  option: StoredOption;
  /** Among the options. */
  place: number;
  content: ProductDocument;
  become: (next: Varied) => void;
  /** What has no consequence for SKUs. */
  onChange: (to: StoredOption) => void;
}

function Option({ option, place, content, become, onChange }: OptionProps) {
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
          path={['options', String(place), 'name']}
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
          <Value key={String(index)} {...{ option, place, value, index, content, become, onChange }} />
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
        <Button label={t('office.goods.addValue')} variant="secondary" disabled={!isNew} onClick={add} />
      </div>
    </fieldset>
  );
}

function Value({
  option,
  place,
  value,
  index,
  content,
  become,
  onChange,
}: OptionProps & { value: StoredOption['values'][number]; index: number }) {
  const form = useEdited();
  const { t } = useLanguage();
  const name = nameOf(option);
  const own = nameOf(value);
  const set = (fields: Partial<typeof value>) =>
    onChange({ ...option, values: option.values.with(index, { ...value, ...fields }) });
  const at = ['options', String(place), 'values', String(index)];
  const errorAt = (field: keyof typeof value, label: StaffMessageKey) =>
    form.errorAt([...at, field], `${own}: ${t(label)}`);
  return (
    <li className="flex flex-wrap items-end gap-3">
      <Names
        label={t('office.goods.value')}
        path={[...at, 'name']}
        named={value}
        taken={option.values.map(nameOf).filter((each) => each !== own)}
        onRename={(to) => become(renamedValue(content, name, own, to))}
        onTranslate={(names) => set({ name: names })}
      />
      <Colour
        color={value.color}
        error={errorAt('color', 'office.goods.colour')}
        onChange={(color) => set({ color })}
      />
      <Amount
        label={t('office.goods.extraCost')}
        cents={value.priceDeltaCents}
        error={errorAt('priceDeltaCents', 'office.goods.extraCost')}
        onChange={(cents) => set({ priceDeltaCents: cents ?? 0 })}
      />
      <Amount
        label={t('office.goods.overridePrice')}
        cents={value.overridePriceCents}
        error={errorAt('overridePriceCents', 'office.goods.overridePrice')}
        onChange={(cents) => set({ overridePriceCents: cents })}
      />
      <TextField
        className="w-28"
        label={t('office.goods.skuSuffix')}
        maxLength={40}
        autoComplete="off"
        value={value.skuSuffix}
        error={errorAt('skuSuffix', 'office.goods.skuSuffix')}
        onChange={({ target }) => set({ skuSuffix: target.value })}
      />
      <Select
        className="w-44"
        label={t('office.goods.picture')}
        placeholder={t('office.goods.noPicture')}
        value={value.image ?? ''}
        options={[...new Set([...content.images, ...(value.image ? [value.image] : [])])].map((file) => ({
          value: file,
          label: file,
        }))}
        error={errorAt('image', 'office.goods.picture')}
        onChange={({ target }) => set({ image: target.value || null })}
      />
      <div className="flex">
        {index > 0 && (
          <IconButton
            icon="M12 19V5M6 11l6-6 6 6"
            label={`${t('office.goods.up')}: ${own}`}
            onClick={() =>
              onChange({
                ...option,
                values: option.values.toSpliced(index, 1).toSpliced(index - 1, 0, value),
              })
            }
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

interface ColourProps {
  color: string | null;
  error: string | undefined;
  onChange: (color: string | null) => void;
}

function Colour({ color, error, onChange }: ColourProps) {
  const { t } = useLanguage();
  const id = useId();
  return (
    <div className="flex flex-col gap-1 text-sm">
      <label htmlFor={id}>{t('office.goods.colour')}</label>
      <span className="flex">
        <input
          id={id}
          type="color"
          className="h-11 w-14"
          value={color ?? '#ffffff'}
          onChange={({ target }) => onChange(target.value)}
        />
        {color !== null && (
          <IconButton icon="close" label={t('office.goods.noColour')} onClick={() => onChange(null)} />
        )}
      </span>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

interface AmountProps {
  label: string;
  /** Null for none. */
  cents: number | null;
  error: string | undefined;
  onChange: (cents: number | null) => void;
}

/** What is no amount is not taken over. */
function Amount({ label, cents, error, onChange }: AmountProps) {
  const { text, parse } = useMoney();
  return (
    <TextField
      className="w-28"
      label={label}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={cents === null ? '' : text(cents)}
      error={error}
      onChange={({ target }) => {
        const parsed = target.value.trim() === '' ? null : parse(target.value);
        if (parsed !== null || target.value.trim() === '') onChange(parsed);
      }}
    />
  );
}

interface NamesProps {
  label: string;
  path: Path;
  named: Pick<StoredOption, 'name'>;
  /** Names of others, which this one cannot have. */
  taken: readonly string[];
  onRename: (to: string) => void;
  onTranslate: (names: StoredOption['name']) => void;
}

/** SKUs name options by their name in the main language, so one that is empty or taken is shown and not yet taken over. */
function Names({ label, path, named, taken, onRename, onTranslate }: NamesProps) {
  const form = useEdited();
  const { t } = useLanguage();
  const [refused, setRefused] = useState<string | null>(null);
  return offeredLocales().map((code) => {
    const isMain = code === mainLocale();
    return (
      <TextField
        key={code}
        className="w-40"
        label={labelIn(code, label)}
        lang={locales[code].tag}
        maxLength={60}
        autoComplete="off"
        value={isMain ? (refused ?? nameOf(named)) : (named.name[code] ?? '')}
        error={
          isMain && refused !== null ? t('office.goods.nameTaken') : form.errorAt([...path, code], label)
        }
        onChange={({ target: { value } }) => {
          if (!isMain) {
            const { [code]: _old, ...others } = named.name;
            onTranslate(value === '' ? others : { ...named.name, [code]: value });
          } else if (value.trim() === '' || value !== value.trim() || taken.includes(value))
            setRefused(value);
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

export type Varied = Pick<ProductDocument, 'id' | 'options' | 'skus'>;

const mostOptions = 4;
const mostSkus = 2048;

export const nameOf = ({ name }: Pick<StoredOption, 'name'>): string => name[mainLocale()] ?? '';

export const newValue = (name: string): StoredOption['values'][number] => ({
  name: { [mainLocale()]: name },
  priceDeltaCents: 0,
  overridePriceCents: null,
  skuSuffix: suffixOf(name),
  color: null,
  image: null,
});

const suffixOf = (name: string) =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '')
    .slice(0, 8);

/** SKUs that are there get its first value. */
export function withOption({ options, skus, ...rest }: Varied, name: string, value: string): Varied {
  return {
    ...rest,
    options: [...options, { name: { [mainLocale()]: name }, values: [newValue(value)] }],
    skus: skus.map((sku) => ({ ...sku, options: { ...sku.options, [name]: value } })),
  };
}

/** Of the SKUs that are the same without it, the first stays. */
export function withoutOption({ options, skus, ...rest }: Varied, option: string): Varied {
  const left = options.filter((each) => nameOf(each) !== option);
  const fewer = skus.map(({ options: { [option]: _gone, ...chosen }, ...sku }) => ({
    ...sku,
    options: chosen,
  }));
  const firsts = new Map(fewer.toReversed().map((sku) => [combination(left, sku.options), sku.sku]));
  return {
    ...rest,
    options: left,
    skus: fewer.filter((sku) => firsts.get(combination(left, sku.options)) === sku.sku),
  };
}

export function renamedOption({ options, skus, ...rest }: Varied, from: string, to: string): Varied {
  return {
    ...rest,
    options: options.map((each) =>
      nameOf(each) === from ? { ...each, name: { ...each.name, [mainLocale()]: to } } : each,
    ),
    skus: skus.map((sku) => ({
      ...sku,
      options: Object.fromEntries(
        Object.entries(sku.options).map(([name, value]) => [name === from ? to : name, value]),
      ),
    })),
  };
}

export function renamedValue(varied: Varied, option: string, from: string, to: string): Varied {
  return {
    ...varied,
    options: varied.options.map((each) =>
      nameOf(each) === option
        ? {
            ...each,
            values: each.values.map((value) =>
              nameOf(value) === from ? { ...value, name: { ...value.name, [mainLocale()]: to } } : value,
            ),
          }
        : each,
    ),
    skus: varied.skus.map((sku) =>
      sku.options[option] === from ? { ...sku, options: { ...sku.options, [option]: to } } : sku,
    ),
  };
}

/** With the SKUs that have it. An option without values is none. */
export function withoutValue(varied: Varied, option: string, value: string): Varied {
  const options = varied.options.map((each) =>
    nameOf(each) === option
      ? { ...each, values: each.values.filter((other) => nameOf(other) !== value) }
      : each,
  );
  if (options.some(({ values }) => values.length === 0)) return withoutOption(varied, option);
  return { ...varied, options, skus: varied.skus.filter((sku) => sku.options[option] !== value) };
}

export function missingSkus({ id, options, skus }: Varied): SkuDocument[] {
  const known = new Set(skus.map((sku) => combination(options, sku.options)));
  const taken = new Set(skus.map(({ sku }) => sku));
  const combinations = options.reduce<{ options: Record<string, string>; suffix: string }[]>(
    (all, option) =>
      all
        .flatMap((each) =>
          option.values.map((value) => ({
            options: { ...each.options, [nameOf(option)]: nameOf(value) },
            suffix: `${each.suffix}-${value.skuSuffix || suffixOf(nameOf(value)) || option.values.indexOf(value) + 1}`,
          })),
        )
        .slice(0, mostSkus * 2),
    [{ options: {}, suffix: '' }],
  );
  const missing = combinations.filter((each) => !known.has(combination(options, each.options)));
  return missing.slice(0, Math.max(0, mostSkus - skus.length)).map((each) => {
    const wanted = `${id}${each.suffix}`.slice(0, 90);
    let sku = wanted;
    for (let number = 2; taken.has(sku); number++) sku = `${wanted}-${number}`;
    taken.add(sku);
    return { sku, options: each.options, stock: {} };
  });
}

const combination = (options: readonly StoredOption[], chosen: Readonly<Record<string, string>>): string =>
  JSON.stringify(options.map((option) => chosen[nameOf(option)] ?? null));
