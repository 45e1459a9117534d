/** The SKUs of a product: a row each, and setting a column for all with a value of an option. */
import { memo, useEffect, useRef, useState } from 'react';
import { inLocale, type Locale, mainLocale } from '#contract/locales.ts';
import type { ProductDocument, SkuDocument } from '#contract/staff/goods.ts';
import { Button } from '#ui/button.tsx';
import { SelectControl } from '#ui/inputs.tsx';
import type { EditedDocument, Path } from '../../lib/document.tsx';
import { useLanguage } from '../../lib/i18n.tsx';

/** In hundredths where it is money. */
const columns = [
  { field: 'priceCents', unit: 100 },
  { field: 'compareAtCents', unit: 100 },
  { field: 'costCents', unit: 100 },
  { field: 'weightGrams', unit: 1 },
  { field: 'gtin', unit: 0 },
] as const;
type Column = (typeof columns)[number];

export function Skus({ form, content }: { form: EditedDocument; content: ProductDocument }) {
  const { t, locale } = useLanguage();
  // Rows that stay as they are are not drawn again: a product may have hundreds.
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  const [change] = useState(() => (path: Path, to: unknown) => latest.current.change(path, to));
  const [paste] = useState(() => (from: string, field: string, values: readonly unknown[]) => {
    const skus = (latest.current.valueAt(['skus']) ?? []) as SkuDocument[];
    const first = skus.findIndex(({ sku }) => sku === from);
    for (const [index, { sku }] of skus.slice(first, first + values.length).entries())
      change(['skus', sku, field], values[index]);
  });
  return (
    <>
      {content.options.length > 0 && <SetForAll content={content} change={change} />}
      <div className="overflow-x-auto">
        <table className="w-full min-w-[52rem] text-left text-sm">
          <thead>
            <tr className="border-line border-b">
              <th scope="col" className="p-2">
                SKU
              </th>
              {columns.map(({ field }) => (
                <th key={field} scope="col" className="p-2">
                  {t(`office.goods.sku.${field}`)}
                </th>
              ))}
              <th scope="col" className="p-2 text-right">
                {t('office.goods.stock')}
              </th>
            </tr>
          </thead>
          <tbody>
            {content.skus.map((sku) => (
              <SkuRow
                key={sku.sku}
                sku={sku}
                words={wordsOf(sku, content, locale)}
                change={change}
                paste={paste}
                errors={columns
                  .map(
                    ({ field }) => form.errorAt(['skus', sku.sku, field], `${sku.sku}: ${t(`office.goods.sku.${field}`)}`) ?? '',
                  )
                  .join('\n')}
                labels={columns.map(({ field }) => t(`office.goods.sku.${field}`)).join('\n')}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-ink-soft text-sm">{t('office.goods.skuHint')}</p>
    </>
  );
}

function wordsOf({ options }: SkuDocument, { options: all }: ProductDocument, locale: Locale): string {
  const words = all.map(({ name, values }) => {
    const chosen = options[name[mainLocale()] ?? ''];
    const value = values.find((each) => each.name[mainLocale()] === chosen);
    return value ? inLocale(value.name, locale) : (chosen ?? '');
  });
  return words.join(' · ');
}

interface RowProps {
  sku: SkuDocument;
  words: string;
  change: (path: Path, to: unknown) => void;
  paste: (from: string, field: string, values: readonly unknown[]) => void;
  /** A line for each column: texts stay the same where lists would not. */
  errors: string;
  labels: string;
}

const SkuRow = memo(function SkuRow({ sku, words, change, paste, errors, labels }: RowProps) {
  const problems = errors.split('\n');
  const named = labels.split('\n');
  const total = Object.values(sku.stock).reduce((sum, units) => sum + units, 0);
  return (
    <tr className="border-line border-b align-top">
      <th scope="row" className="p-2 font-normal">
        <span className="font-semibold">{sku.sku}</span>
        <span className="block text-ink-soft">{words}</span>
      </th>
      {columns.map((column, index) => (
        <td key={column.field} className="p-1">
          <Cell
            column={column}
            value={sku[column.field]}
            label={`${named[index]}: ${sku.sku}`}
            error={problems[index] ?? ''}
            onChange={(to) => change(['skus', sku.sku, column.field], to)}
            onPasteColumn={(values) => paste(sku.sku, column.field, values)}
          />
        </td>
      ))}
      <td className="p-2 text-right">{total}</td>
    </tr>
  );
});

interface CellProps {
  column: Column;
  value: number | string | null | undefined;
  label: string;
  error: string;
  onChange: (to: unknown) => void;
  /** For it and those below. */
  onPasteColumn: (values: readonly unknown[]) => void;
}

/** The same column of a row above or below. */
function moveFrom(cell: HTMLInputElement, rows: number): HTMLInputElement | null | undefined {
  const inputs = [...(cell.closest('tr')?.querySelectorAll('input') ?? [])];
  const all = [...(cell.closest('tbody')?.querySelectorAll('input') ?? [])];
  return all[all.indexOf(cell) + rows * inputs.length];
}

function Cell({ column: { field, unit }, value, label, error, onChange, onPasteColumn }: CellProps) {
  const [typed, setTyped] = useState('');
  const shown = printed(value, unit);
  return (
    <>
      <input
        className="input min-h-11 w-full min-w-24"
        aria-label={label}
        aria-invalid={error !== '' || undefined}
        inputMode={unit === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        name={label}
        value={parsed(typed, { field, unit }) === value ? typed : shown}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          moveFrom(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)?.focus();
        }}
        onPaste={(event) => {
          const lines = event.clipboardData.getData('text').trimEnd().split(/\r?\n/);
          if (lines.length < 2) return;
          event.preventDefault();
          onPasteColumn(lines.map((line) => parsed(line.split('\t')[0] ?? '', { field, unit })));
        }}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(parsed(target.value, { field, unit }));
        }}
      />
      {error !== '' && <p className="text-bad text-sm">{error}</p>}
    </>
  );
}

function printed(value: CellProps['value'], unit: number): string {
  if (typeof value !== 'number') return value ?? '';
  return unit === 100 ? (value / unit).toFixed(2) : String(value);
}

/** What is no number is kept for the server to refuse. An empty cell follows the product. */
function parsed(text: string, { unit }: { field: string; unit: number }): unknown {
  if (text.trim() === '') return undefined;
  if (unit === 0) return text.trim();
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) ? Math.round(number * unit) : text;
}

function SetForAll({ content, change }: { content: ProductDocument; change: RowProps['change'] }) {
  const { t, locale } = useLanguage();
  const [which, setWhich] = useState('');
  const [field, setField] = useState<Column['field']>('priceCents');
  const [typed, setTyped] = useState('');
  const column = columns.find((each) => each.field === field) ?? columns[0];
  const [option, value] = which.split('\n');
  const wanted = content.skus.filter(({ options }) => which === '' || options[option ?? ''] === value);
  return (
    <fieldset className="grid items-end gap-3 rounded-md bg-surface-inset p-4 form:grid-cols-2">
      <legend className="sr-only">{t('office.goods.setAll')}</legend>
      <SelectControl aria-label={t('office.goods.setFor')} value={which} onChange={({ target }) => setWhich(target.value)}>
        <option value="">{t('office.goods.allSkus')}</option>
        {content.options.map(({ name, values }) => (
          <optgroup key={inLocale(name, locale)} label={inLocale(name, locale)}>
            {values.map((each) => (
              <option key={inLocale(each.name, locale)} value={`${name[mainLocale()]}\n${each.name[mainLocale()]}`}>
                {inLocale(each.name, locale)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectControl>
      <SelectControl
        aria-label={t('office.goods.setColumn')}
        value={field}
        onChange={({ target }) => setField(target.value as Column['field'])}
      >
        {columns.map((each) => (
          <option key={each.field} value={each.field}>
            {t(`office.goods.sku.${each.field}`)}
          </option>
        ))}
      </SelectControl>
      <input
        className="input min-h-11"
        aria-label={t('office.goods.setTo')}
        inputMode="decimal"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button
        variant="secondary"
        onClick={() => {
          for (const { sku } of wanted) change(['skus', sku, field], parsed(typed, column));
        }}
      >
        {t('office.goods.set', { count: wanted.length })}
      </Button>
    </fieldset>
  );
}
