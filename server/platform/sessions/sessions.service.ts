/** The browser has a random token, of which only the hash is stored. */
import { hash, randomBytes } from 'node:crypto';
import type { Database, Reader, Trx } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { networkOf, type RateLimitsService } from '../rate-limits/rate-limits.service.ts';
import { dayMs } from '../time-zone.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  type SessionRow,
  sessionsOf,
  touchSession,
} from './sessions.repository.ts';

/** A guest's session is their cart; counts from when it was last prolonged. */
export const sessionMs = 60 * dayMs;
/** If the cookie is never sent back, as with clients that store no cookies. */
export const firstVisitMs = 2 * dayMs;
/** A customer is signed out after this long without a visit, and in any case after `customerLongestMs`. */
export const customerIdleMs = 14 * dayMs;
export const customerLongestMs = 60 * dayMs;
/** A session in use is prolonged at most this often, since prolonging is a write. */
const touchEveryMs = dayMs;

export interface Session {
  /** The key by which other tables refer to the session (`orders.session_hash`). Not the cookie's value. */
  idHash: string;
  /** Null for a guest. */
  customerId: string | null;
}

export interface EnsuredSession extends Session {
  /** Whether this call created it, so that nothing belongs to it yet. */
  isNew: boolean;
}

export interface CustomerSession extends Session {
  customerId: string;
}

export interface IssuedCookie {
  token: string;
  maxAgeMs: number;
}

export interface SessionsDeps {
  db: Database;
  now: () => number;
  attempts: Pick<RateLimitsService, 'countIn'>;
}

export interface Caller {
  token: string | null;
  address: string;
  device: string | null;
  /** Whether a session that is started gets this token instead of a random one. */
  startsWithToken?: boolean;
}

/** Loaded on first use and created when first needed. */
export class SessionHandle {
  readonly #deps: SessionsDeps;
  /** Null for a token in another format, too. */
  readonly #known: string | null;
  readonly #address: string;
  #read: Promise<SessionRow | null> | undefined;
  #issued: IssuedCookie | null = null;
  #fresh: string | null = null;
  #keptDevice: IssuedCookie | null = null;
  /** Recognises a customer who has signed in there before. */
  readonly device: string | null;

  constructor(deps: SessionsDeps, { token, address, device, startsWithToken = false }: Caller) {
    this.#deps = deps;
    this.#known = tokenIn(token);
    if (startsWithToken) this.#fresh = this.#known;
    this.#address = address;
    this.device = tokenIn(device);
  }

  /** Null without a cookie, or with one that is unknown or expired. */
  async get(): Promise<Session | null> {
    const row = await this.#readRow();
    return row && toSession(row);
  }

  /** The `idHash` of the session, or of the one that this call would create. */
  async hash(): Promise<string> {
    const current = await this.get();
    if (current) return current.idHash;
    this.#fresh ??= newToken();
    return hashOf(this.#fresh);
  }

  /** @throws {AppError} AUTHORIZATION_ERROR for a guest */
  async customer(): Promise<CustomerSession> {
    const session = await this.get();
    if (!session?.customerId) throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
    return { ...session, customerId: session.customerId };
  }

  /** The cookie is sent if the call succeeds. */
  async ensure(trx: Trx): Promise<EnsuredSession> {
    const current = this.#issued?.token || this.#known;
    const row = current ? await this.#find(trx, current) : undefined;
    if (!row) return { ...(await this.#start(trx, null)), isNew: true };
    await this.#touch(trx, row);
    this.#read = Promise.resolve(row);
    return { ...toSession(row), isNew: false };
  }

  /** `previous` is the old session. */
  async signOn(
    trx: Trx,
    customerId: string,
  ): Promise<{ session: CustomerSession; previous: Session | null }> {
    const row = this.#known ? await this.#find(trx, this.#known) : undefined;
    if (row) await deleteSession(trx, row.id_hash);
    const session = await this.#start(trx, customerId);
    return { session: { ...session, customerId }, previous: row ? toSession(row) : null };
  }

  async end(trx: Trx): Promise<void> {
    if (!this.#known) return;
    await deleteSession(trx, hashOf(this.#known));
    this.#issued = { token: '', maxAgeMs: 0 };
    this.#read = Promise.resolve(null);
  }

  /** Prolongs a session in use: a guest's when its cookie is first sent back, any session at most once a day. Creates none. */
  async prolong(): Promise<void> {
    // This call created or ended the session, so its cookie is newer than the one received.
    if (this.#issued) return;
    const { db, now } = this.#deps;
    const row = await this.#readRow();
    if (row && isDue(row, now())) await db.transaction((trx) => this.#touch(trx, row));
  }

  issued(): IssuedCookie | null {
    return this.#issued;
  }

  /** With a new token if the browser had none. */
  keepDevice(maxAgeMs: number): string {
    this.#keptDevice ??= { token: this.device ?? newToken(), maxAgeMs };
    return this.#keptDevice.token;
  }

  issuedDevice(): IssuedCookie | null {
    return this.#keptDevice;
  }

  #readRow(): Promise<SessionRow | null> {
    this.#read ??= this.#known
      ? this.#find(this.#deps.db.read, this.#known).then((row) => row ?? null)
      : Promise.resolve(null);
    return this.#read;
  }

  #find(reader: Reader, token: string): Promise<SessionRow | undefined> {
    return findSession(reader, hashOf(token), this.#deps.now());
  }

  /** One token per call, so that a retried transaction does not create a second session. */
  async #start(trx: Trx, customerId: string | null): Promise<Session> {
    const { now, attempts } = this.#deps;
    const at = now();
    this.#fresh ??= newToken();
    const row = { id_hash: hashOf(this.#fresh), customer_id: customerId, created_at: at, last_seen_at: at };
    const made = { ...row, expires_at: customerId === null ? at + firstVisitMs : expiryOf(row, at) };
    if (customerId === null) await attempts.countIn(trx, [['guestAddress', networkOf(this.#address)]]);
    await insertSession(trx, made);
    this.#issued = { token: this.#fresh, maxAgeMs: made.expires_at - at };
    this.#read = Promise.resolve(made);
    return toSession(made);
  }

  async #touch(trx: Trx, row: SessionRow): Promise<void> {
    const at = this.#deps.now();
    if (!this.#known || !isDue(row, at)) return;
    const expiresAt = expiryOf(row, at);
    await touchSession(trx, row.id_hash, at, expiresAt);
    this.#issued = { token: this.#known, maxAgeMs: expiresAt - at };
  }
}

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

export type SessionsService = ReturnType<typeof createSessionsService>;

export function createSessionsService(deps: SessionsDeps) {
  const { db, now } = deps;
  return {
    /** `token` and `device` are cookies; the sessions that the network of `address` can start are limited. */
    open: (token: string | null, address: string, device: string | null = null): SessionHandle =>
      new SessionHandle(deps, { token, address, device }),

    /** For callers that send no cookie: the session of a token that the shop derives itself, started with it if there is none. */
    openDerived: (token: string, address: string): SessionHandle =>
      new SessionHandle(deps, { token, address, device: null, startsWithToken: true }),

    endAll: deleteSessionsOf,

    async of(customerId: string): Promise<OpenSession[]> {
      const rows = await sessionsOf(db.read, customerId, now());
      return rows.map((row) => ({
        id: publicIdOf(row),
        idHash: row.id_hash,
        startedAt: row.created_at,
        lastSeenAt: row.last_seen_at,
        expiresAt: row.expires_at,
      }));
    },

    /** By its public id. False if there is none. */
    async endOne(trx: Trx, customerId: string, id: string): Promise<boolean> {
      const row = (await sessionsOf(trx, customerId, now())).find((each) => publicIdOf(each) === id);
      if (row) await deleteSession(trx, row.id_hash);
      return row !== undefined;
    },

    sweep: (): Promise<number> => db.transaction((trx) => deleteExpiredSessions(trx, now())),
  };
}

function publicIdOf({ id_hash }: Pick<SessionRow, 'id_hash'>): string {
  return hashOf(`public\n${id_hash}`).slice(0, 32);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function tokenIn(text: string | null): string | null {
  return text !== null && /^[\w-]{43}$/.test(text) ? text : null;
}

function toSession(row: Pick<SessionRow, 'id_hash' | 'customer_id'>): Session {
  return { idHash: row.id_hash, customerId: row.customer_id };
}

function hashOf(token: string): string {
  return hash('sha256', token);
}

function expiryOf(
  { customer_id, created_at }: Pick<SessionRow, 'customer_id' | 'created_at'>,
  at: number,
): number {
  return customer_id === null
    ? at + sessionMs
    : Math.min(at + customerIdleMs, created_at + customerLongestMs);
}

/** On the guest's first return, then once a day. */
function isDue(row: SessionRow, at: number): boolean {
  const firstReturn = row.customer_id === null && row.expires_at - row.last_seen_at <= firstVisitMs;
  return firstReturn || row.last_seen_at < at - touchEveryMs;
}
