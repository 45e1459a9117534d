/**
 * Links by which a buyer follows an order on any device, without an account. Each email carries a random token of its own, of which
 * only the hash is stored (docs/decisions/0062-each-order-email-has-its-own-link.md).
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { pickupHorizonDays, slotErrors } from '#contract/rules/method.ts';
import type { Contact, Order, OrderByLink } from '#contract/schemas/order.ts';
import type { Database, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import { balanceOf } from '#server/modules/payments/index.ts';
import type { PickupService } from '#server/modules/stores/index.ts';
import { AppError, notFound, OperationError, validationError } from '#server/platform/errors.ts';
import {
  type Attempt,
  networkOf,
  type RateLimitsService,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { enqueueCustomerChange } from '../emails/order-emails.ts';
import type { Fulfilment } from '../fulfilment/fulfilment.ts';
import { reservedUntil } from '../order/deadlines.ts';
import { endedStates, isEnded, type OrderHead, slotOf, waitsForPickup } from '../order/order.ts';
import { frozenLinesOf } from '../order/order-lines.repository.ts';
import {
  changePickupTime,
  deleteOldOrderLinks,
  findOrderLink,
  insertOrderLink,
  insertReadingLink,
  type OrderLinkRow,
  revokeOrderLinks,
} from '../order/order-links.repository.ts';
import { type OrderSettings, slotUseOf } from '../order/order-settings.ts';
import { findOrder, updateOrder } from '../order/orders.repository.ts';
import type { OrdersService } from '../order/orders.service.ts';

export interface OrderLinksDeps {
  db: Database;
  now: () => number;
  rateLimits: RateLimitsService;
  stock: StockService;
  pickup: PickupService;
  mail: OutboxService;
  orders: Pick<OrdersService, 'settings' | 'customers'>;
  fulfilment: Pick<Fulfilment, 'find' | 'cancelIn'>;
}

/** A call by link: the token, and the address and language of the caller. */
export interface LinkCall {
  token: string;
  address: string;
  locale: Locale;
}

export type OrderLinksService = ReturnType<typeof createOrderLinks>;

/** The bytes of a token: 256 bits. */
const tokenBytes = 32;
/** How long a link works after its order has ended, ms. */
const linkLifeMs = 60 * dayMs;

export function createOrderLinks(deps: OrderLinksDeps) {
  const { db, now, fulfilment } = deps;

  return {
    /** Creates a link to an order. Returns its token, which is stored nowhere. */
    async create(orderId: string): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url');
      const row = {
        token_hash: hashOf(token),
        order_id: orderId,
        created_at: now(),
        revoked_at: null,
        reads_only: 0 as const,
      };
      await db.transaction((trx) => insertOrderLink(trx, row));
      return token;
    },

    ensureReading: ensureReadingLink.bind(null, deps),
    /**
     * The order of a link.
     * @throws {AppError} NOT_FOUND for an unknown token (404), or for one that has ended or was revoked (410); RATE_LIMITED
     */
    async view(call: LinkCall): Promise<OrderByLink> {
      const { orderId, order, readsOnly } = await readByLink(deps, call);
      return present(deps, orderId, order, readsOnly);
    },

    /**
     * Cancels a reservation that has not been paid. Called again it changes nothing.
     * @throws {AppError} as `view`; CONFLICT if it can no longer be cancelled
     */
    cancel: (call: LinkCall): Promise<OrderByLink> =>
      changeByLink(deps, call, (trx, order, settings) => cancelReservation(deps, trx, order, settings)),

    /**
     * Moves the pickup to another time of its store. Called again with the same time it changes nothing.
     * @throws {AppError} as `view`; CONFLICT if the order no longer allows it; REQUEST_VALIDATION_ERROR if the time is unavailable
     */
    changePickup: (call: LinkCall, at: number): Promise<OrderByLink> =>
      changeByLink(deps, call, (trx, order, settings) => movePickup(deps, trx, order, { at, settings })),

    /**
     * Revokes all links to the order of a link, as its buyer. Called again it changes nothing.
     * @throws {AppError} NOT_FOUND for an unknown token; RATE_LIMITED
     */
    async revoke(call: LinkCall): Promise<void> {
      const { order_id, revoked_at, reads_only } = await knownLink(deps, call);
      if (reads_only === 1) throw readsOnlyLink();
      if (revoked_at === null) await db.transaction((trx) => revokeOrderLinks(trx, order_id, now()));
    },

    /**
     * Revokes all links to an order, as the merchant. Returns how many were not revoked before.
     * @throws {OperationError} if there is no such order
     */
    async revokeOf({ trx, note }: Change, number: string): Promise<number> {
      const { id, number: known } = await fulfilment.find(number, trx);
      const revoked = await revokeOrderLinks(trx, id, now());
      note('order', known ?? '', revoked === 0 ? [] : [{ field: 'links', from: revoked, to: 0 }]);
      return revoked;
    },

    /** Deletes links that ended long ago. Until then they answer 410. */
    sweep: (): Promise<void> =>
      db.transaction((trx) => deleteOldOrderLinks(trx, endedStates, now() - 2 * linkLifeMs)),
  };
}

/** Makes a token that the caller derives itself work, however often it is asked: it shows the order and changes nothing. */
async function ensureReadingLink({ db, now }: OrderLinksDeps, orderId: string, token: string): Promise<void> {
  const row = {
    token_hash: hashOf(token),
    order_id: orderId,
    created_at: now(),
    revoked_at: null,
    reads_only: 1 as const,
  };
  if ((await findOrderLink(db.read, row.token_hash))?.reads_only !== 1)
    await db.transaction((trx) => insertReadingLink(trx, row));
}

/**
 * The row of a token. Every unknown token takes the same work, whatever its form, and counts against the caller's network.
 * @throws {AppError} NOT_FOUND for an unknown token; RATE_LIMITED
 */
async function knownLink(
  { db, rateLimits }: OrderLinksDeps,
  { token, address }: LinkCall,
): Promise<OrderLinkRow> {
  const network = networkOf(address);
  const guess: Attempt[] = [['unknownLinkAddress', network]];
  await rateLimits.count([['orderLinkAddress', network], ...guess]);
  const link = await findOrderLink(db.read, hashOf(token));
  if (!link) throw notFound('error.orderLinkUnknown');
  await db.transaction((trx) => rateLimits.undo(trx, guess));
  return link;
}

/**
 * The order of a link that works.
 * @throws {AppError} NOT_FOUND for an unknown token (404), or for one that has ended or was revoked (410); RATE_LIMITED
 */
async function readByLink(
  deps: OrderLinksDeps,
  call: LinkCall,
): Promise<{ orderId: string; order: Order; readsOnly: boolean }> {
  const { order_id: orderId, revoked_at, reads_only } = await knownLink(deps, call);
  const found = await deps.orders.customers.forMail(orderId, call.locale);
  if (revoked_at !== null || !found || hasLinkEnded(found.order, deps.now())) throw ended();
  return { orderId, order: found.order, readsOnly: reads_only === 1 };
}

/** The order as its link shows it, with what can be done about it. */
async function present(
  { db, orders }: OrderLinksDeps,
  orderId: string,
  order: Order,
  readsOnly = false,
): Promise<OrderByLink> {
  const [settings, head] = await Promise.all([orders.settings(), findOrder(db.read, orderId)]);
  if (!head) throw ended();
  return {
    ...maskedOrder(order),
    canCancel: !readsOnly && isReservation(head) && !order.paid,
    canChangePickup: !readsOnly && canChangePickup(head, settings),
  };
}

function ended(): AppError {
  return new AppError('NOT_FOUND', { errorKey: 'error.orderLinkEnded', status: 410 });
}

const readsOnlyLink = () => new AppError('FORBIDDEN', { errorKey: 'error.forbidden' });

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Runs a change in a transaction in which the link works, and returns the order after it. */
async function changeByLink(
  deps: OrderLinksDeps,
  call: LinkCall,
  run: (trx: Trx, order: OrderHead, settings: OrderSettings) => Promise<void>,
): Promise<OrderByLink> {
  const { db, orders } = deps;
  const { orderId, readsOnly } = await readByLink(deps, call);
  if (readsOnly) throw readsOnlyLink();
  const settings = await orders.settings();
  await db.transaction(async (trx) => {
    const link = await findOrderLink(trx, hashOf(call.token));
    const order = await findOrder(trx, orderId);
    if (!link || link.revoked_at !== null || !order) throw ended();
    await run(trx, order, settings);
  });
  const changed = await orders.customers.forMail(orderId, call.locale);
  if (!changed) throw ended();
  return present(deps, orderId, changed.order);
}

/** Cancels a reservation, unless it is cancelled already. @throws {AppError} CONFLICT if it can no longer be cancelled */
async function cancelReservation(
  { fulfilment, mail, now }: OrderLinksDeps,
  trx: Trx,
  order: OrderHead,
  settings: OrderSettings,
): Promise<void> {
  if (order.state === 'cancelled') return;
  if (!isReservation(order) || (await isPaidInPart(trx, order, now()))) throw changedMeanwhile();
  await fulfilment.cancelIn({ trx }, order.number ?? '', 'by the customer').catch((error: unknown) => {
    throw error instanceof OperationError ? changedMeanwhile() : error;
  });
  await enqueueCustomerChange(trx, mail, order, 'cancelled', settings);
}

/** Reserves the new time, releases the old one, and holds a reservation for as long after it as promised. */
async function movePickup(
  { pickup, stock, mail, now }: OrderLinksDeps,
  trx: Trx,
  order: OrderHead,
  { at, settings }: { at: number; settings: OrderSettings },
): Promise<void> {
  const slot = slotOf(order);
  const store = settings.stores.find(({ id }) => id === slot?.storeId);
  if (slot && slot.at === at) return;
  if (!slot || !store || !canChangePickup(order, settings)) throw changedMeanwhile();
  // First, so that nothing else of the order can change after this.
  const moved = await changePickupTime(trx, order, at, now());
  if (!moved) throw changedMeanwhile();
  // First of all, so that the order does not count against itself.
  await pickup.release(trx, slot.storeId, { orderId: order.id, at: slot.at });
  const use = slotUseOf(await frozenLinesOf(trx, order.id), store.id, settings);
  const errors =
    at > latestPickup(order)
      ? slotErrors('tooFar')
      : await pickup.reserve(trx, store, { orderId: order.id, at }, use);
  if (!isClean(errors)) throw validationError(errors);
  if (isReservation(moved) && moved.placedAt !== null && !(await isPaidInPart(trx, moved, now()))) {
    const reservationHours = moved.reservationHours ?? settings.reservationHours;
    await stock.holdUntil(
      trx,
      moved.id,
      reservedUntil(moved, moved.placedAt, { ...settings, reservationHours }),
    );
  }
  await enqueueCustomerChange(trx, mail, moved, 'moved', settings);
}

function changedMeanwhile(): AppError {
  return new AppError('CONFLICT', { errorKey: 'error.orderChanged' });
}

/**
 * Whether an order waits to be picked up and paid at its store. Only that may be cancelled: what is paid for, the merchant cancels
 * and refunds.
 */
function isReservation({ state, method, payAtStore }: OrderHead): boolean {
  return payAtStore && method === 'pickup' && (state === 'reserved' || state === 'ready');
}

/** Then the merchant decides about it, and it does not expire. Locks the order, since staff may be taking a payment. */
async function isPaidInPart(trx: Trx, { id }: OrderHead, at: number): Promise<boolean> {
  await updateOrder(trx, id, { updated_at: at });
  return (await balanceOf(trx, id)).paid > 0;
}

/** Whether another pickup time can be chosen: of an order with a time, until it is picked up, while its store offers times. */
function canChangePickup(order: OrderHead, { checkout, stores }: OrderSettings): boolean {
  const { state, method, pickupAt, storeId } = order;
  const store = stores.find(({ id }) => id === storeId);
  const offers = checkout.displayPickupTime && store?.display === true && store.allowPickup;
  return method === 'pickup' && pickupAt !== null && waitsForPickup.includes(state) && offers;
}

/**
 * The latest time (epoch ms) to which a pickup can be moved. A reservation holds its stock without having been paid, so the limit
 * counts from when it was placed, and moving it again and again does not prolong it for ever.
 */
function latestPickup(order: OrderHead): number {
  return isReservation(order) && order.placedAt !== null
    ? order.placedAt + pickupHorizonDays * dayMs
    : Number.POSITIVE_INFINITY;
}

/**
 * When an order ended (epoch ms): when it was picked up, delivered, cancelled or expired, or its last refund if that was later or
 * returned all of its money. Null while it has not ended.
 */
function endedAt({ state, timeline = [], refunds = [], bill, payment, placedAt }: Order): number | null {
  const refunded = bill.total > 0 && (payment?.refunded ?? 0) >= bill.total;
  if (!isEnded(state) && !refunded) return null;
  const lastRefund = Math.max(0, ...refunds.map(({ at }) => at));
  // Imported orders may have no history.
  const lastState = isEnded(state) ? (timeline.at(-1)?.at ?? placedAt ?? 0) : 0;
  return Math.max(lastState, lastRefund);
}

/** Whether the links to an order have ended. */
function hasLinkEnded(order: Order, now: number): boolean {
  const ended = endedAt(order);
  return ended !== null && now >= ended + linkLifeMs;
}

/** The order as its link shows it, without its actions. */
type MaskedOrder = Omit<OrderByLink, 'canCancel' | 'canChangePickup'>;

/** The buyer is reduced to initials, the address to its city. Emails carry the link, and emails are forwarded. */
function maskedOrder(order: Order): MaskedOrder {
  const {
    orderID: _id,
    customerComment: _note,
    orderContact,
    shippingContact,
    shippingAddress,
    billingAddress: _billing,
    ...shown
  } = order;
  const city = shippingAddress ? cityOf(shippingAddress.city) : '';
  const lineItems = shown.lineItems.map((line) => ({ ...line, note: '' }));
  return { ...shown, lineItems, recipient: { initials: initialsOf(shippingContact ?? orderContact), city } };
}

/** The first letters of a name, such as 'J. L.'; '' without one. */
function initialsOf(contact: Contact | null): string {
  const names = contact ? [contact.firstName, contact.lastName] : [];
  return names
    .flatMap((name) => /\p{L}/u.exec(name)?.[0] ?? [])
    .map((letter) => `${letter.toUpperCase()}.`)
    .join(' ');
}

/**
 * The city if it reads like one, else ''. Anyone can order to a stranger's email address, so what the buyer typed must not reach
 * the stranger as a message or a link (docs/decisions/0041-emails-repeat-no-text-to-unconfirmed-addresses.md).
 */
function cityOf(city: string): string {
  const text = city.trim();
  return /^\p{L}[\p{L}\p{M} '’-]{0,39}$/u.test(text) && text.split(/\s+/).length <= 4 ? text : '';
}
