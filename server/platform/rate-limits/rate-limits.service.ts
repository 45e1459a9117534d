/**
 * How often somebody may try: growing delays, kept in the database so that all processes share them.
 * An attempt is counted before it is judged, so that many at once are not judged before the first is
 * counted; one that turns out to be right is taken back.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Database, Trx } from '#db/database.ts';
import { rateLimited } from '#server/platform/errors.ts';
import {
  blockAttempts,
  blockedUntil,
  countAttempt,
  deleteOldAttempts,
  resetAttempts,
  undoAttempt,
} from './rate-limits.repository.ts';

interface Limit {
  /** This many without a pause. */
  free: number;
  /** The first pause, which doubles with each further attempt up to `longestMs`. Milliseconds. */
  firstMs: number;
  longestMs: number;
  /** Counted anew each so many milliseconds; left out, once a day has passed without an attempt. */
  windowMs?: number;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Who is counted: an account by the email that was typed, a customer by their id, a caller by their network. */
export const rateLimits = {
  signOnAccount: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  signOnKnownPlace: { free: 10, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  signOnAddress: { free: 20, firstMs: 2 * secondMs, longestMs: hourMs },
  registerAddress: { free: 30, firstMs: 5 * secondMs, longestMs: hourMs },
  forgotAccount: { free: 3, firstMs: minuteMs, longestMs: hourMs },
  forgotAddress: { free: 20, firstMs: 10 * secondMs, longestMs: hourMs },
  resetAddress: { free: 20, firstMs: 2 * secondMs, longestMs: hourMs },
  couponShopper: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  couponAddress: { free: 40, firstMs: 2 * secondMs, longestMs: hourMs },
  likeAddress: { free: 60, firstMs: secondMs, longestMs: minuteMs },
  formAddress: { free: 6, firstMs: 30 * secondMs, longestMs: hourMs },
  // Many order at one café's network; few at one address of their own.
  reserveAddress: { free: 120, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  reserveEmail: { free: 40, firstMs: minuteMs, longestMs: hourMs, windowMs: 24 * hourMs },
  // A school or an office shops from one network, and nobody there starts six hundred carts an hour.
  guestAddress: { free: 600, firstMs: secondMs, longestMs: minuteMs, windowMs: hourMs },
  declinedAddress: { free: 100, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  confirmPassword: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
} as const satisfies Record<string, Limit>;
export type LimitName = keyof typeof rateLimits;

/** What is limited, and who by. */
export type Attempt = readonly [limit: LimitName, who: string];

/** Attempts are forgotten after so long without another. */
const forgetMs = 24 * hourMs;

export interface RateLimitsService {
  /**
   * Counts an attempt under each limit.
   * @throws Refusal RATE_LIMITED, with nothing counted, where one of them has a pause to keep
   */
  count(attempts: readonly Attempt[]): Promise<void>;
  /**
   * As `count`, as part of a transaction: nothing is counted if that fails, and however many run at once are counted exactly.
   * @throws Refusal RATE_LIMITED if one of them has a pause to keep
   */
  countIn(trx: Trx, attempts: readonly Attempt[]): Promise<void>;
  /** @throws Refusal RATE_LIMITED where one of them has a pause to keep. Counts nothing: `note` does, afterwards. */
  allow(attempts: readonly Attempt[]): Promise<void>;
  /** Counts what has happened, for limits of things that many may do at once: those under way are let through. */
  record(attempts: readonly Attempt[]): Promise<void>;
  /** What was counted was right, or none of the caller's fault: as if it had not been. */
  undo(trx: Trx, attempts: readonly Attempt[]): Promise<void>;
  /** Nothing has been tried, so far. */
  reset(trx: Trx, attempts: readonly Attempt[]): Promise<void>;
  deleteExpired(): Promise<void>;
}

export function createRateLimitsService({ db, now }: { db: Database; now: () => number }): RateLimitsService {
  /** In one order, so that two that count the same do not wait for each other. */
  function keyed(attempts: readonly Attempt[]): { key: string; limit: Limit }[] {
    return attempts.map(([limit, who]) => ({ key: keyOf(limit, who, now()), limit: rateLimits[limit] })).sort(byKey);
  }

  const keysOf = (attempts: readonly Attempt[]) => keyed(attempts).map(({ key }) => key);

  async function allow(attempts: readonly Attempt[]): Promise<void> {
    const until = await blockedUntil(db.read, keysOf(attempts));
    if (until > now()) throw rateLimited(until - now());
  }

  async function countOne(trx: Trx, { key, limit }: { key: string; limit: Limit }, at: number): Promise<boolean> {
    const count = await countAttempt(trx, key, at, at - forgetMs);
    const pause = count === null ? 0 : pauseAfter(count, limit);
    if (pause > 0) await blockAttempts(trx, key, at + pause);
    return count !== null;
  }

  async function countIn(trx: Trx, attempts: readonly Attempt[]): Promise<void> {
    const at = now();
    for (const each of keyed(attempts)) {
      if (!(await countOne(trx, each, at))) throw rateLimited((await blockedUntil(trx, keysOf(attempts))) - at);
    }
  }

  return {
    async count(attempts) {
      // A flood of refused attempts costs a read each.
      await allow(attempts);
      await db.transaction((trx) => countIn(trx, attempts));
    },
    countIn,
    allow,
    record: (attempts) =>
      db.transaction(async (trx) => {
        for (const each of keyed(attempts)) await countOne(trx, each, now());
      }),
    async undo(trx, attempts) {
      for (const key of keysOf(attempts)) await undoAttempt(trx, key);
    },
    reset: (trx, attempts) => resetAttempts(trx, keysOf(attempts)),
    deleteExpired: () => db.transaction((trx) => deleteOldAttempts(trx, now() - forgetMs)),
  };
}

/** How long to pause after the `count`th attempt, milliseconds. */
export function pauseAfter(count: number, { free, firstMs, longestMs }: Limit): number {
  return count < free ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(count - free, 30));
}

/**
 * The network a caller belongs to, which limits are counted by: an IPv4 address, or the /64 of an IPv6 address, which one
 * household or server has. Anything that is not an IP address is one and the same network.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** Not who it was, but enough to know them again. */
function keyOf(name: LimitName, who: string, at: number): string {
  const { windowMs }: Limit = rateLimits[name];
  const window = windowMs === undefined ? '' : `\n${Math.floor(at / windowMs)}`;
  return createHash('sha256').update(`${name}\n${who}${window}`).digest('base64url');
}

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1;
}
