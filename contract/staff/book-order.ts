/** The call of the money of one order, for people who see the books and no customers: nothing in its answer says who the buyer is. */
import Type, { type Static } from 'typebox';
import { counterKinds } from '../limits.ts';
import { described, EpochMs, Flag, Id, LangQuery, LocalText, Nullable, Strict } from '../schemas/common.ts';
import { OrderStatus, TaxLine } from '../schemas/order.ts';
import { treatments } from '../tax-treatments.ts';
import { accounts, bookEvents } from './accounts-of-books.ts';
import { EntryFields } from './books.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { number, OrderSheet } from './orders.ts';
import { SettlementRow } from './settlements.ts';

const Amount = Type.Integer({ unit: 'cents' });

/** What of a bill is taxed alike. */
const Part = Type.Object({
  of: Type.Enum(['line', 'shipping', 'serviceCharge']),
  line: described('Its id. Parts of a line that are taxed in other ways follow each other.', Nullable(Id)),
  sku: Nullable(Type.String()),
  nameContent: described('Of the line.', Nullable(LocalText)),
  detailContent: described('Its options and modifiers; null for none.', Nullable(LocalText)),
  units: described(
    'Of the line, sold on one day: with the first of its parts of that day, 0 with the others.',
    Type.Integer(),
  ),
  discount: described('Already off `base`.', Amount),
  base: described('Before taxes.', Amount),
  taxClass: Type.String(),
  treatment: Type.Enum([...treatments]),
  taxes: Type.Array(TaxLine),
});

const Payment = Type.Object({
  ...Type.Pick(OrderSheet.properties.payments.items, [
    ...([
      'id',
      'provider',
      'state',
      'amount',
      'tip',
      'rounding',
      'refunded',
      'at',
      'providerId',
      'url',
    ] as const),
  ]).properties,
  kind: Nullable(Type.Enum(counterKinds)),
});

const Entry = Type.Object({
  account: Type.Enum(accounts),
  ...EntryFields,
  sku: Nullable(Type.String()),
  amount: described('Above zero a debit, below a credit: the entries of an event sum to zero.', Amount),
  base: Amount,
  units: Type.Integer(),
});

const Event = Type.Object({
  id: Type.String(),
  at: EpochMs,
  bookedAt: EpochMs,
  kind: Type.Enum(bookEvents),
  person: described('Who did it, of the staff; empty for the shop itself.', Type.String()),
  isRebuilt: Flag,
  entries: Type.Array(Entry),
});

export const BookOrder = Type.Object({
  number: Type.String(),
  state: OrderStatus,
  store: Nullable(Id),
  currency: described('ISO 4217.', Type.String()),
  placedAt: EpochMs,
  isImported: described('Of another shop, before this one: it is in that shop’s books.', Flag),
  parts: described('Of the bill; empty if it cannot be read.', Type.Array(Part)),
  bill: Nullable(
    Type.Object({
      subtotal: described('The lines before discounts and taxes.', Amount),
      discount: Amount,
      shipping: Amount,
      serviceCharge: Amount,
      taxLines: Type.Array(TaxLine),
      tip: Amount,
      total: Amount,
    }),
  ),
  owed: described('What the books say that the buyer owes; below zero: is owed to the buyer.', Amount),
  payments: Type.Array(Payment),
  refunds: Type.Array(Type.Omit(OrderSheet.properties.refunds.items, ['reason'])),
  disputes: Type.Array(
    Type.Pick(OrderSheet.properties.disputes.items, ['id', 'amount', 'state', 'at', 'respondBy', 'url']),
  ),
  settlements: described('What payment providers say of it, oldest first.', Type.Array(SettlementRow)),
  events: described('All that is booked of it, oldest first.', Type.Array(Event)),
  names: described(
    'Of the places and people in the entries, in the language asked for.',
    Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  ),
});
export type BookOrder = Static<typeof BookOrder>;

export const bookOrderEndpoints = {
  bookOrder: {
    route: 'GET books/orders/:number',
    summary: 'The money of one order: its bill, payments, refunds and entries, without the buyer.',
    needs: 'books.read',
    params: number,
    query: Strict(LangQuery),
    response: BookOrder,
  },
} as const satisfies Record<string, StaffEndpoint>;
