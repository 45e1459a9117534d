/** What stock is worth, and what the goods cost that were sold, by a moving average of what was paid for them. */
import Type, { type Static } from 'typebox';
import {
  CalendarDay,
  Count,
  described,
  Id,
  LangQuery,
  LocalText,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { tableForms } from './book-figures.ts';
import { TableFile } from './books.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { longestRange } from './takings.ts';

/** SKUs that are listed at most; the file has all. */
export const mostValued = 1000;

const Day = described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay);
const days = {
  from: described('The first day.', Day),
  to: described(`The last day, at whose end stock is valued; at most ${longestRange} days in all.`, Day),
};
const Cents = Type.Integer({ unit: 'cents' });
const Units = Type.Integer();
const figures = {
  units: described('At the end, everywhere.', Units),
  unknown: described('Of these, whose cost is unknown; negative: that were sold before they came.', Units),
  value: described('Of the others.', Cents),
  before: described('What was there at the beginning, of the units whose cost was known.', Cents),
  beforeUnknown: described('Units that were there at the beginning, and whose cost was unknown.', Units),
  received: described('What was paid for deliveries, and costs that became known.', Cents),
  receivedUnknown: described(
    'Units that came at an unknown cost, less those whose cost became known.',
    Units,
  ),
  sold: described('Units, less those that came back.', Units),
  soldUnknown: described('Of these, whose cost is unknown.', Units),
  cost: described('Of the sold units whose cost is known.', Cents),
  lost: described('What counts, damage and removals took off the value.', Cents),
  lostUnknown: described('Units of unknown cost that they took away.', Units),
};
/** The names of the figures: each is of a SKU, and summed in the totals. */
export const stockFigures = Object.keys(figures) as (keyof typeof figures)[];

export const ValuedSku = Type.Object({
  sku: Type.String(),
  product: described('Null if it was removed.', Nullable(Id)),
  name: described('Of the product.', Nullable(LocalText)),
  optionContent: described('The values of its options; null for none.', Nullable(LocalText)),
  ...figures,
});
export type ValuedSku = Static<typeof ValuedSku>;

export const StockValue = Type.Object({
  from: Type.String(),
  to: Type.String(),
  currency: Type.String(),
  totals: described(
    '`before` and `received`, less `cost` and `lost`, is `value`; and so it is with the units whose cost is unknown.',
    Type.Object(figures),
  ),
  skusUnknown: described('SKUs with units whose cost is unknown, there or sold.', Count),
  skus: described('By SKU.', Type.Array(ValuedSku)),
  more: described('SKUs that are not listed.', Count),
});
export type StockValue = Static<typeof StockValue>;

export const stockValueEndpoints = {
  stockValue: {
    route: 'GET books/stock',
    summary:
      'What stock was worth at the end of a day, and what was sold of it since another, by a moving average of its cost.',
    needs: 'books.read',
    query: Strict({ ...days, ...LangQuery }),
    response: StockValue,
  },
  stockValueFile: {
    tool: false,
    route: 'POST books/stock-file',
    repeat: 'own',
    summary: 'The same, of all SKUs, as CSV or XLSX.',
    needs: 'books.export',
    query: Strict(LangQuery),
    body: Strict({ ...days, form: Type.Enum([...tableForms]) }),
    response: TableFile,
  },
} as const satisfies Record<string, StaffEndpoint>;
