/**
 * The money of one order, as bookkeepers see it: what it was billed, paid and refunded, what providers and the books say of it. Nothing
 * that a buyer is, wrote or was told is in it, nor what staff wrote of them: reasons and notes are other people's words about people.
 */
import { inEvery, inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { cashBackOf } from '#contract/rules/refund-parts.ts';
import { bookEvents } from '#contract/staff/accounts-of-books.ts';
import type { BookOrder } from '#contract/staff/book-order.ts';
import type { Database } from '#db/database.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import {
  cashStepOf,
  findOrderByNumber,
  frozenLinesOf,
  isArchived,
  modifierTextOf,
  type OrderHead,
  type OrderLine,
  taxedOf,
} from '#server/modules/orders/index.ts';
import {
  dashboardUrl,
  disputesOf,
  disputeUrl,
  type PaymentKeys,
  paymentsOf,
  refundsOf,
} from '#server/modules/payments/index.ts';
import { settlementsOfPayments } from '#server/modules/settlements/index.ts';
import { storesIn } from '#server/modules/stores/index.ts';
import { actorIn } from '#server/platform/actors.ts';
import { OperationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { placeName } from '#server/platform/provinces.ts';
import { entriesOfOrder, type OrderEntryRow } from './book-order.repository.ts';

export interface BookOrderDeps {
  db: Database;
  connections: ConnectionsService<PaymentKeys>;
  staff: { names(): Promise<ReadonlyMap<string, string>> };
}

export type BookOrders = ReturnType<typeof createBookOrders>;

export function createBookOrders({ db, connections, staff }: BookOrderDeps) {
  return {
    /** @throws {OperationError} if there is no such order, or it is none of the permit's stores */
    async of(permit: Permit<'books.read'>, number: string, locale: Locale): Promise<BookOrder> {
      const order = await findOrderByNumber(db.read, number.trim().toUpperCase());
      if (!order || order.placedAt === null || !permit.reaches(order.storeId))
        throw new OperationError('error.order.unknown', { number });
      const { id } = order;
      const [lines, payments, refunds, disputes, entries, names] = await Promise.all([
        frozenLinesOf(db.read, id),
        paymentsOf(db.read, id),
        refundsOf(db.read, id),
        disputesOf(db.read, id),
        entriesOfOrder(db.read, id),
        staff.names(),
      ]);
      const settlements = await settlementsOfPayments(
        db.read,
        payments.map((payment) => payment.id),
      );
      const keys = (await connections.current()).payments;
      const providerOf = new Map(payments.map(({ id: payment, provider }) => [payment, provider]));
      const kindOf = new Map(payments.map((payment) => [payment.id, payment.kind]));
      const step = cashStepOf(order, await storesIn(db.read));
      return {
        number: order.number ?? '',
        state: order.state,
        store: order.storeId,
        currency: order.currency,
        placedAt: order.placedAt,
        isImported: isArchived(order),
        ...billOf(order, lines, entries),
        owed: entries.reduce(
          (sum, { account, amount_cents }) => (account === 'receivable' ? sum + amount_cents : sum),
          0,
        ),
        payments: payments.map(({ providerId, reference, createdAt, ...payment }) => ({
          id: payment.id,
          provider: payment.provider,
          kind: payment.kind,
          state: payment.state,
          amount: payment.amount,
          tip: payment.tip,
          rounding: payment.rounding,
          refunded: payment.refunded,
          at: createdAt,
          providerId: providerId ?? reference,
          url: providerId && dashboardUrl(keys, payment.provider, providerId),
        })),
        refunds: refunds.map(({ id: refund, paymentId, amount, tip, state, corrects, createdAt }) => ({
          id: refund,
          payment: paymentId,
          amount,
          tip,
          state,
          corrects,
          at: createdAt,
          cash: cashBackOf(amount, kindOf.get(paymentId) ?? null, step),
        })),
        disputes: disputes.map(({ id: dispute, paymentId, amount, state, at, respondBy }) => ({
          id: dispute,
          amount,
          state,
          at,
          respondBy,
          url: disputeUrl(keys, providerOf.get(paymentId) ?? '', dispute),
        })),
        settlements: settlements.map(({ about, ...row }) => ({
          provider: row.provider,
          id: row.id,
          kind: row.kind,
          type: row.type,
          state: row.state,
          at: row.at,
          availableAt: row.availableAt,
          currency: row.currency,
          gross: row.gross,
          fee: row.fee,
          net: row.net,
          payout: row.payout,
          order: order.number,
          payment: row.paymentId,
          refund: row.refundId,
          dispute: row.disputeId,
          url:
            about.dashboard === ''
              ? null
              : dashboardUrl(keys, row.provider, about.dashboard, about.dashboard),
        })),
        events: eventsOf(entries),
        names: namesIn(entries, names, locale),
      };
    },
  };
}

function billOf(
  order: OrderHead,
  lines: readonly OrderLine[],
  entries: readonly OrderEntryRow[],
): Pick<BookOrder, 'parts' | 'bill'> {
  const { bill } = order;
  if (!bill) return { parts: [], bill: null };
  const { subtotal, discount, shipping, serviceCharge, taxLines, tip, total } = bill;
  // Old bills do not say it, but the books do.
  const place = entries.find((entry) => entry.place !== '')?.place;
  const byId = new Map(lines.map((line) => [line.id, line]));
  // Bills from before said the units of a line with each of its parts.
  const counted = new Set<string>();
  const isFirst = (line: string | null, day: string) => {
    const key = `${line} ${day}`;
    const isNew = !counted.has(key);
    counted.add(key);
    return isNew;
  };
  return {
    bill: { subtotal, discount, shipping, serviceCharge: serviceCharge?.amount ?? 0, taxLines, tip, total },
    parts: taxedOf(bill, lines, place === undefined ? {} : { place }).map(({ line: id, ...part }) => {
      const line = byId.get(id ?? '');
      return {
        of: part.of,
        line: id,
        sku: line?.sku ?? null,
        nameContent: line?.name ?? null,
        detailContent: line ? detailOf(line) : null,
        units: isFirst(id, part.day) ? part.quantity : 0,
        discount: part.discount,
        base: part.base,
        taxClass: part.taxClass,
        treatment: part.treatment,
        taxes: part.taxes.map(({ label, amount }) => ({ label, amount })),
      };
    }),
  };
}

/** What of a line was chosen; not its note, which is the buyer's. */
function detailOf({ optionText, modifiers }: OrderLine): LocalText | null {
  const detail = inEvery((locale) =>
    [inLocale(optionText, locale), modifierTextOf(modifiers, locale)].filter(Boolean).join(' · '),
  );
  return Object.values(detail).some(Boolean) ? detail : null;
}

function eventsOf(entries: readonly OrderEntryRow[]): BookOrder['events'] {
  // Of what happened at once, a sale is before its payment.
  const sorted = [...entries].sort(
    (a, b) =>
      a.booked_at - b.booked_at || a.at - b.at || bookEvents.indexOf(a.kind) - bookEvents.indexOf(b.kind),
  );
  return [...Map.groupBy(sorted, ({ event_id }) => event_id)].flatMap(([id, own]) => {
    // Of a tip, the entry says who took it.
    const first = own.find(({ account }) => account !== 'money') ?? own[0];
    if (!first) return [];
    return {
      id,
      at: first.at,
      bookedAt: first.booked_at,
      kind: first.kind,
      person: first.actor ?? '',
      isRebuilt: first.rebuilt === 1,
      entries: own.map((entry) => ({
        account: entry.account,
        part: entry.part,
        place: entry.place,
        taxClass: entry.taxClass,
        treatment: entry.treatment,
        tax: entry.tax,
        rate: entry.rate,
        way: entry.way,
        sku: entry.sku,
        amount: entry.amount_cents,
        base: entry.base_cents,
        units: entry.units,
      })),
    };
  });
}

function namesIn(
  entries: readonly OrderEntryRow[],
  staff: ReadonlyMap<string, string>,
  locale: Locale,
): BookOrder['names'] {
  const places = [...new Set(entries.map(({ place }) => place))].filter(Boolean);
  const actors = [...new Set(entries.flatMap(({ actor }) => actor ?? []))];
  return [
    ...places.map((id) => ({ id, name: placeName(id, locale) })),
    ...actors.flatMap((id) => {
      const actor = actorIn(id);
      const name = actor.kind === 'staff' ? staff.get(actor.id) : undefined;
      return name === undefined ? [] : [{ id, name }];
    }),
  ];
}
