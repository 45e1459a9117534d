/** Placed orders as the office shows them, to people of all stores or of some. */

import type { FastifyInstance } from 'fastify';
import { cashDueOf } from '#contract/cash-rounding.ts';
import { undoMs } from '#contract/limits.ts';
import { inLocale, type Locale, offeredOr } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import { isEmail } from '#contract/rules/email-and-phone.ts';
import { cashBackOf } from '#contract/rules/refund-parts.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { openStates } from '#contract/schemas/order.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { mailProblem } from '#contract/staff/mail-problems.ts';
import type { OrderItem } from '#contract/staff/order-changes.ts';
import {
  type OrderMailKind,
  type OrderQuery,
  type OrderRow,
  type OrderSheet,
  ordersPage,
} from '#contract/staff/orders.ts';
import type { Database, Reader } from '#db/database.ts';
import { addNote, notesOf } from '#db/notes.ts';
import { serveStaff, spanOf } from '#server/http/staff-endpoint.ts';
import type { CatalogueService, SearchService } from '#server/modules/catalogue/index.ts';
import type { Change, ChangesService, JournalEntry } from '#server/modules/changes/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import {
  emailsOfOrder,
  type OutboxService,
  redirectEmails,
  writtenToFile,
} from '#server/modules/notifications/index.ts';
import {
  dashboardUrl,
  disputesOf,
  disputeUrl,
  leftToRefund,
  type Payment,
  type PaymentKeys,
  paymentsOf,
  refundsOf,
} from '#server/modules/payments/index.ts';
import { keyOf } from '#server/platform/actors.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import { notFound, OperationError, validationError } from '#server/platform/errors.ts';
import { translateAny } from '#server/platform/i18n.ts';
import type { Permit } from '#server/platform/permits.ts';
import { requireRoomForNote } from '#server/platform/staff-notes.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import { shipmentReference } from '../emails/order-emails.ts';
import { cancellableOf } from '../fulfilment/cancelling.ts';
import type { Fulfilment } from '../fulfilment/fulfilment.ts';
import { isTakenWith, mayUndoBy, takeBackShipment, unsentOf } from '../fulfilment/shipping.ts';
import { coversOf, refundableOf } from '../order/bill-parts.ts';
import { statesOf } from '../order/customer-orders.repository.ts';
import { promisedOf } from '../order/delivery.ts';
import { isShownTo, type OrderHead } from '../order/order.ts';
import { frozenLinesOf, productOfSku } from '../order/order-lines.repository.ts';
import { revokeOrderLinks } from '../order/order-links.repository.ts';
import { cashStepOf } from '../order/order-money.ts';
import {
  isPartlyShipped,
  isRefunded,
  orderPage,
  sumsOf,
  writeOrderWords,
} from '../order/order-pages.repository.ts';
import { findOrderByNumber, updateOrder } from '../order/orders.repository.ts';
import type { OrdersService } from '../order/orders.service.ts';

interface OfficeOrdersDeps {
  db: Database;
  connections: ConnectionsService<PaymentKeys>;
  now: () => number;
  changes: ChangesService;
  staff: { names(): Promise<ReadonlyMap<string, string>> };
  orders: Pick<OrdersService, 'settings'>;
  fulfilment: Pick<Fulfilment, 'ship' | 'show'>;
  deliveries: DeliveryQueue;
  stock: StockService;
}

export type OfficeOrders = ReturnType<typeof createOfficeOrders>;

export function createOfficeOrders(deps: OfficeOrdersDeps) {
  const { db, orders } = deps;

  /** @throws {OperationError} if there is no such order, or it is none of the permit's stores */
  async function reach(permit: Permit, number: string, reader: Reader = db.read): Promise<OrderHead> {
    const order = await findOrderByNumber(reader, number.trim().toUpperCase());
    if (!order || order.placedAt === null || !permit.reaches(order.storeId) || !isShownTo(permit, order))
      throw new OperationError('error.order.unknown', { number });
    return order;
  }

  return {
    reach,

    async page(
      permit: Permit<'orders.read'>,
      query: OrderQuery,
    ): Promise<{ orders: OrderRow[]; after: string | null }> {
      const settings = await orders.settings();
      const { timeZone, stores, removedStores } = settings;
      const zoneOf = (id: string | null) =>
        [...stores, ...removedStores].find((store) => store.id === id)?.timeZone ?? timeZone;
      const { store, after } = query;
      const last = after === undefined ? null : await reach(permit, after);
      const { orders: found, next } = await orderPage(
        db.read,
        {
          ...narrowed(query, zoneOf(store ?? null), permit),
          stores:
            store === undefined
              ? permit.stores
                ? [...permit.stores]
                : undefined
              : permit.reaches(store)
                ? [store]
                : [],
        },
        last && { ...last, placedAt: last.placedAt ?? 0 },
        ordersPage,
      );
      const ids = found.map(({ id }) => id);
      const sums = await sumsOf(db.read, ids);
      return {
        orders: found.map((order) => ({
          ...rowOf(order),
          delivery: promisedOf(order, settings),
          timeZone: zoneOf(order.storeId),
          due: sums.get(order.id)?.due ?? 0,
          cashDue: cashDueOf(sums.get(order.id)?.due ?? 0, cashStepOf(order, stores)),
          units: sums.get(order.id)?.units ?? 0,
          isPartlyShipped: isPartlyShipped(order, sums.get(order.id)),
          isRefunded: isRefunded(order, sums.get(order.id)),
        })),
        after: next?.number ?? null,
      };
    },

    /** @throws {OperationError} as `reach`; {AppError} as `requireRoomForNote` */
    async note(change: Change, permit: Permit<'orders.note'>, number: string, text: string): Promise<void> {
      const order = await reach(permit, number, change.trx);
      await requireRoomForNote(change.trx, 'order', order.id);
      await addNote(change.trx, 'order', order.id, {
        text: text.trim(),
        at: deps.now(),
        actor: change.actor,
      });
      change.note('order', order.number ?? '', [{ field: 'staffNote' }]);
    },

    ...createParcels(deps, reach),

    sheet: async (permit: Permit<'orders.read'>, number: string, locale: Locale): Promise<OrderSheet> =>
      sheetOf(deps, permit, await reach(permit, number), locale),
  };
}

function createParcels(
  deps: OfficeOrdersDeps,
  reach: (permit: Permit, number: string, reader?: Reader) => Promise<OrderHead>,
) {
  const { now, deliveries, orders, fulfilment } = deps;
  return {
    /** Sends lines of an order. Its email waits as long as this can be undone. */
    async ship(
      change: Change,
      permit: Permit<'orders.move'>,
      number: string,
      { paid, ...request }: StaffBody<'shipOrder'>,
    ) {
      const order = await reach(permit, number, change.trx);
      const { shipment = '' } = await fulfilment.ship(change, order.number ?? '', request, paid);
      await deliveries.postpone(change.trx, [shipmentReference(shipment)], now() + undoMs);
      return { shipment };
    },

    /** The reason is kept as a note for the staff. */
    async takeBackShipment(
      change: Change,
      permit: Permit,
      number: string,
      shipment: { id: string; reason: string },
    ) {
      const { trx, actor } = change;
      const { id } = await reach(permit, number, trx);
      const order = await updateOrder(trx, id, { updated_at: now() });
      if (!order) throw notFound();
      const mayUndo = mayUndoBy(permit, order, await orders.settings(), now());
      await takeBackShipment(deps, change, order, { ...shipment, mayUndo });
      if (shipment.reason) await addNote(trx, 'order', id, { text: shipment.reason, at: now(), actor });
    },
  };
}

async function sheetOf(
  deps: OfficeOrdersDeps,
  permit: Permit<'orders.read'>,
  head: OrderHead,
  locale: Locale,
): Promise<OrderSheet> {
  const { db, connections, orders, fulfilment } = deps;
  const { id, number } = head;
  const [
    order,
    payments,
    refunds,
    disputes,
    events,
    lines,
    notes,
    mails,
    unsent,
    cancellable,
    sums,
    refundable,
  ] = await Promise.all([
    fulfilment.show(number ?? '', locale),
    paymentsOf(db.read, id),
    refundsOf(db.read, id),
    disputesOf(db.read, id),
    eventsOf(deps, id, number ?? ''),
    frozenLinesOf(db.read, id),
    notesOf(db.read, 'order', id),
    mailsOf(db.read, head),
    unsentOf(db.read, [head]),
    cancellableOf(db.read, head),
    sumsOf(db.read, [id]),
    leftToRefund(db.read, id),
  ]);
  const left = (of: (payment: Payment) => number) =>
    payments.reduce((sum, each) => sum + (each.state === 'succeeded' ? of(each) : 0), 0);
  const t = translateAny(locale);
  const settings = await orders.settings();
  const keys = (await connections.current()).payments;
  const mayUndo = mayUndoBy(permit, head, settings, deps.now());
  const cashStep = cashStepOf(head, settings.stores);
  const kindOf = new Map(payments.map((payment) => [payment.id, payment.kind]));
  const keeps = ({ at }: { at: number }) =>
    payments.some((payment) => isTakenWith(payment, at) && !mayUndo(payment));
  return {
    order,
    delivery: promisedOf(head, settings),
    customer: head.customerId,
    cashDue: cashDueOf(order.due ?? 0, cashStep),
    payments: payments.map(({ createdAt, failure, providerId, reference, ...payment }) => ({
      ...payment,
      problem: failure && t(failure.errorKey),
      at: createdAt,
      providerId: providerId ?? reference,
      url: providerId && dashboardUrl(keys, payment.provider, providerId),
    })),
    refunds: refunds.map(({ paymentId, createdAt, ...refund }) => ({
      ...refund,
      payment: paymentId,
      at: createdAt,
      cash: cashBackOf(refund.amount, kindOf.get(paymentId) ?? null, cashStep),
    })),
    disputes: disputes.map(({ paymentId, ...dispute }) => {
      const provider = payments.find(({ id: payment }) => payment === paymentId)?.provider ?? '';
      return { ...dispute, url: disputeUrl(keys, provider, dispute.id) };
    }),
    refundable: {
      // As a refund counts it: what the buyer sees of the bill does not say which line has how much of its discount and taxes.
      ...refundableOf(head.bill ?? order.bill, lines, refunds.flatMap(coversOf)),
      tip: left(({ tip, refundedTip }) => tip - refundedTip),
      most: left(({ amount, refunded }) => amount - refunded),
      refunded: left(({ refunded }) => refunded),
      payments: refundable.map(({ payment: _, ...payment }) => payment),
      cashStep,
    },
    version: head.version,
    isRefunded: isRefunded(head, sums.get(id)),
    cancellable,
    unsent: unsent.get(id) ?? [],
    keptShipments: (order.shipments ?? []).filter(keeps).map((shipment) => shipment.id),
    notes,
    mails,
    events,
  };
}

function narrowed(
  { state, method, customer, owes, text = '', ...span }: OrderQuery,
  timeZone: string,
  permit: Permit,
) {
  const asked = state === undefined ? undefined : state === 'open' ? openStates : [state];
  return {
    states: permit.isUnattended ? openStates.filter((each) => asked?.includes(each) ?? true) : asked,
    method,
    customer,
    owes: owes !== undefined,
    text: text.trim() === '' ? undefined : text,
    ...spanOf(span, timeZone),
  };
}

function rowOf({
  number,
  version,
  state,
  method,
  storeId,
  tableNumber,
  pickupAt,
  placedAt,
  contact,
  bill,
  currency,
}: OrderHead) {
  return {
    number: number ?? '',
    version,
    state,
    method,
    store: storeId,
    table: tableNumber,
    pickupAt,
    placedAt: placedAt ?? 0,
    name: [contact?.firstName, contact?.lastName].filter(Boolean).join(' '),
    total: bill?.total ?? 0,
    currency,
  };
}

/** More would be a mistake of a program. */
const mostEntries = 200;

/** States by themselves, everything else by the journal. */
async function eventsOf(
  { db, changes, staff }: OfficeOrdersDeps,
  id: string,
  number: string,
): Promise<OrderSheet['events']> {
  const [states, entries, names] = await Promise.all([
    statesOf(db.read, id),
    changes.journal({ kind: 'order', id: number, most: mostEntries }),
    staff.names(),
  ]);
  const byOf = ({ actor }: JournalEntry) => (actor.kind === 'staff' ? (names.get(actor.id) ?? '') : '');
  const happened: OrderSheet['events'] = [
    ...states
      .filter(({ state }) => state !== 'cart' && state !== 'paying')
      .map(({ at, state, reason }) => ({
        id: `${state}-${at}`,
        at,
        what: { kind: 'state' as const, state, reason },
      })),
    ...entries.reverse().map((entry) => ({
      id: String(entry.no),
      at: entry.at,
      what: {
        kind: 'action' as const,
        action: entry.action,
        actor: entry.actor.kind,
        by: byOf(entry),
        key: keyOf(entry.actor),
        fields: entry.fields,
      },
    })),
  ];
  return happened.sort((a, b) => a.at - b.at);
}

interface OfficeOrdersRoutes extends OrderItemsDeps, OrderMailsDeps {
  changes: ChangesService;
  fulfilment: Pick<Fulfilment, 'acceptDisputes' | 'take'>;
  office: OfficeOrders;
}

export function registerOfficeOrders(app: FastifyInstance, deps: OfficeOrdersRoutes): void {
  const { changes, fulfilment, office } = deps;
  serveStaff(app, 'orders', ({ permit, query }) => office.page(permit, query));
  serveStaff(app, 'order', ({ permit, params, lang }) => office.sheet(permit, params.number, lang));
  serveStaff(app, 'noteOrder', ({ permit, params, body }) =>
    changes.run(permit.actor, 'orders note', (change) =>
      office.note(change, permit, params.number, body.text),
    ),
  );
  serveStaff(app, 'findOrderItems', async ({ permit, params, query, lang }) => {
    await office.reach(permit, params.number);
    return { items: await findOrderItems(deps, query.text ?? '', lang) };
  });
  serveStaff(app, 'sendMailAgain', async ({ permit, params }) => {
    const order = await office.reach(permit, params.number);
    await changes.run(permit.actor, 'orders send-again', (change) =>
      sendAgain(deps, change, order, params.mail),
    );
  });
  serveStaff(app, 'correctEmail', async ({ permit, params, body }) => {
    const order = await office.reach(permit, params.number);
    await changes.run(permit.actor, 'orders email', (change) =>
      correctEmail(deps, change, order, body.email),
    );
  });
  serveStaff(app, 'shipOrder', ({ permit, params, body }) =>
    changes.run(permit.actor, 'orders shipped', (change) => office.ship(change, permit, params.number, body)),
  );
  serveStaff(app, 'takeBackShipment', ({ permit, params: { number, id }, body }) =>
    changes.run(permit.actor, 'orders take-back', (change) =>
      office.takeBackShipment(change, permit, number, { id, reason: body.reason.trim() }),
    ),
  );
  serveStaff(app, 'acceptDisputes', async ({ permit, params }) => {
    const { number } = await office.reach(permit, params.number);
    await changes.run(permit.actor, 'orders accept-dispute', (change) =>
      fulfilment.acceptDisputes(change, number ?? ''),
    );
  });
  serveStaff(app, 'takeMoney', async ({ permit, params, body }) => {
    const { number } = await office.reach(permit, params.number);
    return changes.run(permit.actor, 'orders paid', (change) =>
      fulfilment.take(change, number ?? '', body.kind, body.amount, body),
    );
  });
}

interface OrderItemsDeps {
  db: Database;
  catalogue: Pick<CatalogueService, 'named'>;
  search: Pick<SearchService, 'suggest'>;
}

/** The product of a SKU, then those whose name has the words. */
async function findOrderItems({ db, catalogue, search }: OrderItemsDeps, text: string, locale: Locale) {
  const wanted = text.trim();
  if (wanted === '') return [];
  const [bySku, { products }] = await Promise.all([
    productOfSku(db.read, wanted),
    search.suggest(wanted, locale),
  ]);
  const ids = [...new Set([...(bySku === null ? [] : [bySku]), ...products.map(({ id }) => id)])];
  // All at once: one by one, each would read what they share.
  const found = new Map((await catalogue.named(ids, locale)).map((product) => [product.id, product]));
  return ids.flatMap((id) => {
    const product = found.get(id);
    return product ? viewItem(product, locale) : [];
  });
}

function viewItem(
  { productName, skus, specification, modifierGroups = [] }: Product,
  locale: Locale,
): OrderItem {
  const textOf = (optionPairs: string) => {
    const pairs = parseOptionPairs(optionPairs);
    const values = specification.options.map(({ name, values: offered }) => {
      const chosen = pairs?.get(name) ?? '';
      const value = offered.find((each) => each.value === chosen);
      return value ? inLocale(value.valueContent, locale) : chosen;
    });
    return values.filter(Boolean).join(' · ');
  };
  return {
    name: productName,
    skus: skus.map(({ sku, optionPairs, priceInfo }) => ({
      sku,
      optionPairs,
      text: textOf(optionPairs),
      price: priceInfo.price,
    })),
    groups: modifierGroups,
  };
}

/** Emails about one order within a day, after which none is sent again. */
const mostADay = 20;

interface OrderMailsDeps {
  now: () => number;
  mail: OutboxService;
}

/** Staff see an address that is not the order's present one only in part. */
const masked = (email: string) => email.replace(/^(.).*@/, '$1…@');

async function mailsOf(reader: Reader, { id, contact }: OrderHead): Promise<OrderSheet['mails']> {
  return (await emailsOfOrder(reader, id)).map(
    ({ id: mailId, kind, recipient, state, answer, createdAt, attemptedAt }) => ({
      id: mailId,
      // Other kinds are about no order.
      kind: kind as OrderMailKind,
      to: recipient === contact?.email ? recipient : masked(recipient),
      state: answer === writtenToFile ? 'file' : state,
      problem: state === 'delivered' || answer === null ? null : { kind: mailProblem(answer), answer },
      at: (state === 'delivered' ? attemptedAt : null) ?? createdAt,
    }),
  );
}

/**
 * Sends an email of an order once more, as it reads now, to the order's present address; one to the staff to its own.
 * @throws {AppError} NOT_FOUND if there is no such email @throws {OperationError} if it was just sent again, or too many were sent
 */
async function sendAgain(
  { now, mail }: OrderMailsDeps,
  { trx, note }: Change,
  { id, number, contact }: OrderHead,
  mailId: string,
): Promise<void> {
  const sent = await emailsOfOrder(trx, id);
  const email = sent.find((each) => each.id === mailId);
  if (!email) throw notFound();
  const recipient = email.kind === 'newOrder' ? email.recipient : contact?.email;
  if (!recipient) throw new OperationError('error.order.noEmail', { number: number ?? '' });
  if (sent.filter(({ createdAt }) => createdAt > now() - dayMs).length >= mostADay)
    throw new OperationError('error.order.mailsMany', { number: number ?? '', count: mostADay });
  // The reference is the same for two people who press at once.
  const reference = `again:${id}:${email.kind}:${Math.floor(now() / minuteMs)}`;
  const again = {
    kind: email.kind as OrderMailKind,
    recipient,
    locale: offeredOr(email.language),
    data: JSON.parse(email.body),
    reference,
  };
  if ((await mail.enqueue(trx, again)) === 0) throw new OperationError('error.order.mailAgain');
  note('order', number ?? '', [{ field: 'sentAgain', to: email.kind }]);
}

/**
 * Corrects the address of an order's contact. Emails that wait go there, and links that went to the old address end.
 * @throws {AppError} if it is no address @throws {OperationError} if the order has no contact, such as after its erasure
 */
async function correctEmail(
  { now }: Pick<OrderMailsDeps, 'now'>,
  { trx, note }: Change,
  order: OrderHead,
  text: string,
) {
  const email = text.trim();
  const number = order.number ?? '';
  if (!isEmail(email)) throw validationError({ email: 'rule.emailInvalid' });
  // Locks the order, so that its contact is the present one.
  const locked = await updateOrder(trx, order.id, { updated_at: now() });
  const contact = locked?.contact;
  if (!contact) throw new OperationError('error.order.noContact', { number });
  if (contact.email === email) return note('order', number, []);
  const corrected = await updateOrder(trx, order.id, { contact: JSON.stringify({ ...contact, email }) });
  if (corrected) await writeOrderWords(trx, corrected);
  await redirectEmails(trx, order.id, contact.email, email);
  await revokeOrderLinks(trx, order.id, now());
  // The journal keeps that it changed, and no address.
  note('order', number, [{ field: 'contact.email', from: contact.email, to: email }]);
}
