/** The calls of the desk and the kitchen: open orders, moving them on, and back. */
import Type, { type Static } from 'typebox';
import { counterKinds, mostAtOnce, noStore, undoMs } from '../limits.ts';
import { described } from '../schemas/annotate.ts';
import { Cents, Count, EpochMs, Flag, Id, LangQuery, Nullable, Strict } from '../schemas/common.ts';
import { OrderStatus } from '../schemas/order.ts';
import type { StaffEndpoint } from './endpoint.ts';

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
  left: described('Units that are not sent yet; all of them if the order is not to be shipped.', Count),
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
  dueAt: described('The pickup time; null where none was chosen.', Nullable(EpochMs)),
  name: described("Whom it is for; '' at a table.", Type.String()),
  phone: Type.String(),
  comment: Type.String(),
  due: described('Cents that are still to be paid.', Cents),
  total: Cents,
  currency: Type.String(),
  next: described('The states to which it can be moved, the usual one first.', Type.Array(Type.Enum(moveTargets))),
  isPartlyShipped: Flag,
  lines: Type.Array(DeskLine),
});
export type DeskOrder = Static<typeof DeskOrder>;
export type DeskLine = Static<typeof DeskLine>;

const params = Strict({ number: OrderNumber });

const SeenOrders = Type.Array(Strict({ number: OrderNumber, version: Version }), { minItems: 1, maxItems: mostAtOnce });

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

export const MoveInput = Strict({
  to: Type.Enum(moveTargets),
  version: Version,
  paid: Type.Optional(described('How staff took what was due.', Type.Enum(counterKinds))),
});

export const deskEndpoints = {
  deskOrders: {
    route: 'GET desk/orders',
    summary: 'Open orders, oldest first, and those that left the desk in the last two hours; or single ones by number.',
    needs: 'orders.read',
    query: Strict({
      store: Type.Optional(described(`Of one store; ${noStore}: of none.`, Type.String({ maxLength: 200 }))),
      numbers: Type.Optional(described('Separated by commas, at most 50.', Type.String({ maxLength: 2000 }))),
      ...LangQuery,
    }),
    response: Type.Object({ at: EpochMs, orders: Type.Array(DeskOrder), more: described('Whether there are more.', Flag) }),
  },
  moveOrder: {
    route: 'POST desk/orders/:number/move',
    summary: `Moves an order on. Its email waits for ${undoMs / 1000} s. Repeated, it changes nothing.`,
    needs: 'orders.move',
    params,
    body: MoveInput,
    response: DeskOrder,
  },
  undoMove: {
    route: 'POST desk/orders/:number/undo',
    summary: `Undoes the last step of an order within ${undoMs / 1000} s, and its email is not sent.`,
    needs: 'orders.move',
    params,
    body: Strict({ version: Version }),
    response: DeskOrder,
  },
  moveOrders: {
    route: 'POST desk/orders/move',
    summary: 'Moves several orders on, each by itself.',
    needs: 'orders.move',
    body: Strict({ orders: SeenOrders, ...Type.Omit(MoveInput, ['version']).properties }),
    response: Outcomes,
  },
  undoMoves: {
    route: 'POST desk/orders/undo',
    summary: `Undoes the last steps of several orders within ${undoMs / 1000} s, each by itself.`,
    needs: 'orders.move',
    body: Strict({ orders: SeenOrders }),
    response: Outcomes,
  },
  takeBackMove: {
    route: 'POST desk/orders/:number/take-back',
    summary:
      'Takes the last step of an order back later, with a reason. What was sold and taken for it at the counter is undone.',
    needs: 'orders.move',
    params,
    body: Strict({ version: Version, reason: Type.String({ minLength: 1, maxLength: 300 }) }),
    response: DeskOrder,
  },
  tickLine: {
    route: 'POST desk/orders/:number/tick',
    summary: 'Ticks a line as made, or takes the tick back.',
    needs: 'orders.move',
    params,
    body: Strict({ line: Id, ticked: Flag }),
    response: DeskOrder,
  },
} as const satisfies Record<string, StaffEndpoint>;
