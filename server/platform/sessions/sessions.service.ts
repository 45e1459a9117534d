/** Identifies callers by sessions: rows that the browser refers to with a random token, of which only the hash is stored. */
import type { Trx } from '#db/database.ts';
import { hashOf, SessionHandle, type SessionsDeps } from './session-handle.ts';
import { deleteExpiredSessions, deleteSession, deleteSessionsOf, type SessionRow, sessionsOf } from './sessions.repository.ts';

export type { CustomerSession, EnsuredSession, IssuedCookie, Session, SessionHandle } from './session-handle.ts';

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

export type SessionsService = ReturnType<typeof createSessionsService>;

export function createSessionsService(deps: SessionsDeps) {
  const { db, now } = deps;
  return {
    /**
     * `token` and `device` are the values of the session and device cookies, or null. `address` is the client's; the sessions that
     * its network can start are limited.
     */
    open: (token: string | null, address: string, device: string | null = null): SessionHandle =>
      new SessionHandle(deps, { token, address, device }),

    /** Ends all sessions of a customer except the one with hash `kept`. */
    endAll: deleteSessionsOf,

    /** A customer's sessions for display, most recently used first. */
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

    /** Ends the customer's session with this public id. Returns false if there is none. */
    async endOne(trx: Trx, customerId: string, id: string): Promise<boolean> {
      const row = (await sessionsOf(trx, customerId, now())).find((each) => publicIdOf(each) === id);
      if (row) await deleteSession(trx, row.id_hash);
      return row !== undefined;
    },

    /** Deletes expired sessions; returns how many. */
    sweep: (): Promise<number> => db.transaction((trx) => deleteExpiredSessions(trx, now())),
  };
}

function publicIdOf({ id_hash }: Pick<SessionRow, 'id_hash'>): string {
  return hashOf(`public\n${id_hash}`).slice(0, 32);
}
