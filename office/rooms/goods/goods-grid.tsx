/** Products edited in the table: names and prices, also as columns of a spreadsheet, saved together as one change. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { mostRows } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { decimalText, parseAmount } from '#contract/money.ts';
import type { GoodsRow } from '#contract/staff/goods.ts';
import { Button } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall, useOnce } from '../../lib/api.ts';
import { Grid, type GridCell } from '../../lib/grid.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { useBegin } from './bulk.tsx';
import { type Row, type TableProps, useRows } from './table.tsx';

type Column = 'name' | 'priceCents' | 'compareAtCents';
type Typed = Readonly<Record<string, Partial<Record<Column, string>>>>;

export default function GoodsGrid({ count, filter }: Pick<TableProps, 'count' | 'filter'>) {
  const { t, locale, call, shop } = useOffice();
  const { currency } = shop;
  const { rowAt, onShow } = useRows(filter);
  const { typed, change, undo, discard } = useTyped();
  const rows = Object.entries(typed);
  const isWrong = rows.some(([, cells]) =>
    Object.entries(cells).some(([column, text]) => !isRight(column as Column, text, currency)),
  );
  const once = useOnce();
  const save = useBegin(
    () =>
      call('changeGoodsRows', {
        body: { rows: rows.map(([id, cells]) => rowOf(id, cells, { locale, currency })) },
        once,
      }),
    discard,
  );
  const { edit, isCut } = useEdit(filter, rowAt, change);
  const textOf = (index: number, column: string) => {
    const row = rowAt(index);
    return row ? (typed[row.id]?.[column as Column] ?? textIn(row, column as Column, locale, currency)) : '';
  };
  const problem = save.error ?? edit.error;
  return (
    <section
      aria-label={t('office.goods.editTable')}
      className="flex flex-col gap-4"
      onKeyDown={(event) => {
        if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z')
          return;
        event.preventDefault();
        undo?.();
      }}
    >
      <Problem error={problem} />
      {isCut && <Notice title={t('office.goods.rowsTooMany', { count: mostRows })} />}
      <Grid
        label={t('office.goods.product')}
        count={count}
        columns={[
          { id: 'name', title: t('office.goods.name') },
          { id: 'priceCents', title: t('office.goods.price'), isNumber: true },
          { id: 'compareAtCents', title: t('office.goods.compareAt'), isNumber: true },
        ]}
        template="minmax(9rem,14rem) minmax(12rem,1fr) 8rem 10rem"
        rowHeight={48}
        nameOf={(index) => rowAt(index)?.id}
        headOf={(index) => <Head row={rowAt(index)} />}
        textOf={textOf}
        errorOf={(index, column) =>
          isRight(column as Column, textOf(index, column), currency) ? undefined : t('office.goods.notAPrice')
        }
        isChanged={(index, column) => typed[rowAt(index)?.id ?? '']?.[column as Column] !== undefined}
        onEdit={(cells) => edit.mutate(cells)}
        onShow={onShow}
      />
      <SaveBar
        {...{ count: rows.length, isWrong, undo, discard }}
        busy={save.isPending}
        onSave={() => save.mutate()}
      />
    </section>
  );
}

interface SaveBarProps {
  count: number;
  isWrong: boolean;
  busy: boolean;
  undo: (() => void) | undefined;
  discard: () => void;
  onSave: () => void;
}

function SaveBar({ count, isWrong, busy, undo, discard, onSave }: SaveBarProps) {
  const { t } = useLanguage();
  return (
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-3 border-line border-t bg-paper py-3">
      <Button label={t('office.save')} busy={busy} disabled={count === 0 || isWrong} onClick={onSave} />
      <Button
        label={t('office.document.undo')}
        variant="secondary"
        disabled={!undo}
        onClick={() => undo?.()}
      />
      {count > 0 && <Button label={t('office.document.discard')} variant="secondary" onClick={discard} />}
      <p role="status" className="text-ink-soft text-sm">
        {count > 0 && t('office.goods.rowsChanged', { count })}
      </p>
    </div>
  );
}

/** Takes what is typed, also in rows that are not read. `isCut`: it was more than can be changed together. */
function useEdit(
  filter: TableProps['filter'],
  rowAt: (index: number) => Row | undefined,
  change: ReturnType<typeof useTyped>['change'],
) {
  const call = useCall();
  const [isCut, setIsCut] = useState(false);
  const edit = useMutation({
    mutationFn: async (cells: readonly GridCell[]) => {
      const places = cells.map(({ row }) => row);
      const first = places.reduce((least, row) => Math.min(least, row), Number.POSITIVE_INFINITY);
      const end = places.reduce((most, row) => Math.max(most, row), 0);
      const last = Math.min(end, first + mostRows - 1);
      const known = (row: number) => rowAt(row)?.id;
      const isKnown = places.every((row) => known(row) !== undefined);
      const ids = isKnown
        ? []
        : (await call('goodsIds', { query: { ...filter, skip: first, most: last - first + 1 } })).ids;
      setIsCut(last < end);
      change(
        cells.flatMap(({ row, column, text }) => {
          const id = known(row) ?? ids[row - first];
          return id === undefined ? [] : [{ id, column: column as Column, text }];
        }),
      );
    },
  });
  return { edit, isCut };
}

function Head({ row }: { row: Row | undefined }) {
  if (!row) return null;
  return (
    <Link
      href={`/office/goods/${row.id}`}
      className="flex h-full items-center truncate underline underline-offset-4"
    >
      {row.skus === 1 ? row.firstSku : row.id}
    </Link>
  );
}

/** What is typed, kept in the browser until it is saved. */
function useTyped() {
  const key = `office-grid ${useMe().email}`;
  const [typed, setTyped] = useState<Typed>(() => JSON.parse(localStorage.getItem(key) ?? '{}') as Typed);
  const [past, setPast] = useState<readonly Typed[]>([]);
  const show = (next: Typed) => {
    setTyped(next);
    if (Object.keys(next).length > 0) localStorage.setItem(key, JSON.stringify(next));
    else localStorage.removeItem(key);
  };
  const before = past.at(-1);
  return {
    typed,
    change(cells: readonly { id: string; column: Column; text: string }[]) {
      const next: Record<string, Partial<Record<Column, string>>> = { ...typed };
      for (const { id, column, text } of cells) {
        if (next[id] === undefined && Object.keys(next).length >= mostRows) continue;
        next[id] = { ...next[id], [column]: text };
      }
      setPast([...past, typed]);
      show(next);
    },
    undo:
      before &&
      (() => {
        setPast(past.slice(0, -1));
        show(before);
      }),
    discard() {
      setPast([]);
      show({});
    },
  };
}

function textIn(row: Row, column: Column, locale: Locale, currency: string): string {
  if (column === 'name') return row.name[locale] ?? inLocale(row.name, locale);
  const cents = column === 'priceCents' ? row.priceCents : row.compareAtCents;
  return cents === null ? '' : decimalText(cents, currency);
}

function isRight(column: Column, text: string, currency: string): boolean {
  if (column === 'name') return text.trim() !== '';
  return parseAmount(text, currency) !== null || (column === 'compareAtCents' && text.trim() === '');
}

function rowOf(
  id: string,
  { name, priceCents, compareAtCents }: Typed[string],
  { locale, currency }: { locale: Locale; currency: string },
): GoodsRow {
  const price = priceCents === undefined ? null : parseAmount(priceCents, currency);
  return {
    id,
    ...(name === undefined ? {} : { name: { [locale]: name.trim() } }),
    ...(price === null ? {} : { priceCents: price }),
    ...(compareAtCents === undefined ? {} : { compareAtCents: parseAmount(compareAtCents, currency) }),
  };
}
