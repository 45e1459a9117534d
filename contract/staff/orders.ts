/** The calls of the orders room, and what they carry; what pick lists and packing slips are printed from. */
import Type, { type Static } from 'typebox';
import { carrierKeys } from '../carriers.ts';
import { checkoutMethods, counterKinds, mostAtOnce, undoMs } from '../limits.ts';
import { localeCodes } from '../locales.ts';
import {
  CalendarDay,
  Cents,
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
import { Bill, Order, OrderStatus, orderStates, Promised } from '../schemas/order.ts';
import { Done, type StaffEndpoint } from './endpoint.ts';
import { mailProblems } from './mail-problems.ts';
import { JournalEntry, Note, NoteInput } from './schemas.ts';

export const ordersPage = 50;

/** What the list can be narrowed to: open orders, or one state; left out for all. */
export const orderFilters = ['open', ...orderStates.slice(2)] as const;

/** What a saved view keeps: no search text, which names customers. */
const filters = {
  state: Type.Optional(Type.Enum(orderFilters)),
  store: Type.Optional(Id),
  method: Type.Optional(Type.Enum(checkoutMethods)),
  owes: Type.Optional(
    described('Only orders of which something is due, also those that are completed.', Type.Literal('yes')),
  ),
  from: Type.Optional(described('The first day, YYYY-MM-DD, in the time zone of the shop.', CalendarDay)),
  to: Type.Optional(described('The last day.', CalendarDay)),
};

export const OrderQuery = Strict({
  text: Type.Optional(
    described(
      'Beginnings of a number, name, email, SKU or note, the end of a phone number, or a table as #12.',
      Type.String({ maxLength: 200 }),
    ),
  ),
  ...filters,
  customer: Type.Optional(described('Only orders of this account.', Id)),
  after: Type.Optional(
    described('The number of the last order of the page before.', Type.String({ maxLength: 40 })),
  ),
  ...LangQuery,
});
export type OrderQuery = Static<typeof OrderQuery>;

export const OrderFilters = Strict(filters);
export type OrderFilters = Static<typeof OrderFilters>;

const OrderView = Type.Object({
  id: Id,
  name: Type.String(),
  filters: OrderFilters,
  shared: described('With everybody who sees orders; else it is only of the caller.', Flag),
});
export type OrderView = Static<typeof OrderView>;
const OrderViews = Type.Object({ views: described('By name, own ones first.', Type.Array(OrderView)) });

const isRefunded = described(
  'Whether it is open, and all that was paid went back before anything was sent.',
  Flag,
);

export const cashDue = described(
  'What is handed over for `due` in cash: another amount where the currency has no smaller coin.',
  Cents,
);

export const OrderRow = Type.Object({
  number: Type.String(),
  version: Count,
  state: OrderStatus,
  method: Nullable(Type.Enum(checkoutMethods)),
  store: Nullable(Id),
  table: Nullable(Type.String()),
  pickupAt: Nullable(EpochMs),
  delivery: described('Null unless it is sent.', Nullable(Promised)),
  placedAt: EpochMs,
  timeZone: Type.String(),
  name: described("The buyer's; '' if there is none.", Type.String()),
  units: Count,
  total: Cents,
  due: Cents,
  cashDue,
  currency: Type.String(),
  isPartlyShipped: Flag,
  isRefunded,
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
  rounding: described(
    'Cents by which cash differed from the amount, where the currency has no smaller coin.',
    Type.Integer(),
  ),
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
  state: described(
    '`held`: it waits until a dispute is decided.',
    Type.Enum(['due', 'held', 'done', 'refused']),
  ),
  corrects: Flag,
  reason: Type.String(),
  at: EpochMs,
  cash: described('What was handed over in cash; null if it went back in another way.', Nullable(Cents)),
});

const RefusedRefund = Type.Object({
  id: Id,
  order: described(
    'The number of its order; null if that was never placed, such as of money that came too late.',
    Nullable(Type.String()),
  ),
  payment: Id,
  provider: Type.String(),
  amount: Cents,
  currency: Type.String(),
  why: described('What the provider said; null for nothing.', Nullable(Type.String())),
  at: EpochMs,
});
export type RefusedRefund = Static<typeof RefusedRefund>;

const LineUnits = Strict({ line: Id, quantity: Type.Integer({ minimum: 1, maximum: 10_000 }) });

/** What can still be refunded of the bill. Cents, with tax. */
const Refundable = Type.Object({
  lines: Type.Array(
    Type.Object({ line: Id, amounts: described('Of one unit more, of two, …', Type.Array(Cents)) }),
  ),
  shipping: Cents,
  serviceCharge: Cents,
  tip: Cents,
  most: described('What is left of the payments, tips included.', Cents),
  refunded: described('What has been refunded, or is set aside for it.', Cents),
  payments: described(
    'Where it is taken from: the first ones give first, goods before tips.',
    Type.Array(
      Type.Object({
        provider: Type.String(),
        kind: described('How staff took it; null for an online payment.', Nullable(Type.Enum(counterKinds))),
        reference: Type.String(),
        goods: described('What is left of it, without its tip.', Type.Integer({ unit: 'cents' })),
        tip: described('What is left of its tip.', Type.Integer({ unit: 'cents' })),
        disputed: described('The part of both that a bank disputes, or has taken.', Cents),
      }),
    ),
  ),
  cashStep: described(
    'What cash is a multiple of: each payment’s part by itself goes back in such coins.',
    Cents,
  ),
});

const RefundInput = Strict({
  lines: Type.Array(
    Strict({
      ...LineUnits.properties,
      unsent: Type.Optional(
        described(
          'How many of them are not sent any more; left out for as many as are still to be sent.',
          Type.Integer({ minimum: 0, maximum: 10_000 }),
        ),
      ),
    }),
    { maxItems: 500 },
  ),
  shipping: Flag,
  serviceCharge: Flag,
  tip: Cents,
  amount: described('All of it, as it was shown: another one is refused.', Cents),
  refunded: described('What had been refunded before, as it was shown: another one is refused.', Cents),
  restock: described('Whether the items go back to where they were sold from.', Flag),
  reason: described('For the records of the shop.', Type.String({ maxLength: 300 })),
  note: described("For the buyer, in the email; '' for nothing.", Type.String({ maxLength: 1000 })),
});

/** What is cancelled of an order. Cents. */
const Cancellable = Type.Object({
  what: described(
    'All of it, or, once a part is shipped, what is still to be sent.',
    Type.Enum(['order', 'rest']),
  ),
  most: described('What can be refunded then.', Cents),
});

const CancelInput = Strict({
  reason: described(
    'For the records of the shop.',
    Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', problem: 'problem.empty' }),
  ),
  note: described("For the buyer, in the email; '' for nothing.", Type.String({ maxLength: 1000 })),
  restock: described('Whether the items go back on sale.', Flag),
  mail: described('Whether the buyer is told.', Flag),
  version: described('Of the order as it was seen.', Count),
  most: described('What could be refunded, as it was seen: another amount is refused.', Cents),
});

const Cancelled = Type.Object({
  given: described('False while the provider has not sent all that is refunded.', Flag),
});

const ShipInput = Strict({
  lines: described(
    'Left out for all that are left.',
    Type.Optional(Type.Array(LineUnits, { minItems: 1, maxItems: 500 })),
  ),
  carrier: Type.Optional(Type.Enum(carrierKeys)),
  tracking: described("A number or a link; '' for none.", Type.String({ maxLength: 500 })),
  seen: described('How many shipments there were: a repeated request sends nothing twice.', Count),
  paid: Type.Optional(described('How staff took what was due.', Type.Enum(counterKinds))),
});

/** Emails about orders, by what they tell. */
export const orderMailKinds = [
  'orderConfirmation',
  'orderReady',
  'orderShipped',
  'orderCancelled',
  'orderChanged',
  'paymentUncollected',
  'paymentReceived',
  'pickupClosed',
  'pickupMoved',
  'reservationLapsed',
  'refund',
  'refundFailed',
  'newOrder',
  'changedByCustomer',
] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];

const Mail = Type.Object({
  id: Id,
  kind: Type.Enum(orderMailKinds),
  to: described("Masked unless it is the order's present address.", Type.String()),
  state: described(
    '`file`: nobody gets it.',
    Type.Enum(['waiting', 'sending', 'delivered', 'failed', 'file']),
  ),
  problem: described(
    'Why the last attempt failed, and what the mail server answered; null if it did not.',
    Nullable(Type.Object({ kind: Type.Enum([...mailProblems]), answer: Type.String() })),
  ),
  at: described('When it was delivered to the mail server, or else queued.', EpochMs),
});

const Dispute = Type.Object({
  id: Type.String(),
  amount: Cents,
  state: Type.Enum(['open', 'won', 'lost']),
  reason: Nullable(Type.String()),
  at: EpochMs,
  respondBy: Nullable(EpochMs),
  url: described('Where it is answered.', Nullable(Type.String())),
  accepted: described('Whether staff said that the order is handed over all the same.', Flag),
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
      ...Type.Pick(JournalEntry, ['by', 'actor', 'key', 'fields']).properties,
    }),
  ]),
});

export const OrderSheet = Type.Object({
  order: Order,
  delivery: described('Null unless it is sent.', Nullable(Promised)),
  customer: described('The account; null for a guest.', Nullable(Id)),
  cashDue,
  payments: Type.Array(Payment),
  refunds: Type.Array(Refund),
  disputes: Type.Array(Dispute),
  refundable: Refundable,
  version: described('Of the order: calls that name another one are refused.', Count),
  isRefunded,
  cancellable: described('Null once it has left the shop, or is over.', Nullable(Cancellable)),
  unsent: described(
    'Units that are still to be sent or handed over, of an order that waits for that.',
    Type.Array(LineUnits),
  ),
  keptShipments: described('Those with which money was taken that the caller may not undo.', Type.Array(Id)),
  notes: described('Of the staff, oldest first.', Type.Array(Note)),
  mails: described('Of the last 30 days, newest first.', Type.Array(Mail)),
  events: described('Oldest first.', Type.Array(Event)),
});
export type OrderSheet = Static<typeof OrderSheet>;

export const number = Strict({ number: Type.String({ minLength: 1, maxLength: 40 }) });

const PaperLine = Type.Object({
  id: Id,
  sku: Sku,
  quantity: described('What is left to hand over or to send; of an order that has left, what was.', Count),
  sent: described('Units that were sent before, of an order that was sent in part.', Count),
  nameContent: LocalText,
  optionContent: described('The chosen options; null for none.', Nullable(LocalText)),
  modifierContent: described('The chosen modifiers; null for none.', Nullable(LocalText)),
  note: Type.String(),
  amount: described('Cents before tax and discount.', Cents),
});

export const Paper = Type.Object({
  number: Type.String(),
  language: described("The order's, in which its slip is written.", Type.Enum(localeCodes)),
  method: Nullable(Type.Enum(checkoutMethods)),
  store: described('The store that hands it over or sends it; null: the warehouse.', Nullable(Id)),
  table: Nullable(Type.String()),
  pickupAt: Nullable(EpochMs),
  delivery: described('Null unless it is sent.', Nullable(Promised)),
  placedAt: EpochMs,
  timeZone: Type.String(),
  name: described("Who receives it; '' if nobody is named.", Type.String()),
  phone: Type.String(),
  address: described('Its lines; empty unless it is sent.', Type.Array(Type.String())),
  comment: Type.String(),
  isWaiting: described('Whether it is still to be handed over or sent, and so to be picked.', Flag),
  lines: Type.Array(PaperLine),
  bill: Bill,
});
export type Paper = Static<typeof Paper>;
export type PaperLine = Static<typeof PaperLine>;

export const moves = { needs: 'orders.move', params: number } as const;

/** Of whatever amount: for people. */
const settlesRefund = {
  needs: 'orders.refund',
  fresh: true,
  keys: 'never',
  params: Strict({ id: Id }),
} as const;

const views = { needs: 'orders.read', response: OrderViews } as const;

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
  orderViews: {
    route: 'GET orders/views',
    summary: 'Saved views of the list: own ones and those that are shared.',
    ...views,
  },
  saveOrderView: {
    route: 'POST orders/views',
    repeat: 'same',
    summary: 'Saves filters of the list by a name; an own view of this name is replaced.',
    ...views,
    body: Strict({
      name: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S', problem: 'problem.empty' }),
      filters: OrderFilters,
    }),
  },
  shareOrderView: {
    route: 'POST orders/views/:id/share',
    repeat: 'same',
    summary: "Shares an own view with everybody who sees orders, or makes a shared one the caller's.",
    needs: 'orders.share',
    params: Strict({ id: Id }),
    body: Strict({ shared: Flag }),
    response: OrderViews,
  },
  removeOrderView: {
    route: 'POST orders/views/:id/remove',
    repeat: 'used',
    summary: 'Removes an own view.',
    ...views,
    params: Strict({ id: Id }),
  },
  order: {
    route: 'GET orders/:number',
    summary: 'One order with its money and all that happened.',
    needs: 'orders.read',
    also: ['orders.refund'],
    params: number,
    response: OrderSheet,
  },
  items: {
    route: 'GET items',
    summary: 'SKUs that a text names, by which orders are found.',
    needs: 'orders.read',
    query: Strict({ text: Type.Optional(Type.String({ maxLength: 200 })), ...LangQuery }),
    response: Type.Object({
      items: Type.Array(
        Type.Object({
          sku: Type.String(),
          name: Type.String(),
          detail: described('SKU and options.', Type.String()),
        }),
      ),
    }),
  },
  noteOrder: {
    route: 'POST orders/:number/notes',
    repeat: 'key',
    summary: 'Writes a note about an order for the staff.',
    needs: 'orders.note',
    params: number,
    body: NoteInput,
    response: Done,
  },
  sendMailAgain: {
    route: 'POST orders/:number/mails/:mail',
    repeat: 'key',
    summary: "Sends an email of an order once more, as it reads now, to the order's present address.",
    needs: 'orders.move',
    params: Strict({ ...number.properties, mail: Id }),
    response: Done,
  },
  acceptDisputes: {
    route: 'POST orders/:number/disputes/accept',
    repeat: 'same',
    summary: 'Says that an order is handed over although it is disputed. Repeated, it changes nothing.',
    ...moves,
    response: Done,
  },
  correctEmail: {
    route: 'POST orders/:number/email',
    repeat: 'same',
    summary: "Corrects the email address of an order's contact. Links that went to the old address end.",
    ...moves,
    body: Strict({ email: Type.String({ minLength: 1, maxLength: 254 }) }),
    response: Done,
  },
  takeMoney: {
    route: 'POST orders/:number/payments',
    repeat: 'key',
    summary: 'Records money that was taken at the till: all that is due, or a part.',
    ...moves,
    body: Strict({
      kind: Type.Enum(counterKinds),
      amount: Type.Optional(Type.Integer({ unit: 'cents', minimum: 1, maximum: 1_000_000_000 })),
      due: described('Cents that were due, as it was shown: otherwise it is refused.', Cents),
    }),
    response: Type.Object({ taken: Cents, due: Cents }),
  },
  shipOrder: {
    route: 'POST orders/:number/shipments',
    repeat: 'key',
    summary: `Sends lines of an order, with an email of their own that waits for ${undoMs / 1000} s.`,
    ...moves,
    body: ShipInput,
    response: Type.Object({ shipment: Id }),
  },
  takeBackShipment: {
    route: 'POST orders/:number/shipments/:id/take-back',
    repeat: 'key',
    summary: `Takes a shipment back: within ${undoMs / 1000} s, or later with a reason.`,
    needs: 'orders.move',
    also: ['orders.refund'],
    params: Strict({ ...number.properties, id: Id }),
    body: Strict({ reason: Type.String({ maxLength: 300 }) }),
    response: Done,
  },
  refundOrder: {
    route: 'POST orders/:number/refunds',
    repeat: 'key',
    summary: 'Refunds units of lines, shipping, the service charge or the tip, with their tax.',
    needs: 'orders.refund',
    fresh: true,
    params: number,
    body: RefundInput,
    response: Type.Object({ given: described('False while the provider has not sent all of it.', Flag) }),
  },
  refusedRefunds: {
    route: 'GET refunds/refused',
    summary:
      'Refunds that a provider refused, or that failed later, and whose money the shop still has, oldest first.',
    needs: 'orders.refund',
    response: Type.Object({ refunds: Type.Array(RefusedRefund) }),
  },
  retryRefund: {
    route: 'POST refunds/:id/retry',
    repeat: 'key',
    summary: 'Asks the provider again for such a refund.',
    ...settlesRefund,
    response: Type.Object({ given: described('False while the provider has not sent it.', Flag) }),
  },
  settleRefund: {
    route: 'POST refunds/:id/settle',
    repeat: 'key',
    summary: 'Records that the money of such a refund went back in another way. No email is sent.',
    ...settlesRefund,
    response: Done,
  },
  cancelOrder: {
    route: 'POST orders/:number/cancel',
    repeat: 'key',
    summary:
      'Cancels an order, or what is not shipped of it, if nothing was paid. Repeated, it changes nothing.',
    ...moves,
    body: CancelInput,
    response: Cancelled,
  },
  cancelOrderBack: {
    route: 'POST orders/:number/cancel/refund',
    repeat: 'key',
    summary: 'The same of an order that was paid: all of it, a part or nothing is refunded.',
    needs: 'orders.refund',
    fresh: true,
    params: number,
    body: Strict({ ...CancelInput.properties, refund: Cents }),
    response: Cancelled,
  },
  papers: {
    route: 'GET orders/papers',
    summary:
      'What pick lists and packing slips are printed from, oldest order first. Orders that are not there are left out.',
    needs: 'orders.read',
    query: Strict({
      numbers: Type.Optional(
        described(
          `Order numbers, separated by commas, at most ${mostAtOnce}.`,
          Type.String({ maxLength: mostAtOnce * 41 }),
        ),
      ),
      ...LangQuery,
    }),
    response: Type.Object({
      shopContent: described("The shop's name.", LocalText),
      papers: Type.Array(Paper),
      over: described(
        'Numbers of those of which nothing is to be handed over: cancelled or refunded.',
        Type.Array(Type.String()),
      ),
    }),
  },
} as const satisfies Record<string, StaffEndpoint>;
