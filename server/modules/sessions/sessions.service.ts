/** Who is calling: sessions are rows, known to the browser by a random token whose hash is kept here. */
import { createHash, randomBytes } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import { deleteExpiredSessions, findSession, insertSession, type SessionRow, touchSession } from './sessions.repository.ts';

/** A session lasts so long after its last change. */
export const sessionMs = 60 * 24 * 60 * 60 * 1000;
/** A session in use is prolonged this often at most, since prolonging is a write. */
const touchEveryMs = 24 * 60 * 60 * 1000;
const tokenPattern = /^[\w-]{43}$/;

export interface Session {
  /** What other tables know the session by (`orders.session_hash`). Not the cookie's value. */
  idHash: string;
  /** Null for a guest. */
  customerId: string | null;
}

/** The session of one caller, looked up when first asked for and made when first needed. */
export interface SessionHandle {
  /** The session, or null where the caller has none: no cookie, unknown or expired. */
  get(): Promise<Session | null>;
  /**
   * The session, made in `trx` where there is none. To be called by what changes something for the
   * caller. The cookie goes out with the answer if the call succeeds.
   */
  ensure(trx: Trx): Promise<Session>;
  /** The token the caller is to keep from now on; null where nothing changed. */
  issued(): string | null;
}

export interface SessionsService {
  /** `token` is the cookie's value, or null. */
  open(token: string | null): SessionHandle;
  /** Forgets expired sessions; returns how many. */
  sweep(): Promise<number>;
}

export function createSessionsService({ db, now }: { db: Database; now: () => number }): SessionsService {
  return {
    open(token) {
      const known = token !== null && tokenPattern.test(token) ? token : null;
      let read: Promise<Session | null> | undefined;
      let issued: string | null = null;
      let fresh: string | null = null;
      return {
        get() {
          read ??= known
            ? findSession(db.read, db.engine, hashOf(known), now()).then((row) => (row ? toSession(row) : null))
            : Promise.resolve(null);
          return read;
        },
        async ensure(trx) {
          const at = now();
          const current = issued ?? known;
          const row = current ? await findSession(trx, db.engine, hashOf(current), at) : undefined;
          if (current && row) {
            if (row.last_seen_at < at - touchEveryMs) {
              await touchSession(trx, row.id_hash, at, at + sessionMs);
              issued = current;
            }
            return toSession(row);
          }
          // One token a call, so that a transaction that is run again does not make another session.
          fresh ??= randomBytes(32).toString('base64url');
          const made = {
            id_hash: hashOf(fresh),
            customer_id: null,
            created_at: at,
            last_seen_at: at,
            expires_at: at + sessionMs,
          };
          await insertSession(trx, db.engine, made);
          issued = fresh;
          read = undefined;
          return toSession(made);
        },
        issued: () => issued,
      };
    },
    sweep: () => db.transaction((trx) => deleteExpiredSessions(trx, now())),
  };
}

function toSession(row: SessionRow): Session {
  return { idHash: row.id_hash, customerId: row.customer_id };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
