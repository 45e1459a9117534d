/**
 * Manages coupons and their uses. A use is reserved in the transaction in which an order leaves the cart, under a lock of the
 * coupon's row, so that parallel payments cannot exceed a limit. It becomes final when the order is placed and is released when
 * the payment fails or expires.
 */
import { createHash } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { isClean } from '#contract/rules/fields.ts';
import { couponErrors } from '#contract/rules/payment.ts';
import type { CouponInput } from '#contract/schemas/coupon.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type CatalogueService, productNames } from '#server/modules/catalogue/index.ts';
import { type Change, noteDocument } from '#server/modules/changes/index.ts';
import { PaymentInProgress } from '#server/modules/payments/index.ts';
import {
  type Coupon,
  type CouponBuyer,
  type CouponStatus,
  codeKeyOf,
  couponStatus,
  limitState,
} from '#server/modules/pricing/index.ts';
import { AppError, InputError, validationError } from '#server/platform/errors.ts';
import {
  type Attempt,
  networkOf,
  type RateLimitsService,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf, mailboxKeyOf } from '#server/platform/text.ts';
import { type CartDeps, changeCart, requireEditable } from '../cart/open-cart.ts';
import { couponMessage, destinationOf, evaluatedCoupon } from '../order/billing.ts';
import type { OrderHead } from '../order/order.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { type CouponItems, couponProblems } from './coupon-problems.ts';
import {
  allCoupons,
  type CouponCount,
  confirmUse,
  countOwnUses,
  deleteCoupon,
  deleteUse,
  findCoupon,
  findUse,
  insertCoupon,
  insertUse,
  lockCoupon,
  lockCoupons,
  putCoupon,
  type StoredCoupon,
} from './coupons.repository.ts';

/** A product or category that a coupon is for. */
export interface CouponItem {
  kind: 'product' | 'category';
  id: string;
}

/** The fields that a coupon's limits count by. */
type CouponOrder = Pick<OrderHead, 'id' | 'customerId' | 'contact' | 'method'>;

export type CouponsService = ReturnType<typeof createCouponsService>;

interface CouponsDeps {
  db: Database;
  now: () => number;
  catalogue: Pick<CatalogueService, 'names'>;
}

export function createCouponsService({ db, now, catalogue }: CouponsDeps) {
  async function evaluate(
    reader: Reader,
    code: string,
    found: StoredCoupon | null,
    order: CouponOrder,
  ): Promise<CouponStatus> {
    if (!found) return { code, coupon: null, state: 'unknown' };
    const buyer = buyerOf(order);
    const state = couponStatus(found.coupon, await usesOf(reader, found, order, buyer), buyer, now());
    return { code: found.coupon.code, coupon: found.coupon, state };
  }

  return {
    /** The status of a code for a cart now. */
    async status(reader: Reader, code: string, order: CouponOrder): Promise<CouponStatus> {
      return evaluate(reader, code, await findCoupon(reader, codeKeyOf(code)), order);
    },

    /** Like `status`, with the coupon locked until the transaction ends. Null for an order without a code. */
    async lockedStatus(
      trx: Trx,
      order: CouponOrder & { couponCode: string | null },
    ): Promise<CouponStatus | null> {
      if (order.couponCode === null) return null;
      return evaluate(trx, order.couponCode, await lockCoupon(trx, codeKeyOf(order.couponCode)), order);
    },

    /** The coupon that a placed order has used, as it was agreed: its dates and limits no longer matter. Null if it used none. */
    async used(reader: Reader, { id, bill }: Pick<OrderHead, 'id' | 'bill'>): Promise<CouponStatus | null> {
      const found = await findCoupon(reader, (await findUse(reader, id)) ?? '');
      if (!found) return null;
      const { coupon = found.coupon, lines = null } = bill?.couponTerms ?? {};
      return { code: coupon.code, coupon, state: 'applied', ...(lines && { agreed: lines }) };
    },

    /** Reserves a use for an order whose `lockedStatus` in this transaction was 'applied'. */
    async reserveUse(trx: Trx, order: CouponOrder, code: string): Promise<void> {
      const reserved = await insertUse(
        trx,
        { key: codeKeyOf(code), orderId: order.id, at: now() },
        buyerOf(order),
      );
      if (!reserved) throw new Error(`A use of ${code} was reserved despite the lock`);
    },

    /**
     * Reserves a use for an order that had released its own. Its price was agreed, so the coupon's dates no longer matter.
     * Returns false, with nothing reserved, if a limit has been reached meanwhile.
     */
    async reserveUseAgain(trx: Trx, order: CouponOrder, code: string): Promise<boolean> {
      const found = await lockCoupon(trx, codeKeyOf(code));
      if (!found) return false;
      const buyer = buyerOf(order);
      if (limitState(found.coupon, await usesOf(trx, found, order, buyer), buyer) !== 'applied') return false;
      return insertUse(trx, { key: codeKeyOf(code), orderId: order.id, at: now() }, buyer);
    },

    /** Makes the use of a placed order final. No error if it has no coupon. */
    confirmUse,

    /** Releases the use of an order that will not be placed, or was cancelled. Idempotent. */
    releaseUse: deleteUse,

    list: (): Promise<CouponCount[]> => allCoupons(db.read),
    /** All, as files have them, by their codes. */
    async contents(): Promise<CouponInput[]> {
      const all = (await allCoupons(db.read)).map(({ coupon }) => couponContent(coupon));
      return all.sort((one, other) => (codeKeyOf(one.id) < codeKeyOf(other.id) ? -1 : 1));
    },
    lock: (trx: Trx): Promise<void> => lockCoupons(db, trx),
    /** Whether there is a coupon of this code, ignoring case. */
    isTaken: async (reader: Reader, code: string): Promise<boolean> =>
      (await findCoupon(reader, codeKeyOf(code))) !== null,
    /** By its code, ignoring case. */
    byCode: async (reader: Reader, code: string): Promise<Coupon | null> =>
      (await findCoupon(reader, codeKeyOf(code)))?.coupon ?? null,
    /** By its code as the merchant writes it. */
    async find(reader: Reader, code: string): Promise<StoredCoupon | null> {
      const found = await findCoupon(reader, codeKeyOf(code));
      return found?.coupon.code === code ? found : null;
    },
    /** By the path in the coupon. `also`: what will be there once it is written. */
    async problemsOf(
      content: CouponInput,
      also: Partial<CouponItems> = {},
      reader: Reader = db.read,
    ): Promise<Problem[]> {
      const stored = await findCoupon(reader, codeKeyOf(content.id));
      const { categories } = await catalogue.names();
      const products = (await productNames(reader, content.products)).map(({ id }) => id);
      return couponProblems(content, stored, {
        products: new Set([...products, ...(also.products ?? [])]),
        categories: new Set([...categories.keys(), ...(also.categories ?? [])]),
      });
    },
    ...createCouponOperations(now),
  };
}

/** Of a coupon as people edit it. What its kind does not have is 0. */
export const couponOf = ({ id, ...coupon }: CouponInput): Coupon => ({
  code: id,
  ...coupon,
  percent: coupon.kind === 'percent' ? coupon.percent : 0,
  amount: coupon.kind === 'amount' ? coupon.amount : 0,
});

/** As people edit it. */
export const couponContent = ({ code, countries, products, categories, ...coupon }: Coupon): CouponInput => ({
  id: code,
  ...coupon,
  countries: [...countries],
  products: [...products],
  categories: [...categories],
});

/** Changes a coupon that is there. @throws {InputError} for fewer uses in all than there are */
async function put(change: Change, coupon: Coupon): Promise<void> {
  const key = codeKeyOf(coupon.code);
  // Payments that begin meanwhile wait for the row.
  const stored = await lockCoupon(change.trx, key);
  if (coupon.totalLimit !== null && stored && coupon.totalLimit < stored.used)
    throw new InputError([
      problem(['coupons', coupon.code, 'totalLimit'], 'problem.minimum', { limit: stored.used }),
    ]);
  await putCoupon(change.trx, key, coupon);
  noteDocument(change, 'coupon', stored && couponContent(stored.coupon), couponContent(coupon));
}

/** The operations of merchants. */
function createCouponOperations(now: () => number) {
  return {
    /** Adds a coupon. Returns false, with nothing changed, if the code exists, ignoring case. */
    async add({ trx, note }: Change, coupon: Coupon): Promise<boolean> {
      const isNew = await insertCoupon(trx, codeKeyOf(coupon.code), coupon, now());
      note('coupon', coupon.code, isNew ? undefined : []);
      return isNew;
    },

    /** Ends a coupon at `at` (epoch ms; default: now). Carts that use it show that. Returns false if there is no such coupon. */
    async end(change: Change, code: string, at: number = now()): Promise<boolean> {
      const coupon = (await findCoupon(change.trx, codeKeyOf(code)))?.coupon;
      if (coupon) await put(change, { ...coupon, endsAt: Math.min(coupon.endsAt ?? at, at) });
      else change.note('coupon', code, []);
      return coupon !== undefined;
    },

    put,

    /** By their codes, ignoring case; one that is there keeps its code as it is written, and its uses. */
    async putAll(change: Change, contents: readonly CouponInput[]): Promise<void> {
      for (const content of contents) {
        const coupon = couponOf(content);
        const stored = await findCoupon(change.trx, codeKeyOf(coupon.code));
        if (stored) await put(change, { ...coupon, code: stored.coupon.code });
        else {
          await insertCoupon(change.trx, codeKeyOf(coupon.code), coupon, now());
          change.note('coupon', coupon.code);
        }
      }
    },

    /** Those that name a product or category. */
    namedBy: couponsFor,

    /**
     * What a coupon is for is gone, or has become `to`. One that would be for nothing else ends, and keeps what it was for: a coupon
     * for no items in particular is for all.
     */
    async replaceItem(change: Change, item: CouponItem, to: string | null): Promise<void> {
      for (const coupon of await couponsFor(change.trx, item))
        await put(change, withoutItem(coupon, item, to, now()));
    },

    /** One that was never used: orders refer to others. */
    remove: (trx: Trx, code: string): Promise<void> => deleteCoupon(trx, codeKeyOf(code)),
  };
}

const listOf = ({ kind }: CouponItem) => (kind === 'product' ? 'products' : 'categories');

async function couponsFor(reader: Reader, item: CouponItem): Promise<Coupon[]> {
  return (await allCoupons(reader))
    .map(({ coupon }) => coupon)
    .filter((coupon) => coupon[listOf(item)].includes(item.id));
}

/** Whether it would be for nothing without an item. */
export const isOnlyFor = ({ products, categories }: Pick<Coupon, 'products' | 'categories'>): boolean =>
  products.length + categories.length === 1;

function withoutItem(coupon: Coupon, item: CouponItem, to: string | null, at: number): Coupon {
  const list = listOf(item);
  if (to === null && isOnlyFor(coupon)) return { ...coupon, endsAt: Math.min(coupon.endsAt ?? at, at) };
  const left = coupon[list].flatMap((id) => (id === item.id ? (to ?? []) : [id]));
  return { ...coupon, [list]: [...new Set(left)] };
}

async function usesOf(
  reader: Reader,
  { coupon, used }: StoredCoupon,
  order: CouponOrder,
  buyer: CouponBuyer,
) {
  const limited = coupon.customerLimit !== null;
  return {
    total: used,
    own: limited ? await countOwnUses(reader, codeKeyOf(coupon.code), order.id, buyer) : 0,
  };
}

/** Emails are stored hashed: enough to recognise the same mailbox again. */
function buyerOf({ customerId, contact, method }: CouponOrder): CouponBuyer {
  const email = contact?.email ?? '';
  const hashed = (text: string) => createHash('sha256').update(text).digest('hex');
  return {
    customerId,
    // Uses up to version 0.2.0 have that of the whole address.
    emailHashes: email.trim() === '' ? [] : [hashed(mailboxKeyOf(email)), hashed(emailKeyOf(email))],
    contactGiven: method !== null,
  };
}

/** Applies a coupon to the cart and removes it (SPEC §4, §5, §7). */
export type CouponEntry = ReturnType<typeof createCouponEntry>;

interface CouponEntryDeps extends CartDeps {
  coupons: CouponsService;
  rateLimits: RateLimitsService;
}

export function createCouponEntry(deps: CouponEntryDeps) {
  const { db, orders, holds, coupons, rateLimits } = deps;
  /** Changes the session's cart, whose payment is ended first if it is being paid. */
  const changing = (session: SessionHandle, work: (trx: Trx) => Promise<Order>) =>
    changeCart(deps, session, work, { sameCart: true });

  return {
    /**
     * Applies a coupon to the session's cart, replacing another. `address` is the client's, for the rate limit that prevents
     * guessing codes.
     * @throws {AppError} NOT_FOUND for an unknown code, CONFLICT for one that does not apply and for an empty cart,
     * REQUEST_VALIDATION_ERROR for none, RATE_LIMITED
     */
    async verify(session: SessionHandle, typed: string, address: string, locale: Locale): Promise<Order> {
      const errors = couponErrors(typed);
      if (!isClean(errors)) throw validationError(errors);
      const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
      const found = buyer && (await orders.findCart(db.read, buyer));
      if (!buyer || !found) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
      const guess: Attempt[] = [
        ['couponShopper', buyer.customerId ?? buyer.idHash],
        ['couponAddress', networkOf(address)],
      ];
      await rateLimits.count(guess);
      const code = typed.trim();
      const status = await coupons.status(db.read, code, found);
      // A known code does not count as a guess.
      if (status.coupon) await db.transaction((trx) => rateLimits.undo(trx, guess));
      // Uses reserved by customers who abandoned their payment are released first.
      if (status.state === 'usedUp' || status.state === 'usedByYou') await holds.expireHolds();
      return changing(session, async (trx) => {
        const cart = await orders.findCart(trx, buyer);
        // The use reserved for its own payment would count against it.
        if (cart?.state === 'paying') throw new PaymentInProgress();
        const lines = cart ? await orders.lines(trx, cart) : [];
        if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
        const applied = evaluatedCoupon(
          await coupons.status(trx, code, cart),
          lines,
          settings,
          destinationOf(cart, settings),
        );
        requireApplied(applied, locale, settings);
        const changed = requireEditable(
          await orders.changeCart(trx, cart.id, { coupon_code: applied?.code ?? code }),
        );
        return orders.view(trx, changed, settings, locale, { lines });
      });
    },

    /** Removes the coupon; no error if there is none. */
    async remove(session: SessionHandle, locale: Locale): Promise<Order> {
      const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
      if (!buyer) return orders.view(db.read, null, settings, locale);
      return changing(session, async (trx) => {
        const cart = await orders.findCart(trx, buyer);
        if (!cart || cart.couponCode === null) return orders.view(trx, cart, settings, locale);
        const changed = requireEditable(await orders.changeCart(trx, cart.id, { coupon_code: null }));
        return orders.view(trx, changed, settings, locale);
      });
    },
  };
}

/** @throws {AppError} NOT_FOUND for an unknown code, CONFLICT for one that does not apply, with the reason */
function requireApplied(
  coupon: ReturnType<typeof evaluatedCoupon>,
  locale: Locale,
  settings: OrderSettings,
): void {
  const words = coupon && couponMessage(coupon, locale, settings);
  if (!words) return;
  const { key, values } = words;
  throw new AppError(coupon.coupon ? 'CONFLICT' : 'NOT_FOUND', {
    errorKey: key,
    values,
    errors: { code: { key, values } },
  });
}
