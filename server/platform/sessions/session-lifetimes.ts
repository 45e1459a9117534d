/** How long sessions last. All times are ms. */
import { dayMs } from '#server/platform/durations.ts';
import type { SessionRow } from './sessions.repository.ts';

/** How long a guest's session, which is their cart, lasts after it was last prolonged. */
export const sessionMs = 60 * dayMs;
/** How long a guest's session lasts if its cookie is never sent back, as with clients that store no cookies. */
export const firstVisitMs = 2 * dayMs;
/** A customer is signed out after this long without a visit, and in any case after `customerLongestMs`. */
export const customerIdleMs = 14 * dayMs;
export const customerLongestMs = 60 * dayMs;
/** A session in use is prolonged at most this often, since prolonging is a write. */
const touchEveryMs = dayMs;

/** When a session that is used at `at` expires. */
export function expiryOf({ customer_id, created_at }: Pick<SessionRow, 'customer_id' | 'created_at'>, at: number): number {
  return customer_id === null ? at + sessionMs : Math.min(at + customerIdleMs, created_at + customerLongestMs);
}

/** Whether a session in use is due to be prolonged: on the guest's first return, then once a day. */
export function isDue(row: SessionRow, at: number): boolean {
  const firstReturn = row.customer_id === null && row.expires_at - row.last_seen_at <= firstVisitMs;
  return firstReturn || row.last_seen_at < at - touchEveryMs;
}
