/** The calls of the room Stock. A place is a store, or `warehouse`. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Count, EpochMs, Id, LangQuery, LocalText, Nullable, Sku, Strict } from '../schemas/common.ts';
import { Done, lang, type StaffEndpoint } from './endpoint.ts';

/** Rows of a page. */
export const stockPage = 50;

const mostUnits = 1_000_000;
const place = Strict({ place: Id });
const item = Strict({ place: Id, sku: Sku });
const Key = described(
  'New for each change: with the same key, a change is made once.',
  Type.String({ pattern: '^[\\w-]{16,64}$' }),
);
const Units = Type.Integer({ minimum: 1, maximum: mostUnits });
const Counted = Type.Integer({ minimum: 0, maximum: mostUnits });

export const StockLevel = Type.Object({
  sku: Type.String(),
  name: described('Of the product.', LocalText),
  options: described('`#name:value` pairs; empty without options.', Type.String()),
  units: described('For sale.', Type.Integer()),
  held: described('Reserved for orders that are not completed.', Count),
});
export type StockLevel = Static<typeof StockLevel>;

const StockMovement = Type.Object({
  id: Type.String(),
  quantity: described('Negative for units that left.', Type.Integer()),
  kind: Type.Enum(['opening', 'sale', 'refund', 'count', 'transfer', 'correction', 'removal']),
  reason: Nullable(Type.Enum(['received', 'found', 'damaged', 'lost', 'used', 'other'])),
  orderNumber: Nullable(Type.String()),
  person: described('Who changed it; null for customers and the system.', Nullable(Type.String())),
  at: EpochMs,
});
export type StockMovement = Static<typeof StockMovement>;

export const stockEndpoints = {
  stock: {
    route: 'GET stock/:place',
    summary: 'What a place has of each SKU, found by words, the beginning of a SKU, or a bar code.',
    needs: 'stock.adjust',
    params: place,
    query: Strict({
      text: Type.Optional(Type.String({ maxLength: 200 })),
      after: Type.Optional(described('The last SKU of the page before.', Sku)),
      ...LangQuery,
    }),
    response: Type.Object({ levels: described('By SKU.', Type.Array(StockLevel)), after: Nullable(Type.String()) }),
  },
  stockMovements: {
    route: 'GET stock/:place/:sku',
    summary: 'What changed the units of a SKU at a place, newest first.',
    needs: 'stock.adjust',
    params: item,
    query: Strict({ after: Type.Optional(described('Only movements before this one.', Id)), ...LangQuery }),
    response: Type.Object({ movements: Type.Array(StockMovement), after: Nullable(Type.String()) }),
  },
  correctStock: {
    route: 'POST stock/:place/:sku/correct',
    summary: 'Adds units or takes some away, for a reason.',
    needs: 'stock.adjust',
    changes: true,
    params: item,
    query: lang,
    body: Strict({
      key: Key,
      units: Type.Integer({ minimum: -mostUnits, maximum: mostUnits }),
      reason: Type.Enum(['received', 'found', 'damaged', 'lost', 'used', 'other']),
    }),
    response: Done,
  },
  countStock: {
    route: 'POST stock/:place/:sku/count',
    summary: 'Books the difference between what was expected when it was counted and what was found: sales since then stay.',
    needs: 'stock.adjust',
    changes: true,
    params: item,
    query: lang,
    body: Strict({ key: Key, expected: Counted, found: Counted }),
    response: Done,
  },
  transferStock: {
    route: 'POST stock/:place/:sku/transfer',
    summary: 'Moves units to another place.',
    needs: 'stock.adjust',
    changes: true,
    params: item,
    query: lang,
    body: Strict({ key: Key, to: Id, units: Units }),
    response: Done,
  },
} as const satisfies Record<string, StaffEndpoint>;
