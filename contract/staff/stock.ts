/** The calls of the room Stock and of stock-takes. A place is a store, or `warehouse`. */
import Type, { type Static } from 'typebox';
import { countsAtOnce, mostLow, neverLow } from '../limits.ts';
import {
  Count,
  described,
  EpochMs,
  Flag,
  Id,
  LangQuery,
  LocalText,
  Nullable,
  Sku,
  Strict,
} from '../schemas/common.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';

export const stockPage = 50;
/** SKUs that a device knows by name without a network. */
export const itemsKept = 2000;

const mostUnits = 1_000_000;
const place = Strict({ place: Id });
const item = Strict({ place: Id, sku: Sku });
const take = Strict({ take: Id });
const Key = described(
  'New for each change: with the same key, a change is made once.',
  Type.String({ pattern: '^[\\w-]{16,64}$' }),
);
const Units = Type.Integer({ minimum: 1, maximum: mostUnits });
const UnitCost = Type.Integer({ unit: 'cents', minimum: 0, maximum: 100_000_000 });
const Counted = Type.Integer({ minimum: 0, maximum: mostUnits });
const Note = Type.Optional(described('Kept for two years.', Type.String({ maxLength: 200 })));
const Page = described('Where the page before ended.', Type.String({ maxLength: 200 }));
const Item = {
  sku: Type.String(),
  name: described('Of the product.', LocalText),
  optionContent: described('The values of its options; null for none.', Nullable(LocalText)),
};

export const StockLevel = Type.Object({
  ...Item,
  product: Id,
  units: described('For sale.', Type.Integer()),
  held: described('Reserved for orders that are not completed.', Count),
  low: described('With this many or fewer, it is low; -1: never.', Type.Integer()),
  ownLow: described('Whether that is not what the shop uses elsewhere.', Flag),
});
export type StockLevel = Static<typeof StockLevel>;

const StockMovement = Type.Object({
  id: Type.String(),
  place: Type.String(),
  other: described('Of a transfer, the place at its other end.', Nullable(Type.String())),
  quantity: described('Negative for units that left.', Type.Integer()),
  left: described(
    'What was there after it, reserved units included, in all places that were asked for.',
    Type.Integer(),
  ),
  kind: Type.Enum(['opening', 'sale', 'refund', 'count', 'transfer', 'correction', 'removal']),
  reason: Nullable(Type.Enum(['received', 'found', 'damaged', 'lost', 'used', 'other'])),
  note: Nullable(Type.String()),
  orderNumber: Nullable(Type.String()),
  person: described('Who changed it; null for customers and the system.', Nullable(Type.String())),
  byTerminal: described('By a command.', Flag),
  at: EpochMs,
});
export type StockMovement = Static<typeof StockMovement>;

export const StockLedger = Type.Object({
  ...Item,
  product: Id,
  places: described(
    'Where it is, or was.',
    Type.Array(
      Type.Object({
        place: Type.String(),
        units: Type.Integer(),
        held: Count,
        low: Type.Integer(),
        ownLow: Flag,
      }),
    ),
  ),
  movements: Type.Array(StockMovement),
  after: Nullable(Type.String()),
});
export type StockLedger = Static<typeof StockLedger>;

export const StockTake = Type.Object({
  id: Id,
  place: Type.String(),
  state: Type.Enum(['open', 'booking', 'booked', 'ended']),
  startedAt: EpochMs,
  startedBy: Nullable(Type.String()),
  counts: described('How often something was counted.', Count),
  skus: described('How many SKUs were counted.', Count),
  units: Type.Integer(),
  people: Type.Array(Type.String()),
  unknown: described(
    'Codes that name no SKU, or several.',
    Type.Array(Type.Object({ code: Type.String(), units: Type.Integer() })),
  ),
  refused: described(
    'SKUs whose difference could not be booked: reserved units are missing.',
    Type.Array(Type.String()),
  ),
});
export type StockTake = Static<typeof StockTake>;

const TakeLine = Type.Object({
  ...Item,
  found: Type.Integer(),
  expected: described('What was there when it was last counted, reserved units included.', Type.Integer()),
});
export type TakeLine = Static<typeof TakeLine>;

const DeviceCount = Strict({
  id: Key,
  code: described('A SKU, or what a scanner read.', Type.String({ minLength: 1, maxLength: 200 })),
  units: described(
    'Negative to correct an earlier count; 0: there is none.',
    Type.Integer({ minimum: -mostUnits, maximum: mostUnits }),
  ),
  at: EpochMs,
});
export type DeviceCount = Static<typeof DeviceCount>;

export const stockEndpoints = {
  stock: {
    route: 'GET stock/:place',
    summary:
      'What a place has of each SKU, found by words, the beginning of a SKU, or a bar code; or only those that are low.',
    needs: 'stock.count',
    params: place,
    query: Strict({
      text: Type.Optional(Type.String({ maxLength: 200 })),
      low: Type.Optional(Type.Enum(['only'])),
      after: Type.Optional(Page),
      ...LangQuery,
    }),
    response: Type.Object({
      levels: described('By SKU; those that are low, the fewest units first.', Type.Array(StockLevel)),
      after: Nullable(Type.String()),
      usualLow: described('With this many or fewer, a SKU is low where nothing else is set.', Type.Integer()),
    }),
  },
  lowStock: {
    route: 'GET stock-low',
    summary: 'How many SKUs are low at each place.',
    needs: 'stock.count',
    response: Type.Object({
      places: Type.Array(
        Type.Object({ place: Type.String(), skus: described(`At most ${mostLow + 1}.`, Count) }),
      ),
    }),
  },
  stockLedger: {
    route: 'GET stock-of/:sku',
    summary: 'Where a SKU is, and what changed its units since the beginning, newest first.',
    needs: 'stock.count',
    params: Strict({ sku: Sku }),
    query: Strict({
      place: Type.Optional(Id),
      after: Type.Optional(described('Only movements before this one.', Page)),
      ...LangQuery,
    }),
    response: StockLedger,
  },
  correctStock: {
    route: 'POST stock/:place/:sku/correct',
    repeat: 'id',
    summary: 'Adds units or takes some away, for a reason.',
    needs: 'stock.adjust',
    params: item,
    body: Strict({
      key: Key,
      units: Type.Integer({ minimum: -mostUnits, maximum: mostUnits }),
      reason: Type.Enum(['received', 'found', 'damaged', 'lost', 'used', 'other']),
      costCents: Type.Optional(
        described(
          'What one of the units that were received cost, in cents; left out: what the SKU says.',
          UnitCost,
        ),
      ),
      note: Note,
    }),
    response: Done,
  },
  countStock: {
    route: 'POST stock/:place/:sku/count',
    repeat: 'id',
    summary:
      'Books the difference between what was expected when it was counted and what was found: sales since then stay.',
    needs: 'stock.count',
    params: item,
    body: Strict({
      key: Key,
      expected: described(
        'Negative where units are sold beyond stock.',
        Type.Integer({ minimum: -mostUnits, maximum: mostUnits }),
      ),
      found: Counted,
      note: Note,
    }),
    response: Done,
  },
  transferStock: {
    route: 'POST stock/:place/:sku/transfer',
    repeat: 'id',
    summary: 'Moves units to another place.',
    needs: 'stock.adjust',
    params: item,
    body: Strict({ key: Key, to: Id, units: Units, note: Note }),
    response: Done,
  },
  setLowStock: {
    route: 'POST stock/:place/:sku/low',
    repeat: 'same',
    summary: 'From how many units on a SKU is low at a place.',
    needs: 'stock.adjust',
    params: item,
    body: Strict({
      units: described(
        '-1: never; null: as everywhere.',
        Nullable(Type.Integer({ minimum: neverLow, maximum: mostUnits })),
      ),
    }),
    response: Done,
  },
  setUsualLowStock: {
    route: 'POST stock-low',
    repeat: 'same',
    summary:
      'From how many units on SKUs are low where nothing else is set. For whoever works in all stores.',
    needs: 'stock.adjust',
    body: Strict({ units: Counted }),
    response: Done,
  },
  stockTakes: {
    route: 'GET stock-takes/of/:place',
    summary: 'The stock-take of a place that is under way, and the latest ones.',
    needs: 'stock.count',
    params: place,
    response: Type.Object({ takes: Type.Array(StockTake) }),
  },
  startTake: {
    route: 'POST stock-takes/of/:place',
    repeat: 'id',
    summary: 'Starts a stock-take, or joins the one that is under way: a place has one at a time.',
    needs: 'stock.count',
    params: place,
    body: Strict({ key: Key }),
    response: StockTake,
  },
  stockTake: {
    route: 'GET stock-takes/:take',
    summary: 'A stock-take.',
    needs: 'stock.count',
    params: take,
    response: StockTake,
  },
  takeItems: {
    route: 'GET stock-takes/:take/items',
    summary: `The first ${itemsKept} SKUs with their bar codes, so that a device names them without a network.`,
    needs: 'stock.count',
    params: take,
    response: Type.Object({ items: Type.Array(Type.Object({ ...Item, gtin: Nullable(Type.String()) })) }),
  },
  sendCounts: {
    route: 'POST stock-takes/:take/counts',
    repeat: 'id',
    summary:
      'Takes what a device counted; each count once. Their times are those of the device, whose clock may be wrong.',
    needs: 'stock.count',
    params: take,
    body: Strict({
      now: described("The device's time.", EpochMs),
      counts: Type.Array(DeviceCount, { minItems: 1, maxItems: countsAtOnce }),
    }),
    response: Type.Object({
      found: described(
        'Of the codes that name one SKU: what all devices found of it.',
        Type.Array(Type.Object({ ...Item, code: Type.String(), found: Type.Integer() })),
      ),
      unknown: described('Codes that name no SKU, or several.', Type.Array(Type.String())),
    }),
  },
  takeLines: {
    route: 'GET stock-takes/:take/lines',
    summary: 'What was found of each SKU, and what was expected.',
    needs: 'stock.count',
    params: take,
    query: Strict({ after: Type.Optional(Page), ...LangQuery }),
    response: Type.Object({
      lines: described('By SKU.', Type.Array(TakeLine)),
      after: Nullable(Type.String()),
    }),
  },
  bookTake: {
    route: 'POST stock-takes/:take/book',
    repeat: 'seen',
    summary:
      'Books the differences, a part of them in each call, until the state is `booked`. Sales since the counts stay.',
    needs: 'stock.count',
    params: take,
    body: Strict({
      counts: described('Of the stock-take, as it was shown: with more of them, nothing is booked.', Count),
    }),
    response: StockTake,
  },
  endTake: {
    route: 'POST stock-takes/:take/end',
    repeat: 'same',
    summary: 'Ends a stock-take without booking anything.',
    needs: 'stock.count',
    params: take,
    response: Done,
  },
} as const satisfies Record<string, StaffEndpoint>;
