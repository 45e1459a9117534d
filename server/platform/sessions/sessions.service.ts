/** Identifies callers by sessions: rows that the browser refers to with a random token, of which only the hash is stored. */
import { hash, randomBytes } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { networkOf, type RateLimitsService } from '../rate-limits/rate-limits.service.ts';
import type { SessionRow } from './session-row.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  sessionsOf,
  touchSession,
} from './sessions.repository.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How long a guest's session, which is their cart, lasts after it was last prolonged, ms. */
export const sessionMs = 60 * dayMs;
/** How long a guest's session lasts if its cookie is never sent back, as with clients that store no cookies, ms. */
export const firstVisitMs = 2 * dayMs;
/** A customer is signed out after this long without a visit, and in any case after `customerLongestMs`. */
export const customerIdleMs = 14 * dayMs;
export const customerLongestMs = 60 * dayMs;
/** A session in use is prolonged at most this often, since prolonging is a write. */
const touchEveryMs = dayMs;
const tokenPattern = /^[\w-]{43}$/;

export interface Session {
  /** The key by which other tables refer to the session (`orders.session_hash`). Not the cookie's value. */
  idHash: string;
  /** Null for a guest. */
  customerId: string | null;
}

/** A session that exists. */
export interface EnsuredSession extends Session {
  /** Whether this call created it, so that nothing belongs to it yet. */
  isNew: boolean;
}

/** A session of a signed-in customer. */
export interface CustomerSession extends Session {
  customerId: string;
}

/** The new value of the cookie; an empty token deletes it. */
export interface IssuedCookie {
  token: string;
  maxAgeMs: number;
}

/** The session of one request, loaded on first use and created when first needed. */
export interface SessionHandle {
  /** The session, or null if the caller has none: no cookie, unknown or expired. */
  get(): Promise<Session | null>;
  /**
   * Like `get`, by a query that reads more together with the session: `read` gets the session's `idHash`, whether or not there is
   * such a session, and is not called without one. Null if the caller has no session.
   */
  getWith<R extends SessionRow>(read: (idHash: string) => Promise<R | null>): Promise<R | null>;
  /**
   * The session of a signed-in customer.
   * @throws {AppError} AUTHORIZATION_ERROR for a guest
   */
  customer(): Promise<CustomerSession>;
  /** The session, created in `trx` if there is none. For calls that change something. The cookie is sent if the call succeeds. */
  ensure(trx: Trx): Promise<EnsuredSession>;
  /** Replaces the session with a new one of this customer. `previous` is the old session, or null. */
  signOn(trx: Trx, customerId: string): Promise<{ session: CustomerSession; previous: Session | null }>;
  /** Ends the session, if there is one. */
  end(trx: Trx): Promise<void>;
  /** Prolongs a session in use: a guest's when its cookie is first sent back, any session at most once a day. Creates none. */
  prolong(): Promise<void>;
  /** The cookie to set; null if nothing changed. */
  issued(): IssuedCookie | null;
  /** The token of the caller's browser, which recognises a customer who has signed in there before; null if it has none. */
  readonly device: string | null;
  /** Sets the browser's device cookie for `maxAgeMs` from now, with a new token if it had none. Returns the token. */
  keepDevice(maxAgeMs: number): string;
  /** The device cookie to set; null if nothing changed. */
  issuedDevice(): IssuedCookie | null;
}

/** A session as its customer sees it. Times are epoch ms. */
export interface OpenSession {
  /** A public id that reveals neither the cookie nor the row's key. */
  id: string;
  /** The row's key; never part of a response. */
  idHash: string;
  startedAt: number;
  /** Accurate to the day, since it is written once a day. */
  lastSeenAt: number;
  expiresAt: number;
}

export interface SessionsService {
  /**
   * `token` and `device` are the values of the session and device cookies, or null. `address` is the client's; the sessions that
   * its network can start are limited.
   */
  open(token: string | null, address: string, device?: string | null): SessionHandle;
  /** Ends all sessions of a customer except the one with hash `kept`. */
  endAll(trx: Trx, customerId: string, kept?: string): Promise<void>;
  /** A customer's sessions for display, most recently used first. */
  of(customerId: string): Promise<OpenSession[]>;
  /** Ends the customer's session with this public id. Returns false if there is none. */
  endOne(trx: Trx, customerId: string, id: string): Promise<boolean>;
  /** Deletes expired sessions; returns how many. */
  sweep(): Promise<number>;
}

export interface SessionsDeps {
  db: Database;
  now: () => number;
  attempts: Pick<RateLimitsService, 'countIn'>;
}

export function createSessionsService(deps: SessionsDeps): SessionsService {
  const { db, now } = deps;
  return {
    open: (token, address, device = null) => openSession(deps, { token, address, device }),
    endAll: deleteSessionsOf,
    async of(customerId) {
      const rows = await sessionsOf(db.read, customerId, now());
      return rows.map((row) => ({
        id: publicIdOf(row),
        idHash: row.id_hash,
        startedAt: row.created_at,
        lastSeenAt: row.last_seen_at,
        expiresAt: row.expires_at,
      }));
    },
    async endOne(trx, customerId, id) {
      const row = (await sessionsOf(trx, customerId, now())).find((each) => publicIdOf(each) === id);
      if (row) await deleteSession(trx, row.id_hash);
      return row !== undefined;
    },
    sweep: () => db.transaction((trx) => deleteExpiredSessions(trx, now())),
  };
}

/** The client's part of a request: the values of the cookies, or null, and the address. */
interface Caller {
  token: string | null;
  address: string;
  device: string | null;
}

/** The session of one caller, for one call. */
function openSession({ db, now, attempts }: SessionsDeps, { token, address, device: deviceToken }: Caller): SessionHandle {
  const known = tokenIn(token);
  const device = tokenIn(deviceToken);
  let keptDevice: IssuedCookie | null = null;
  let read: Promise<SessionRow | null> | undefined;
  let issued: IssuedCookie | null = null;
  let fresh: string | null = null;

  /** One token per call, so that a retried transaction does not create a second session. */
  async function start(trx: Trx, customerId: string | null): Promise<Session> {
    const at = now();
    fresh ??= randomBytes(32).toString('base64url');
    const row = { id_hash: hashOf(fresh), customer_id: customerId, created_at: at, last_seen_at: at };
    const made = { ...row, expires_at: customerId === null ? at + firstVisitMs : expiryOf(row, at) };
    if (customerId === null) await attempts.countIn(trx, [['guestAddress', networkOf(address)]]);
    await insertSession(trx, db.engine, made);
    issued = { token: fresh, maxAgeMs: made.expires_at - at };
    read = Promise.resolve(made);
    return toSession(made);
  }

  async function touch(trx: Trx, row: SessionRow): Promise<void> {
    const at = now();
    if (!known || !isDue(row, at)) return;
    const expiresAt = expiryOf(row, at);
    await touchSession(trx, row.id_hash, at, expiresAt);
    issued = { token: known, maxAgeMs: expiresAt - at };
  }

  function readRow(): Promise<SessionRow | null> {
    read ??= known ? findSession(db.read, db.engine, hashOf(known), now()).then((row) => row ?? null) : Promise.resolve(null);
    return read;
  }

  async function get(): Promise<Session | null> {
    const row = await readRow();
    return row && toSession(row);
  }

  return {
    get,
    async getWith(readWith) {
      const row = known ? await readWith(hashOf(known)) : null;
      const current = row && row.expires_at > now() ? row : null;
      read = Promise.resolve(current);
      return current;
    },
    async customer() {
      const session = await get();
      if (!session?.customerId) throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
      return { ...session, customerId: session.customerId };
    },
    async ensure(trx) {
      const current = issued?.token || known;
      const row = current ? await findSession(trx, db.engine, hashOf(current), now()) : undefined;
      if (!row) return { ...(await start(trx, null)), isNew: true };
      await touch(trx, row);
      // `prolong` has nothing more to do, and needs no read to know it.
      read = Promise.resolve(row);
      return { ...toSession(row), isNew: false };
    },
    async signOn(trx, customerId) {
      const row = known ? await findSession(trx, db.engine, hashOf(known), now()) : undefined;
      if (row) await deleteSession(trx, row.id_hash);
      const session = await start(trx, customerId);
      return { session: { ...session, customerId }, previous: row ? toSession(row) : null };
    },
    async end(trx) {
      if (!known) return;
      await deleteSession(trx, hashOf(known));
      issued = { token: '', maxAgeMs: 0 };
      read = Promise.resolve(null);
    },
    async prolong() {
      // This call created or ended the session, so its cookie is newer than the one received.
      if (issued) return;
      const row = await readRow();
      if (row && isDue(row, now())) await db.single((trx) => touch(trx, row));
    },
    issued: () => issued,
    device,
    keepDevice(maxAgeMs) {
      keptDevice ??= { token: device ?? randomBytes(32).toString('base64url'), maxAgeMs };
      return keptDevice.token;
    },
    issuedDevice: () => keptDevice,
  };
}

function expiryOf({ customer_id, created_at }: Pick<SessionRow, 'customer_id' | 'created_at'>, at: number): number {
  return customer_id === null ? at + sessionMs : Math.min(at + customerIdleMs, created_at + customerLongestMs);
}

/** Returns a token in this module's format; null for anything else. */
function tokenIn(text: string | null): string | null {
  return text !== null && tokenPattern.test(text) ? text : null;
}

/** Whether a session in use is due to be prolonged: on the guest's first return, then once a day. */
function isDue(row: SessionRow, at: number): boolean {
  const firstReturn = row.customer_id === null && row.expires_at - row.last_seen_at <= firstVisitMs;
  return firstReturn || row.last_seen_at < at - touchEveryMs;
}

function toSession(row: Pick<SessionRow, 'id_hash' | 'customer_id'>): Session {
  return { idHash: row.id_hash, customerId: row.customer_id };
}

function publicIdOf({ id_hash }: Pick<SessionRow, 'id_hash'>): string {
  return hashOf(`public\n${id_hash}`).slice(0, 32);
}

function hashOf(token: string): string {
  return hash('sha256', token);
}
