/** The calls of the desk and the kitchen: open orders, moving them on, and back, and how devices hear of what is new. */
import Type, { type Static } from 'typebox';
import { checkoutMethods, counterKinds, mostAtOnce, noStore, undoMs } from '../limits.ts';
import {
  Cents,
  Count,
  described,
  EpochMs,
  Flag,
  Id,
  LangQuery,
  Nullable,
  Strict,
} from '../schemas/common.ts';
import { OrderStatus, Promised } from '../schemas/order.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { cashDue } from './orders.ts';

export const moveTargets = ['ready', 'shipped', 'completed'] as const;
export type MoveTarget = (typeof moveTargets)[number];

const OrderNumber = Type.String({ maxLength: 40 });
const Version = described('Of the order as it was seen.', Type.Integer({ minimum: 0 }));

export const DeskLine = Type.Object({
  id: Id,
  quantity: Count,
  name: described("The product's name with its options.", Type.String()),
  modifiers: Type.String(),
  note: Type.String(),
  ticked: Flag,
  left: described('Units that are neither sent nor refunded; all of them once the order has left.', Count),
  changed: described('Whether it was added or changed since the order entered its state.', Flag),
});

export const DeskOrder = Type.Object({
  number: Type.String(),
  version: Version,
  state: OrderStatus,
  since: described('When it entered its state.', EpochMs),
  method: Nullable(Type.Enum(['pickup', 'shipping', 'instore'])),
  store: described(`The id of its store, or ${noStore}.`, Type.String()),
  table: described("'' for none.", Type.String()),
  partySize: Nullable(Type.Integer()),
  placedAt: EpochMs,
  dueAt: described(
    'The pickup time, or when it was promised at the door; null where neither was.',
    Nullable(EpochMs),
  ),
  delivery: described('Null unless it is sent.', Nullable(Promised)),
  name: described("Whom it is for; '' at a table.", Type.String()),
  phone: Type.String(),
  address: described('Where it is sent, line by line; empty for others.', Type.Array(Type.String())),
  comment: Type.String(),
  due: described('Cents that are still to be paid.', Cents),
  cashDue,
  total: Cents,
  currency: Type.String(),
  next: described(
    'The states to which it can be moved, the usual one first.',
    Type.Array(Type.Enum(moveTargets)),
  ),
  isPartlyShipped: Flag,
  mayTakeBack: described('False if its last step took money that the caller may not undo.', Flag),
  lines: Type.Array(DeskLine),
});
export type DeskOrder = Static<typeof DeskOrder>;
export type DeskLine = Static<typeof DeskLine>;

/** What keeps a printer from printing. */
export const printerTroubles = ['noPaper', 'away'] as const;

const Unprinted = Type.Object({
  printer: Type.String(),
  trouble: Type.Enum(printerTroubles),
  numbers: described('Of the orders whose tickets wait for it, oldest first.', Type.Array(Type.String())),
});
export type Unprinted = Static<typeof Unprinted>;

const params = Strict({ number: OrderNumber });

const SeenOrders = Type.Array(Strict({ number: OrderNumber, version: Version }), {
  minItems: 1,
  maxItems: mostAtOnce,
});

/** Each order by itself: what is not possible for one changes nothing for the others. */
const Outcomes = Type.Object({
  outcomes: Type.Array(
    Type.Object({
      number: Type.String(),
      version: Version,
      moved: described('False if it was there already, or not possible.', Flag),
      problem: described("Why nothing changed, in the caller's language; '' if it did.", Type.String()),
    }),
  ),
});
export type Outcome = Static<typeof Outcomes>['outcomes'][number];

const MoveInput = Strict({
  to: Type.Enum(moveTargets),
  version: Version,
  paid: Type.Optional(described('How staff took what was due.', Type.Enum(counterKinds))),
});

export const FeedHint = Type.Object({
  topic: described('A kind of the journal; `*`: everything.', Type.String()),
  subject: described('The number of an order, or another id; empty for many.', Type.String()),
  store: Nullable(Type.String()),
});
export type FeedHint = Static<typeof FeedHint>;

const Key = Type.String({ pattern: '^[\\w-]+$', minLength: 16, maxLength: 120 });

/** Money that others took, or on another day, is undone by those who may refund it. */
const also = ['orders.refund'] as const;
const step = { needs: 'orders.move', also, params, response: DeskOrder } as const;

export const deskEndpoints = {
  deskOrders: {
    route: 'GET desk/orders',
    summary:
      'Open orders and those that left the desk in the last two hours, oldest first; or single ones by number.',
    needs: 'orders.read',
    also,
    query: Strict({
      store: Type.Optional(described(`Of one store; ${noStore}: of none.`, Type.String({ maxLength: 200 }))),
      numbers: Type.Optional(described('Separated by commas, at most 50.', Type.String({ maxLength: 2000 }))),
      ...LangQuery,
    }),
    response: Type.Object({
      at: EpochMs,
      orders: Type.Array(DeskOrder),
      hidden: described(
        'Open orders that are not among these, because there are too many of their delivery method: the oldest.',
        Type.Array(Type.Object({ method: Type.Enum(checkoutMethods), count: Count })),
      ),
      unprinted: described(
        'Printers that were tried in vain, with what they are to print.',
        Type.Array(Unprinted),
      ),
    }),
  },
  moveOrder: {
    route: 'POST desk/orders/:number/move',
    repeat: 'key',
    summary: `Moves an order on. Its email waits for ${undoMs / 1000} s. Repeated, it changes nothing.`,
    ...step,
    body: MoveInput,
  },
  undoMove: {
    route: 'POST desk/orders/:number/undo',
    repeat: 'key',
    summary: `Undoes the last step of an order within ${undoMs / 1000} s, and its email is not sent.`,
    ...step,
    body: Strict({ version: Version }),
  },
  moveOrders: {
    route: 'POST desk/orders/move',
    repeat: 'key',
    summary: 'Moves several orders on, each by itself.',
    needs: 'orders.move',
    body: Strict({ orders: SeenOrders, ...Type.Omit(MoveInput, ['version']).properties }),
    response: Outcomes,
  },
  undoMoves: {
    route: 'POST desk/orders/undo',
    repeat: 'key',
    summary: `Undoes the last steps of several orders within ${undoMs / 1000} s, each by itself.`,
    needs: 'orders.move',
    also,
    body: Strict({ orders: SeenOrders }),
    response: Outcomes,
  },
  takeBackMove: {
    route: 'POST desk/orders/:number/take-back',
    repeat: 'key',
    summary:
      'Takes the last step of an order back later, with a reason. What was sold and taken for it at the counter is undone.',
    ...step,
    body: Strict({ version: Version, reason: Type.String({ minLength: 1, maxLength: 300 }) }),
  },
  tickLine: {
    route: 'POST desk/orders/:number/tick',
    repeat: 'key',
    summary: 'Ticks a line as made, or takes the tick back.',
    ...step,
    body: Strict({ line: Id, ticked: Flag }),
  },
  feed: {
    tool: false,
    route: 'GET feed',
    summary:
      'What changed, as hints to look again: as Server-Sent Events if the caller accepts them, else since a time.',
    needs: 'anybody',
    station: 'too',
    keys: 'too',
    query: Strict({ since: Type.Optional(EpochMs), ...LangQuery }),
    response: Type.Object({ at: EpochMs, hints: Type.Array(FeedHint) }),
  },
  push: {
    tool: false,
    route: 'GET push',
    summary: 'The public key by which a device subscribes to notices of new orders.',
    needs: 'orders.read',
    response: Type.Object({
      key: described('Base64url; null where the shop sends no notices.', Nullable(Type.String())),
    }),
  },
  startPush: {
    route: 'POST push',
    repeat: 'same',
    summary: 'Notifies this device of new orders, for as long as it is signed in.',
    needs: 'orders.read',
    keys: 'never',
    body: Strict({
      endpoint: described(
        'The address that the browser gave.',
        Type.String({ pattern: '^https?://', maxLength: 1000 }),
      ),
      p256dh: Key,
      auth: Key,
    }),
    response: Done,
  },
  stopPush: {
    route: 'POST push/stop',
    repeat: 'same',
    summary: 'Notifies this device no more.',
    needs: 'orders.read',
    keys: 'never',
    response: Done,
  },
} as const satisfies Record<string, StaffEndpoint>;
