/** A row of `sessions`, which queries of other modules read together with what a call needs (`SessionHandle.getWith`). */

export interface SessionRow {
  id_hash: string;
  customer_id: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

/** The columns of `SessionRow`. */
export const sessionColumns =
  'sessions.id_hash, sessions.customer_id, sessions.created_at, sessions.last_seen_at, sessions.expires_at';
