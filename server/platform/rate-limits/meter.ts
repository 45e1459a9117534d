/** Limits of what only reads: kept in memory, by process, so that a read costs no write. */
import { rateLimited } from '#server/platform/errors.ts';

interface MeterOptions {
  now: () => number;
  /** Units that may be used at once. */
  burst: number;
  perSecond: number;
}

/** Subjects in memory; those that have their whole burst again are dropped first. */
const mostSubjects = 10_000;

export type Meter = ReturnType<typeof createMeter>;

export function createMeter({ now, burst, perSecond }: MeterOptions) {
  const used = new Map<string, { units: number; at: number }>();

  function usedBy(who: string, at: number): number {
    const known = used.get(who);
    return known ? Math.max(0, known.units - ((at - known.at) / 1000) * perSecond) : 0;
  }

  function forgetIdle(at: number): void {
    for (const who of used.keys()) if (usedBy(who, at) === 0) used.delete(who);
    // Many at once: then the counts begin anew, which costs no more than a burst each.
    if (used.size >= mostSubjects) used.clear();
  }

  function add(who: string, units: number, at: number): void {
    const before = usedBy(who, at);
    if (used.size >= mostSubjects) forgetIdle(at);
    used.set(who, { units: before + units, at });
  }

  function require(who: string, units: number, at: number): void {
    const excess = usedBy(who, at) + Math.min(units, burst) - burst;
    if (excess > 0) throw rateLimited(Math.ceil((excess / perSecond) * 1000));
  }

  return {
    /** What is dearer than a burst waits for a whole one. @throws {AppError} RATE_LIMITED, with nothing used */
    use(who: string, units: number): void {
      const at = now();
      require(who, units, at);
      add(who, units, at);
    },
    /** Uses nothing. @throws {AppError} RATE_LIMITED while more was charged than a burst */
    check: (who: string): void => require(who, 0, now()),
    /** For what is known once it is done: it is never refused, and what comes next waits for it. */
    charge(who: string, units: number): void {
      if (units > 0) add(who, units, now());
    },
  };
}
