/** What stock is worth at the end of a day, and what was sold of it since another, at a moving average of what it cost. */
import type { Row } from '#contract/csv.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import type { TableForm } from '#contract/staff/book-figures.ts';
import { type StaffTranslate, staffTranslate } from '#contract/staff/messages.ts';
import { type CostFigure, knownAmount } from '#contract/staff/stock-figures.ts';
import { mostValued, type StockValue, stockFigures, type ValuedSku } from '#contract/staff/stock-value.ts';
import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { spanOf } from '#server/platform/day-span.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { type Table, tableFile } from '#server/platform/table-file.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { namesOf } from '../stock/items.ts';
import { itemsOf } from '../stock/levels.repository.ts';
import { type ValueRow, valuesOf } from './value.repository.ts';

/** In one query, so that none holds the thread for long. */
const skusAtOnce = 200;

export interface ValueDeps {
  db: Database;
  settings: SettingsService;
  stores: Pick<StoresService, 'timeZone'>;
  now: () => number;
}

interface Days {
  from: string;
  to: string;
}

/** SKUs with one of these want a cost. */
const unknownUnits = ['unknown', 'soldUnknown', 'lostUnknown'] as const;

export type StockValueService = ReturnType<typeof createStockValue>;

export function createStockValue({ db, settings, stores, now }: ValueDeps) {
  /**
   * Of all places: what a unit costs is an average over them.
   * @throws {AppError} 404 for whoever works in some stores only; REQUEST_VALIDATION_ERROR for days that are no range, or have not come
   */
  async function of(
    permit: Permit<'books.read' | 'books.export'>,
    days: Days,
    most = mostValued,
  ): Promise<StockValue> {
    if (!permit.reaches(null)) throw notFound();
    const { from, to } = days;
    const timeZone = await stores.timeZone();
    const span = spanOf(from, to, timeZone);
    if (to > wallClock(now(), timeZone).date) throw validationError({ to: 'office.owed.future' });
    const { currency } = await settings.all();
    const totals = Object.fromEntries(stockFigures.map((name) => [name, 0])) as StockValue['totals'];
    const skus: ValuedSku[] = [];
    let [more, skusUnknown] = [0, 0];
    for (let after = ''; ; ) {
      const rows = await valuesOf(db.read, { ...span, after, most: skusAtOnce });
      const last = rows.at(-1);
      if (!last) return { from, to, currency, totals, skusUnknown, skus, more };
      after = last.sku;
      const found = rows.map(figuresOf).filter((row) => stockFigures.some((name) => row[name] !== 0));
      const listed = found.slice(0, Math.max(0, most - skus.length));
      more += found.length - listed.length;
      skusUnknown += found.filter((row) => unknownUnits.some((name) => row[name] !== 0)).length;
      for (const row of found) for (const name of stockFigures) totals[name] += row[name];
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
            ...(item ? namesOf(item) : { name: null, optionContent: null }),
          };
        }),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    of,

    table: (value: StockValue, locale: Locale): Table => tableOf(value, staffTranslate(locale), locale),

    async file(
      permit: Permit<'books.export'>,
      { form, ...days }: Days & { form: TableForm },
      locale: Locale,
    ) {
      const value = await of(permit, days, Number.MAX_SAFE_INTEGER);
      return tableFile(tableOf(value, staffTranslate(locale), locale), form, now());
    },
  };
}

/** What was paid for deliveries has what was sold before it came in it, and so has the cost of what was sold. */
function figuresOf({ sku, units, costed, value, before, received, late, lost, ...row }: ValueRow) {
  const { beforeUnknown, receivedUnknown, lostUnknown } = row;
  const unknown = { beforeUnknown, receivedUnknown, lostUnknown };
  return {
    sku,
    units,
    unknown: units - costed,
    value,
    before,
    received: received + late,
    lost,
    ...unknown,
    sold: row.sold,
    soldUnknown: row.sold - row.soldCosted,
    cost: row.soldCents + late,
  };
}

function tableOf({ from, to, skus, currency }: StockValue, t: StaffTranslate, locale: Locale): Table {
  const heads = [
    ...([
      'sku',
      'product',
      'options',
      'units',
      'unknown',
      'value',
      'before',
      'beforeUnknown',
      'received',
    ] as const),
    ...(['receivedUnknown', 'sold', 'soldUnknown', 'cost', 'lost', 'lostUnknown', 'currency'] as const),
  ];
  return {
    name: `stock-${from}-${to}`,
    header: heads.map((head) => t(`office.stockValue.${head}`)),
    rows: skus.map((row): Row => {
      const money = (name: CostFigure) => {
        const amount = knownAmount(row, name);
        return amount === null ? null : { decimal: decimalText(amount, currency) };
      };
      return [
        { code: row.sku },
        row.name ? inLocale(row.name, locale) : '',
        row.optionContent ? inLocale(row.optionContent, locale) : '',
        row.units,
        row.unknown,
        money('value'),
        money('before'),
        row.beforeUnknown,
        money('received'),
        row.receivedUnknown,
        row.sold,
        row.soldUnknown,
        money('cost'),
        money('lost'),
        row.lostUnknown,
        currency,
      ];
    }),
  };
}
