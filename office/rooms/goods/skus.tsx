/** The SKUs of a product: a row each, edited like a spreadsheet, and setting a column for all with a value of an option. */
import { useState } from 'react';
import { inLocale, type Locale, mainLocale } from '#contract/locales.ts';
import { parseAmount } from '#contract/money.ts';
import { edited } from '#contract/rules/patch.ts';
import type { FormField } from '#contract/staff/forms.ts';
import type { ProductDocument, SkuDocument } from '#contract/staff/goods.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { SelectControl } from '#ui/inputs.tsx';
import { useEdited } from '../../lib/document-form.tsx';
import { writtenNumber } from '../../lib/field-words.ts';
import { Grid, type GridCell } from '../../lib/grid.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useOffice } from '../../lib/me.tsx';

interface Column {
  field: string;
  title: StaffMessageKey;
  /** What a cell holds. */
  of: 'money' | 'number' | 'text';
  /** What holds where it is left out. */
  usual?: boolean;
}

/** Flags that are left out. */
const usually: Readonly<Record<string, boolean>> = { counted: true, oversell: false };

function columnsOf(fields: readonly FormField[]): Column[] {
  return fields.map(({ path, control, label }) => {
    const field = path.join('.');
    const of = control === 'money' || control === 'number' ? control : 'text';
    const usual = usually[field];
    return { field, title: label, of, ...(usual !== undefined && { usual }) };
  });
}

/** CSS widths of what cells hold. */
const widths = { money: '7rem', number: '6rem', text: '9rem' };

/** What cells show. */
type Cells = Omit<SkuDocument, 'sku' | 'options' | 'stock'>;
type Set = (cells: readonly { sku: string; field: string; text: string }[]) => void;

export function Skus({ content, fields }: { content: ProductDocument; fields: readonly FormField[] }) {
  const form = useEdited();
  const { t, locale, shop } = useOffice();
  const { currency } = shop;
  const { skus, options } = content;
  const columns = columnsOf(fields);
  const columnOf = (field: string): Column =>
    columns.find((each) => each.field === field) ?? { field, title: 'office.goods.skus', of: 'text' };
  const set: Set = (cells) =>
    form.change(
      ['skus'],
      edited(
        skus,
        cells.map(({ sku, field, text }) => ({
          path: [sku, field],
          to: parsed(text, columnOf(field), currency),
        })),
      ),
    );
  const edit = (cells: readonly GridCell[]) =>
    set(
      cells.flatMap(({ row, column, text }) =>
        skus[row] ? [{ sku: skus[row].sku, field: column, text }] : [],
      ),
    );
  const titleOf = (field: string) => t(columnOf(field).title);
  const written = (column: Column) => (value: unknown) => {
    const text = printed(value as Parameters<typeof printed>[0], column, currency);
    return column.usual === undefined ? text : t(`office.goods.sku.${text === 'yes' ? 'yes' : 'no'}`);
  };
  const choicesOf = ({ field, usual }: Column) => {
    if (field === 'image')
      return ['', ...content.images].map((value) => ({
        value,
        label: value || t('office.goods.sku.noImage'),
      }));
    return usual === undefined
      ? undefined
      : (['yes', 'no'] as const).map((value) => ({ value, label: t(`office.goods.sku.${value}`) }));
  };
  return (
    <>
      {options.length > 0 && <SetForAll {...{ content, columns, set }} />}
      <Grid
        label="SKU"
        count={skus.length}
        columns={columns.map((column) => {
          const choices = choicesOf(column);
          return {
            id: column.field,
            title: titleOf(column.field),
            isNumber: column.of !== 'text',
            ...(choices && { choices }),
          };
        })}
        template={['minmax(10rem,1fr)', ...columns.map(({ of }) => widths[of])].join(' ')}
        rowHeight={60}
        nameOf={(row) => skus[row]?.sku}
        headOf={(row) =>
          skus[row] && (
            <SkuHead sku={skus[row]} words={wordsOf(skus[row], content, locale)} onRemove={removeOf(row)} />
          )
        }
        textOf={(row, field) => printed(skus[row]?.[field as keyof Cells], columnOf(field), currency)}
        errorOf={(row, field) => {
          const sku = skus[row]?.sku ?? '';
          return form.errorAt(['skus', sku, field], `${sku}: ${titleOf(field)}`, written(columnOf(field)));
        }}
        onEdit={edit}
      />
      {form.errorAt(['skus'], t('office.goods.skus')) && (
        <p className="text-bad">{form.errorAt(['skus'], t('office.goods.skus'))}</p>
      )}
      <p className="text-ink-soft text-sm">{t('office.goods.skuHint')}</p>
    </>
  );

  /** One stays. */
  function removeOf(row: number): (() => void) | undefined {
    return skus.length > 1 ? () => form.change(['skus'], skus.toSpliced(row, 1)) : undefined;
  }
}

function SkuHead({
  sku: { sku, stock },
  words,
  onRemove,
}: {
  sku: SkuDocument;
  words: string;
  onRemove: (() => void) | undefined;
}) {
  const { t } = useLanguage();
  const total = Object.values(stock).reduce((sum, units) => sum + units, 0);
  return (
    <span className="flex items-center gap-2">
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{sku}</span>
        <span className="block truncate text-ink-soft">
          {[words, t('office.goods.units', { count: total })].filter(Boolean).join(' · ')}
        </span>
      </span>
      {onRemove && (
        <IconButton icon="close" label={`${t('office.goods.removeSku')}: ${sku}`} onClick={onRemove} />
      )}
    </span>
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

function printed(
  value: number | string | boolean | null | undefined,
  { of, usual }: Column,
  currency: string,
): string {
  if (usual !== undefined) return (value ?? usual) ? 'yes' : 'no';
  return writtenNumber(value, of === 'money' ? currency : undefined);
}

/** What is no number is kept for the server to refuse. What is left out follows the product, or is as usual. */
function parsed(text: string, { of, usual }: Column, currency: string): unknown {
  if (usual !== undefined) {
    const isYes = text === '' ? usual : !/^(?:no|false|0|否)$/i.test(text.trim());
    return isYes === usual ? undefined : isYes;
  }
  if (text.trim() === '') return undefined;
  if (of === 'text') return text.trim();
  if (of === 'money') return parseAmount(text, currency) ?? text;
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) ? Math.round(number) : text;
}

function SetForAll({
  content,
  columns,
  set,
}: {
  content: ProductDocument;
  columns: readonly Column[];
  set: Set;
}) {
  const { t, locale } = useLanguage();
  const [which, setWhich] = useState('');
  const [field, setField] = useState('priceCents');
  const [typed, setTyped] = useState('');
  const [option, value] = which.split('\n');
  const wanted = content.skus.filter(({ options }) => which === '' || options[option ?? ''] === value);
  return (
    <fieldset className="grid items-end gap-3 rounded-md bg-surface-inset p-4 form:grid-cols-2">
      <legend className="sr-only">{t('office.goods.setAll')}</legend>
      <SelectControl
        aria-label={t('office.goods.setFor')}
        value={which}
        onChange={({ target }) => setWhich(target.value)}
      >
        <option value="">{t('office.goods.allSkus')}</option>
        {content.options.map(({ name, values }) => (
          <optgroup key={inLocale(name, locale)} label={inLocale(name, locale)}>
            {values.map((each) => (
              <option
                key={inLocale(each.name, locale)}
                value={`${name[mainLocale()]}\n${each.name[mainLocale()]}`}
              >
                {inLocale(each.name, locale)}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectControl>
      <SelectControl
        aria-label={t('office.goods.setColumn')}
        value={field}
        onChange={({ target }) => setField(target.value)}
      >
        {columns.map((each) => (
          <option key={each.field} value={each.field}>
            {t(each.title)}
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
        label={t('office.goods.set', { count: wanted.length })}
        variant="secondary"
        onClick={() => {
          set(wanted.map(({ sku }) => ({ sku, field, text: typed })));
        }}
      />
    </fieldset>
  );
}
