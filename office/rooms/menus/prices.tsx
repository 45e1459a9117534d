/** Prices of a modifier that differ by an option of the product, such as its size. */
import { canonicalText, inLocale } from '#contract/locales.ts';
import type { ModifierContent } from '#contract/staff/modifiers.ts';
import { Button } from '#ui/button.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import type { EditedDocument, Path } from '../../lib/document.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import type { GroupAnswer } from './group.tsx';

type Price = ModifierContent['prices'][number];

interface PricesProps {
  form: EditedDocument;
  path: Path;
  prices: readonly Price[];
  options: GroupAnswer['options'];
}

export function PricesByOption({ form, path, prices, options }: PricesProps) {
  const { t, locale } = useLanguage();
  const choices = options.flatMap(({ name, values }) =>
    values.map((value) => ({
      value: JSON.stringify({ [canonicalText(name)]: canonicalText(value) }),
      label: `${inLocale(name, locale)}: ${inLocale(value, locale)}`,
    })),
  );
  const stored = prices.map(({ options: pairs }) => JSON.stringify(pairs));
  const labelOf = (pairs: string) =>
    choices.find(({ value }) => value === pairs)?.label ?? Object.values(JSON.parse(pairs)).join(' ');
  const put = (index: number, price: Price | null) =>
    form.change(path, price ? prices.with(index, price) : prices.toSpliced(index, 1));
  const left = choices.filter(({ value }) => !stored.includes(value));
  return (
    <div className="flex flex-col gap-3">
      {prices.map(({ options: pairs, priceCents }, index) => (
        <div key={stored[index]} className="flex flex-wrap items-end gap-3">
          <PriceField
            label={labelOf(stored[index] ?? '{}')}
            cents={priceCents}
            error={form.errorAt([...path, String(index), 'priceCents'], t('office.money.price'))}
            onChange={(cents) => put(index, { options: pairs, priceCents: cents })}
          />
          <Button variant="secondary" size="small" onClick={() => put(index, null)}>
            {t('office.remove')}
          </Button>
        </div>
      ))}
      {left.length > 0 && (
        <Select
          label={t('office.group.priceBy')}
          placeholder={t('office.choose')}
          value=""
          options={left}
          onChange={({ target: { value } }) =>
            value && form.change(path, [...prices, { options: JSON.parse(value) as Price['options'], priceCents: 0 }])
          }
        />
      )}
    </div>
  );
}

interface PriceFieldProps {
  label: string;
  cents: number;
  error: string | undefined;
  onChange: (cents: number) => void;
}

function PriceField({ label, cents, error, onChange }: PriceFieldProps) {
  return (
    <TextField
      key={label}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={(cents / 100).toFixed(2)}
      error={error}
      // What is no number is refused by the server.
      onChange={({ target }) => onChange(Math.round(Number(target.value.replace(',', '.') || Number.NaN) * 100))}
    />
  );
}
