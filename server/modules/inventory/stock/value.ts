/** What stock is worth at the end of a day, and what was sold of it since another, at a moving average of what it cost. */
import { byteOrderMark, csvText, type Row } from '#contract/csv.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import { type StaffTranslate, staffTranslate } from '#contract/staff/messages.ts';
import { mostValued, type StockValue, type ValuedSku } from '#contract/staff/stock-value.ts';
import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { isCalendarDay } from '#server/platform/time-zone.ts';
import { itemsOf } from './levels.repository.ts';
import { type ValueRow, valuesOf } from './value.repository.ts';

/** In one query, so that none holds the thread for long. */
const skusAtOnce = 200;

export interface ValueDeps {
  db: Database;
  settings: SettingsService;
  stores: Pick<StoresService, 'timeZone'>;
}

interface Days {
  from: string;
  to: string;
}

const sums = ['before', 'received', 'cost', 'lost', 'value', 'unknown', 'sold', 'soldUnknown'] as const;

export function createStockValue({ db, settings, stores }: ValueDeps) {
  /** Of all places: what a unit costs is an average over them. @throws {AppError} 404 for whoever works in some stores only */
  async function of(permit: Permit<'books.read' | 'books.export'>, days: Days, most = mostValued): Promise<StockValue> {
    if (!permit.reaches(null)) throw notFound();
    const span = spanOf(days, await stores.timeZone());
    const { currency } = await settings.all();
    const totals = Object.fromEntries(sums.map((name) => [name, 0])) as StockValue['totals'];
    const skus: ValuedSku[] = [];
    let [more, skusUnknown] = [0, 0];
    for (let after = ''; ; ) {
      const rows = await valuesOf(db.read, { ...span, after, most: skusAtOnce });
      const last = rows.at(-1);
      if (!last) return { ...days, currency, totals, skusUnknown, skus, more };
      after = last.sku;
      const found = rows.map(figuresOf).filter((row) => [row.units, ...sums.map((name) => row[name])].some((each) => each !== 0));
      const listed = found.slice(0, Math.max(0, most - skus.length));
      more += found.length - listed.length;
      skusUnknown += found.filter(({ unknown, soldUnknown }) => unknown !== 0 || soldUnknown !== 0).length;
      for (const row of found) for (const name of sums) totals[name] += row[name];
      const items = await itemsOf(
        db.read,
        listed.map(({ sku }) => sku),
      );
      const names = new Map(items.map((item) => [item.sku, item]));
      skus.push(
        ...listed.map((row) => {
          const item = names.get(row.sku);
          return {
            ...row,
            product: item?.product ?? null,
            name: item ? JSON.parse(item.name) : null,
            options: item?.options ?? '',
          };
        }),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    of,
    async file(permit: Permit<'books.export'>, days: Days, locale: Locale) {
      const value = await of(permit, days, Number.MAX_SAFE_INTEGER);
      return {
        name: `stock-${days.from}-${days.to}.csv`,
        type: 'text/csv; charset=utf-8',
        base64: Buffer.from(byteOrderMark + csvText(tableOf(value, staffTranslate(locale), locale))).toString('base64'),
      };
    },
  };
}

/** What was paid for deliveries has what was sold before it came in it, and so has the cost of what was sold. */
function figuresOf({ sku, units, costed, value, before, received, late, lost, ...row }: ValueRow) {
  return {
    ...{ sku, units, unknown: units - costed, value, before, received: received + late, lost },
    ...{ sold: row.sold, soldUnknown: row.sold - row.soldCosted, cost: row.soldCents + late },
  };
}

/** Epoch ms; the last day is in it. @throws {AppError} REQUEST_VALIDATION_ERROR for days that do not exist or are no range */
function spanOf(days: Days, timeZone: string): { from: number; to: number } {
  for (const [field, day] of Object.entries(days))
    if (!isCalendarDay(day)) throw validationError({ [field]: 'office.takings.noDay' });
  const [first, last] = [Temporal.PlainDate.from(days.from), Temporal.PlainDate.from(days.to)];
  if (Temporal.PlainDate.compare(first, last) > 0) throw validationError({ to: 'office.takings.endsBefore' });
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return { from: startOf(first), to: startOf(last.add({ days: 1 })) };
}

function tableOf({ skus, currency }: StockValue, t: StaffTranslate, locale: Locale): Row[] {
  const money = (cents: number) => decimalText(cents, currency);
  const heads = ['sku', 'product', 'options', 'units', 'unknown', 'value', 'before', 'received', 'sold', 'soldUnknown'] as const;
  return [
    [...heads, 'cost' as const, 'lost' as const, 'currency' as const].map((head) => t(`office.stockValue.${head}`)),
    ...skus.map((row) => [
      ...[row.sku, row.name ? inLocale(row.name, locale) : '', row.options, row.units, row.unknown],
      ...[money(row.value), money(row.before), money(row.received), row.sold, row.soldUnknown],
      ...[money(row.cost), money(row.lost), currency],
    ]),
  ];
}
