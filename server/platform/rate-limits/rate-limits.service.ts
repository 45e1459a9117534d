/**
 * The growing delays are stored in the database, so that all processes share them. An attempt is counted before it is checked, so
 * that parallel attempts cannot all pass; a successful one is removed from the count.
 */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Database, Trx } from '#db/database.ts';
import { rateLimited } from '#server/platform/errors.ts';
import { hourMs, minuteMs, secondMs } from '../time-zone.ts';
import {
  blockAttempts,
  blockedUntil,
  countAttempt,
  deleteOldAttempts,
  resetAttempts,
  undoAttempt,
} from './rate-limits.repository.ts';

interface Limit {
  free: number;
  /** Doubles with each further attempt, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
  /** When the count restarts. Left out, after a day without an attempt. */
  windowMs?: number;
}

/**
 * Subjects: an account by the email that was entered, a customer by id, a client by network (`networkOf`). A limit whose name
 * ends with `Address` is by network, and counts for the networks around it as well (`networksAround`).
 */
export const rateLimits = {
  signOnAccount: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  signOnKnownPlace: { free: 10, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  signOnAddress: { free: 20, firstMs: 2 * secondMs, longestMs: hourMs },
  staffAccount: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  // From a browser in which this person signed in before: others' guesses do not lock it out.
  staffDevice: { free: 10, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  // Showing password and code again, by the session that asks.
  staffConfirm: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  staffAddress: { free: 20, firstMs: 2 * secondMs, longestMs: hourMs },
  // A PIN has as few as 10,000 values: a year of guessing one.
  pinPerson: { free: 5, firstMs: 2 * secondMs, longestMs: hourMs },
  pinStation: { free: 15, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  // Each is a row for five minutes.
  passkeyAddress: { free: 120, firstMs: 2 * secondMs, longestMs: hourMs },
  registerAddress: { free: 30, firstMs: 5 * secondMs, longestMs: hourMs },
  forgotAccount: { free: 3, firstMs: minuteMs, longestMs: hourMs },
  forgotAddress: { free: 20, firstMs: 10 * secondMs, longestMs: hourMs },
  resetAddress: { free: 20, firstMs: 2 * secondMs, longestMs: hourMs },
  couponShopper: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  couponAddress: { free: 40, firstMs: 2 * secondMs, longestMs: hourMs },
  likeAddress: { free: 60, firstMs: secondMs, longestMs: minuteMs },
  formAddress: { free: 6, firstMs: 30 * secondMs, longestMs: hourMs },
  // Many customers order from one café's network, few from a network of their own.
  reserveAddress: { free: 120, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  reserveEmail: { free: 40, firstMs: minuteMs, longestMs: hourMs, windowMs: 24 * hourMs },
  // A school or an office shops from one network, but does not start six hundred carts an hour.
  guestAddress: { free: 600, firstMs: secondMs, longestMs: minuteMs, windowMs: hourMs },
  // Each is a request to a site that the caller names.
  agentProfileAddress: { free: 60, firstMs: 2 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  // Calls of one agent that change something, and those from its network: each counts as one and one for each line that it names.
  agentChanges: { free: 60_000, firstMs: secondMs, longestMs: minuteMs, windowMs: hourMs },
  agentChangesAddress: { free: 18_000, firstMs: secondMs, longestMs: minuteMs, windowMs: hourMs },
  // Links that fill carts are followed by people, one for each line.
  cartLinkAddress: { free: 3000, firstMs: secondMs, longestMs: minuteMs, windowMs: hourMs },
  orderLinkAddress: { free: 600, firstMs: secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  // Each renders a page for whoever asks.
  draftLinkAddress: { free: 300, firstMs: secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  unknownLinkAddress: { free: 30, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
  // Each is a call to the geocoder, for an address that it was not asked before.
  geocodeAddress: { free: 60, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  declinedAddress: { free: 100, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  // Payments that were begun and have taken nothing: each is a row, and calls to the provider.
  unpaidAttemptsBuyer: { free: 30, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  unpaidAttemptsAddress: { free: 300, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  // Providers send webhooks again for days, so a pause delays them only.
  forgedWebhookAddress: { free: 30, firstMs: 2 * secondMs, longestMs: minuteMs, windowMs: hourMs },
  // Each is an email or a call to a provider.
  emailTest: { free: 20, firstMs: 10 * secondMs, longestMs: 15 * minuteMs, windowMs: hourMs },
  connectionTest: { free: 20, firstMs: 2 * secondMs, longestMs: minuteMs, windowMs: hourMs },
  confirmPassword: { free: 5, firstMs: 2 * secondMs, longestMs: 15 * minuteMs },
} as const satisfies Record<string, Limit>;
export type LimitName = keyof typeof rateLimits;

/** `units` are what it costs, 1 if it is left out. */
export type Attempt = readonly [limit: LimitName, who: string, units?: number];

interface Counted {
  key: string;
  limit: Limit;
  units: number;
}

/** Without an attempt. */
const forgetMs = 24 * hourMs;

export type RateLimitsService = ReturnType<typeof createRateLimitsService>;

export function createRateLimitsService({ db, now }: { db: Database; now: () => number }) {
  /** Sorted, so that two callers that count the same keys cannot deadlock. */
  function keyed(attempts: readonly Attempt[]): Counted[] {
    return attempts
      .flatMap(([name, who, units = 1]) => limitsOf(name, who, now()).map((each) => ({ ...each, units })))
      .sort(byKey);
  }

  const keysOf = (attempts: readonly Attempt[]) => keyed(attempts).map(({ key }) => key);

  async function allow(attempts: readonly Attempt[]): Promise<void> {
    const until = await blockedUntil(db.read, keysOf(attempts));
    if (until > now()) throw rateLimited(until - now());
  }

  async function countIn(trx: Trx, attempts: readonly Attempt[]): Promise<void> {
    const at = now();
    for (const each of keyed(attempts)) {
      if (!(await countOne(trx, each, at)))
        throw rateLimited((await blockedUntil(trx, keysOf(attempts))) - at);
    }
  }

  return {
    /** @throws {AppError} RATE_LIMITED, with nothing counted, if one of the limits is paused */
    async count(attempts: readonly Attempt[]): Promise<void> {
      // Checked first, so that a flood of rejected attempts costs one read each.
      await allow(attempts);
      await db.transaction((trx) => countIn(trx, attempts));
    },
    /** A rollback also removes the attempts, and parallel attempts are counted exactly. @throws {AppError} RATE_LIMITED */
    countIn,
    /** Counts nothing; call `record` afterwards. @throws {AppError} RATE_LIMITED */
    allow,
    /** For actions that may run in parallel: attempts already under way are allowed. */
    record: (attempts: readonly Attempt[]): Promise<void> =>
      db.transaction(async (trx) => {
        for (const each of keyed(attempts)) await countOne(trx, each, now());
      }),
    /** For an attempt that was correct, or failed through no fault of the caller. */
    async undo(trx: Trx, attempts: readonly Attempt[]): Promise<void> {
      for (const { key, units } of keyed(attempts)) await undoAttempt(trx, key, units);
    },
    reset: (trx: Trx, attempts: readonly Attempt[]): Promise<void> => resetAttempts(trx, keysOf(attempts)),
    deleteExpired: (): Promise<void> => db.transaction((trx) => deleteOldAttempts(trx, now() - forgetMs)),
  };
}

/** False while the limit is paused. */
async function countOne(trx: Trx, { key, limit, units }: Counted, at: number): Promise<boolean> {
  const count = await countAttempt(trx, { key, units, at, forgottenBefore: at - forgetMs });
  const pause = count === null ? 0 : pauseAfter(count, limit);
  if (pause > 0) await blockAttempts(trx, key, at + pause);
  return count !== null;
}

export function pauseAfter(count: number, { free, firstMs, longestMs }: Limit): number {
  return count < free ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(count - free, 30));
}

/** An IPv4 address, or the /64 of an IPv6 address, which one household or server has. All other text counts as one network. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** Providers give households a /64 or /56, anybody a /48 with 65,536 networks. Each has `share` times a single one's limit. */
export function networksAround(network: string): { name: string; share: number }[] {
  const [a, b, c, d] = network.split(':');
  if (d === undefined) return [{ name: network, share: 1 }];
  const site = `${a}:${b}:${c}`;
  return [
    { name: network, share: 1 },
    { name: `${site}:${d.slice(0, -2) || '0'}/56`, share: 4 },
    { name: `${site}/48`, share: 16 },
  ];
}

function limitsOf(name: LimitName, who: string, at: number): { key: string; limit: Limit }[] {
  const own: Limit = rateLimits[name];
  return (name.endsWith('Address') ? networksAround(who) : [{ name: who, share: 1 }]).map(
    ({ name: subject, share }) => {
      // Somebody of a large network tries every day, so its count does not wait for a day without an attempt.
      const limit =
        share === 1 ? own : { ...own, free: own.free * share, windowMs: own.windowMs ?? forgetMs };
      const window = limit.windowMs === undefined ? '' : `\n${Math.floor(at / limit.windowMs)}`;
      // A hash: it recognises the subject without revealing it.
      return { key: createHash('sha256').update(`${name}\n${subject}${window}`).digest('base64url'), limit };
    },
  );
}

function byKey(a: { key: string }, b: { key: string }): number {
  return a.key < b.key ? -1 : 1;
}
