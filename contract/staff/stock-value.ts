/** What stock is worth, and what the goods cost that were sold, by a moving average of what was paid for them. */
import Type, { type Static } from 'typebox';
import { Count, described, Id, LangQuery, LocalText, Nullable, Strict } from '../schemas/common.ts';
import type { StaffEndpoint } from './endpoint.ts';

/** SKUs that are listed at most; the file has all. */
export const mostValued = 1000;

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const days = Strict({ from: Day, to: described('In it.', Day), ...LangQuery });
const Cents = Type.Integer();
const figures = {
  unknown: described('Units at the end whose cost is unknown; negative: that were sold before they came.', Type.Integer()),
  value: described('At the end, of the units whose cost is known, in cents.', Cents),
  before: described('At the beginning, in cents.', Cents),
  received: described('What was paid for deliveries, and costs that became known, in cents.', Cents),
  sold: described('Units, less those that came back.', Type.Integer()),
  soldUnknown: described('Of these, whose cost is unknown.', Type.Integer()),
  cost: described('Of the sold units whose cost is known, in cents.', Cents),
  lost: described('What counts, damage and removals took off the value, in cents.', Cents),
};

export const ValuedSku = Type.Object({
  sku: Type.String(),
  product: described('Null if it was removed.', Nullable(Id)),
  name: described('Of the product.', Nullable(LocalText)),
  options: Type.String(),
  units: described('At the end, everywhere.', Type.Integer()),
  ...figures,
});
export type ValuedSku = Static<typeof ValuedSku>;

export const StockValue = Type.Object({
  from: Type.String(),
  to: Type.String(),
  currency: Type.String(),
  totals: described('`before` and `received`, less `cost` and `lost`, is `value`.', Type.Object(figures)),
  skusUnknown: described('SKUs with units whose cost is unknown, there or sold.', Count),
  skus: described('By SKU.', Type.Array(ValuedSku)),
  more: described('SKUs that are not listed.', Count),
});
export type StockValue = Static<typeof StockValue>;

export const stockValueEndpoints = {
  stockValue: {
    route: 'GET books/stock',
    summary: 'What stock was worth at the end of a day, and what was sold of it since another, by a moving average of its cost.',
    needs: 'books.read',
    query: days,
    response: StockValue,
  },
  stockValueFile: {
    route: 'POST books/stock-file',
    repeat: 'own',
    summary: 'The same, of all SKUs, as CSV.',
    needs: 'books.export',
    query: Strict(LangQuery),
    body: Strict({ from: Day, to: Day }),
    response: Type.Object({ name: Type.String(), type: Type.String(), base64: Type.String() }),
  },
} as const satisfies Record<string, StaffEndpoint>;
