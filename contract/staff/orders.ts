/** The calls of the orders room, and what they carry. */
import Type, { type Static } from 'typebox';
import { checkoutMethods } from '../limits.ts';
import { described } from '../schemas/annotate.ts';
import { Cents, Count, EpochMs, Flag, Id, LangQuery, Nullable, Strict } from '../schemas/common.ts';
import { Order, OrderStatus, orderStates } from '../schemas/order.ts';
import { counterKinds } from '../schemas/order-payment.ts';
import { lang, type StaffEndpoint } from './endpoint.ts';
import { JournalEntry } from './schemas.ts';

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

/** Orders on a page of the list. */
export const ordersPage = 50;

/** What the list can be narrowed to: open orders, or one state; left out for all. */
export const orderFilters = ['open', ...orderStates.slice(2)] as const;
export const openStates = ['placed', 'reserved', 'ready', 'shipped'] as const;

export const OrderQuery = Strict({
  text: Type.Optional(
    described(
      'Beginnings of a number, name, email, SKU or note, the end of a phone number, or a table as #12.',
      Type.String({ maxLength: 200 }),
    ),
  ),
  state: Type.Optional(Type.Enum(orderFilters)),
  store: Type.Optional(Id),
  method: Type.Optional(Type.Enum(checkoutMethods)),
  owes: Type.Optional(described('Only orders that are open and not paid in full.', Type.Literal('yes'))),
  from: Type.Optional(described('The first day, YYYY-MM-DD, in the time zone of the shop.', Day)),
  to: Type.Optional(described('The last day.', Day)),
  after: Type.Optional(described('The number of the last order of the page before.', Type.String({ maxLength: 40 }))),
  ...LangQuery,
});
export type OrderQuery = Static<typeof OrderQuery>;

export const OrderRow = Type.Object({
  number: Type.String(),
  state: OrderStatus,
  method: Nullable(Type.Enum(checkoutMethods)),
  store: Nullable(Id),
  table: Nullable(Type.String()),
  pickupAt: Nullable(EpochMs),
  placedAt: EpochMs,
  timeZone: Type.String(),
  name: described("The buyer's; '' if there is none.", Type.String()),
  units: Count,
  total: Cents,
  due: Cents,
  currency: Type.String(),
});
export type OrderRow = Static<typeof OrderRow>;

const Payment = Type.Object({
  id: Id,
  provider: Type.String(),
  kind: described('How staff took it; null for an online payment.', Nullable(Type.Enum(counterKinds))),
  state: Type.Enum(['pending', 'succeeded', 'failed', 'lapsed', 'refundDue', 'refunded']),
  problem: described('Why it failed; null if it did not.', Nullable(Type.String())),
  amount: Cents,
  tip: described('The part of the amount that is a tip.', Cents),
  refunded: Cents,
  at: EpochMs,
  providerId: described("The provider's own id; the shop's reference if there is none.", Type.String()),
  url: described("Its page, or the list of payments, in the provider's dashboard.", Nullable(Type.String())),
});

const Refund = Type.Object({
  id: Type.String(),
  payment: Id,
  amount: Cents,
  tip: Cents,
  state: Type.Enum(['due', 'done', 'refused']),
  corrects: Flag,
  reason: Type.String(),
  at: EpochMs,
});

const Dispute = Type.Object({
  id: Type.String(),
  amount: Cents,
  state: Type.String(),
  reason: Nullable(Type.String()),
  at: EpochMs,
  respondBy: Nullable(EpochMs),
});

/** Something that happened to an order. */
const Event = Type.Object({
  id: Type.String(),
  at: EpochMs,
  what: Type.Union([
    Type.Object({ kind: Type.Literal('state'), state: OrderStatus, reason: Type.String() }),
    Type.Object({
      kind: Type.Literal('action'),
      action: Type.String(),
      ...Type.Pick(JournalEntry, ['by', 'actor', 'fields']).properties,
    }),
  ]),
});

export const OrderSheet = Type.Object({
  order: Order,
  payments: Type.Array(Payment),
  refunds: Type.Array(Refund),
  disputes: Type.Array(Dispute),
  events: described('Oldest first.', Type.Array(Event)),
});
export type OrderSheet = Static<typeof OrderSheet>;

const number = Strict({ number: Type.String({ minLength: 1, maxLength: 40 }) });

export const orderEndpoints = {
  orders: {
    route: 'GET orders',
    summary: 'Placed orders, newest first.',
    needs: 'orders.read',
    query: OrderQuery,
    response: Type.Object({
      orders: Type.Array(OrderRow),
      after: described('The number of the last order, if there are more.', Nullable(Type.String())),
    }),
  },
  order: {
    route: 'GET orders/:number',
    summary: 'One order with its money and all that happened.',
    needs: 'orders.read',
    params: number,
    query: lang,
    response: OrderSheet,
  },
} as const satisfies Record<string, StaffEndpoint>;
