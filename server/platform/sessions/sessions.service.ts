/** The browser has a random token, of which only the hash is stored. */
import type { Trx } from '#db/database.ts';
import { hashOf, SessionHandle, type SessionsDeps } from './session-handle.ts';
import { deleteExpiredSessions, deleteSession, deleteSessionsOf, type SessionRow, sessionsOf } from './sessions.repository.ts';

export type { CustomerSession, EnsuredSession, IssuedCookie, Session, SessionHandle } from './session-handle.ts';

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
