/** Pages never wait for external sites: values are refreshed in the background, and the last good one stays while a site is down. */
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import { SafeFetchError } from '#server/platform/safe-fetch/pinned-request.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import {
  claimSource,
  deleteSource,
  sourceKeys,
  sourcesByKey,
  updateSource,
} from './external-sources.repository.ts';

export interface Validators {
  etag?: string;
  lastModified?: string;
}

/** A null `value` means that nothing has changed since `validators` were received. */
export interface Reading {
  value: unknown;
  validators: Validators;
}

export interface SourceFailure {
  source: string;
  failures: number;
  /** The reason, without request or response data. */
  problem: string;
}

export type ExternalSourcesService = ReturnType<typeof createExternalSourcesService>;

/** How long a good value is shown before the source is read again, ms. */
export const freshMs = 30 * minuteMs;
/** Longer than any reading takes, so that only a dead process loses its claim. */
const claimMs = 5 * minuteMs;
const longestPauseMs = 12 * 60 * minuteMs;

export interface SourcesDeps {
  db: Database;
  now: () => number;
  onProblem?: ((problem: SourceFailure) => void) | undefined;
}

export function createExternalSourcesService({ db, now, onProblem = () => {} }: SourcesDeps) {
  const reading = new Map<string, Promise<void>>();

  async function readOnce(key: string, read: (validators: Validators) => Promise<Reading>): Promise<void> {
    const at = now();
    const [before] = await sourcesByKey(db.read, [key]);
    if (before && before.due_at > at) return;
    const row = await db.transaction((trx) => claimSource(trx, key, at, at + claimMs));
    if (!row) return;
    try {
      const { value, validators } = await read(JSON.parse(row.validators));
      const fresh = { due_at: now() + freshMs, good_at: now(), failures: 0, problem: null };
      const text = value === null ? row.value : JSON.stringify(value);
      await db.transaction(async (trx) => {
        await updateSource(trx, key, { ...fresh, value: text, validators: JSON.stringify(validators) });
        if (text !== row.value) await recordCatalogueChange(trx, [topics.externalSource(key)]);
      });
    } catch (error) {
      const failures = row.failures + 1;
      const problem = problemOf(error);
      const due_at = now() + pauseAfter(failures);
      await db.transaction((trx) => updateSource(trx, key, { due_at, failures, problem }));
      onProblem({ source: nameOf(key), failures, problem });
    }
  }

  return {
    /** The last good values by key. A source that was never read is missing. */
    async values(keys: readonly string[]): Promise<Map<string, unknown>> {
      recordReads(...keys.map(topics.externalSource));
      const rows = await sourcesByKey(db.read, [...new Set(keys)]);
      return new Map(rows.flatMap(({ key, value }) => (value === null ? [] : [[key, JSON.parse(value)]])));
    },
    /** Reads a source if it is due; parallel callers share one reading. Never rejects. */
    refresh(key: string, read: (validators: Validators) => Promise<Reading>): Promise<void> {
      const under = reading.get(key);
      if (under) return under;
      const mine = readOnce(key, read)
        .catch((error: unknown) => onProblem({ source: nameOf(key), failures: 1, problem: problemOf(error) }))
        .finally(() => reading.delete(key));
      reading.set(key, mine);
      return mine;
    },
    async keepOnly(prefix: string, keys: readonly string[]): Promise<void> {
      const gone = (await sourceKeys(db.read, prefix)).filter((key) => !keys.includes(key));
      if (gone.length === 0) return;
      await db.transaction(async (trx) => {
        for (const key of gone) await deleteSource(trx, key);
      });
    },
  };
}

/** The pause after consecutive failures, ms: 2 minutes, doubling, at most 12 hours. */
export function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, 2 * minuteMs * 2 ** Math.min(failures - 1, 20));
}

/** Request and response data stay out of the log: URLs may contain keys. */
function problemOf(error: unknown): string {
  if (error instanceof SafeFetchError) return error.message;
  const { code, name = 'Error' } = error as { code?: string; name?: string };
  return code ?? name;
}

/** Without the path, which may contain a key. */
function nameOf(key: string): string {
  const address = key.slice(key.indexOf(':') + 1);
  return URL.canParse(address) ? new URL(address).host : key;
}
