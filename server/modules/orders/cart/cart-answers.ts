/**
 * Keeps the encoded answer of `myCart` in memory while nothing that it shows has changed. Each request reads, in one statement, the
 * session, the version of its cart, the stock of its lines, and what has changed in the catalogue; an answer that still holds is sent
 * as it is.
 */
import type { Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import { PreSerializedJson } from '#server/http/pre-serialized-json.ts';
import { LruCache } from '#server/platform/lru-cache.ts';
import { collectReads, readKeyed, recordUntil, refreshOnce } from '#server/platform/recorded-reads.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { OrderHead } from '../order.ts';
import type { CartRead, CartService } from './cart.service.ts';
import { type SessionWithCart, sessionWithCart } from './cart-of-session.repository.ts';

export interface CartAnswersDeps {
  db: Database;
  /** The time (epoch ms). */
  now: () => number;
  cart: Pick<CartService, 'read'>;
  /** The limit for the memory of all answers, in bytes. */
  maxBytes?: number;
}

interface KeptAnswer {
  /** What the cart was like, except for what the topics cover. */
  stamp: string;
  answer: PreSerializedJson;
  topics: readonly string[];
  /** A moment of the `ChangeLog` as of which it is current. */
  moment: number;
  /** The time (epoch ms) from which it is outdated although nothing changed. */
  until: number;
}

/** What an answer occupies besides its texts. */
const answerBytes = 400;
/** One character beyond Latin-1, such as those of Chinese names, makes all characters of a text take two bytes. */
const bytesPerCharacter = 2;

function bytesOf({ stamp, answer, topics }: KeptAnswer): number {
  return answerBytes + bytesPerCharacter * (stamp.length + answer.json.length + topics.join('').length);
}

/** What identifies a session's cart, and the state that it is in. */
interface CartState {
  key: string;
  stamp: string;
}

export type CartAnswers = ReturnType<typeof createCartAnswers>;

export function createCartAnswers({ db, now, cart, maxBytes = 8 * 1024 * 1024 }: CartAnswersDeps) {
  const carts = db.keyed<SessionWithCart>(sessionWithCart);
  const kept = new LruCache<KeptAnswer>(maxBytes);
  // What a replica shows of the catalogue may be older than the cart, so it does not tell whether an answer holds.
  const mayKeep = db.catalogue === db.read;

  /** The answer to a state, if it still holds. */
  function find({ key, stamp }: CartState): KeptAnswer | null {
    const found = kept.get(key);
    if (!found || found.stamp !== stamp || found.until <= now()) return null;
    if (db.changes.changedSince(found.moment, found.topics)) return null;
    found.moment = db.changes.moment;
    return found;
  }

  /** Reads the cart and keeps its answer, unless it depends on what no version covers. */
  async function make(session: SessionHandle, locale: Locale, print: (order: Order) => string): Promise<KeptAnswer> {
    const { moment } = db.changes;
    const { value: read, topics, until } = await collectReads(() => cart.read(session, locale));
    const state = stateRead(read, locale);
    const made = { stamp: state?.stamp ?? '', answer: new PreSerializedJson(print(read.order)), topics, moment, until };
    if (mayKeep && state) kept.set(state.key, made, bytesOf(made));
    return made;
  }

  return {
    /** The cart of a session as the answer of `myCart`; `print` encodes it. */
    async get(session: SessionHandle, locale: Locale, print: (order: Order) => string): Promise<PreSerializedJson> {
      const row = await session.getWith((idHash) => readKeyed(carts, idHash));
      await refreshOnce(db.changes);
      const state = mayKeep ? stateNow(row, locale) : null;
      const { answer, until } = (state && find(state)) ?? (await make(session, locale, print));
      recordUntil(until);
      return answer;
    },
  };
}

/** The state of the session's cart; null if its answer is not kept. */
function stateNow(row: SessionWithCart | null, locale: Locale): CartState | null {
  if (row === null) return stateOf(null, locale);
  if (row.customer_id === null) return stateOf(cartIn(row.guest_id, row.guest_version, row.guest_updated_at, row.stock), locale);
  // The guest's cart is to be merged into the customer's.
  if (row.guest_state === 'cart') return null;
  return stateOf(cartIn(row.own_id, row.own_version, row.own_updated_at, row.stock), locale);
}

/** The state in which a cart was read; null if its answer is not kept. */
function stateRead({ cart, stockText }: CartRead, locale: Locale): CartState | null {
  if (cart === null) return stateOf(null, locale);
  // No version says that a coupon was used up or has begun. The lines of a cart that is being paid are read without recording them.
  if (cart.couponCode !== null || cart.state !== 'cart') return null;
  return stateOf({ ...cart, stockText }, locale);
}

type CartVersion = Pick<OrderHead, 'id' | 'version' | 'updatedAt'> & Pick<CartRead, 'stockText'>;

function cartIn(id: string | null, version: number | null, updatedAt: number | null, stock: string | null): CartVersion | null {
  return id === null ? null : { id, version: version ?? 0, updatedAt: updatedAt ?? 0, stockText: stock ?? '' };
}

/**
 * The time is part of the stamp because a database that is replaced by an older one counts some versions again. All sessions without
 * a cart share an answer.
 */
function stateOf(cart: CartVersion | null, locale: Locale): CartState {
  if (cart === null) return { key: `none ${locale}`, stamp: '' };
  return { key: `${cart.id} ${locale}`, stamp: `${cart.version} ${cart.updatedAt} ${cart.stockText}` };
}
