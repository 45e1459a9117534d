/**
 * A request with a key is done once, however often it arrives. Its sender makes the key when a form opens, and sends it again with the
 * same form while no answer has come. The key is stored in the transaction of the change, so that both are there, or neither.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Trx } from '#db/database.ts';
import { AppError } from '../errors.ts';
import { dayMs } from '../time-zone.ts';
import {
  deleteRequestsBefore,
  findRequest,
  keepAnswer,
  type RequestRow,
  releaseKey,
  takeKey,
} from './request-keys.repository.ts';

/** Longer than any device keeps what it could not send. */
const keptMs = 7 * dayMs;
/** How long a second arrival waits for the answer to the first. */
const waitMs = 8000;
const stepMs = 50;

export interface KeyedRequest {
  /** Whose key it is: nobody else's request has it. */
  owner: string;
  key: string;
  /** The call and what it was sent. */
  asked: unknown;
  /** JSON of an answer that is known before it is done. */
  answer?: string;
  /** How long the key is this request's, if not as long as it is kept. */
  lastsMs?: number;
}

interface UnderWay extends RequestRow {
  now: () => number;
  lastsMs: number | undefined;
}

const underWay = new AsyncLocalStorage<UnderWay>();

/** The request, or another arrival of it, was done before. Only `RequestKeys` catches it. */
class DoneBefore extends Error {}

/** Runs `work` in a transaction that takes the key of the request under way, if that has one. */
export function transactOnce<T>(db: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  // A transaction may run beside others' requests.
  const request = underWay.getStore();
  if (!request) return db.transaction(work);
  const { now, lastsMs, ...row } = request;
  return db.transaction(async (trx) => {
    const at = now();
    if (lastsMs !== undefined) await releaseKey(trx, row, at - lastsMs);
    if (!(await takeKey(trx, { ...row, at }))) throw new DoneBefore();
    return work(trx);
  });
}

export type RequestKeys = ReturnType<typeof createRequestKeys>;

export function createRequestKeys({ db, now }: { db: Database; now: () => number }) {
  const requestOf = ({ owner, key, asked, answer, lastsMs }: KeyedRequest): UnderWay => {
    const fingerprint = hash('sha256', JSON.stringify(asked));
    return { owner, key, fingerprint, request: randomUUID(), answer: answer ?? null, at: 0, now, lastsMs };
  };

  /** The answer to another arrival. @throws {AppError} CONFLICT if that asked for something else, or its answer was never stored */
  async function answered(request: UnderWay): Promise<string> {
    for (const until = performance.now() + waitMs; ; await pause(stepMs)) {
      const known = await findRequest(db.read, request);
      if (known && known.fingerprint !== request.fingerprint)
        throw new AppError('CONFLICT', { errorKey: 'error.sentBefore' });
      if (known?.answer) return known.answer;
      if (known && known.at < now() - waitMs)
        throw new AppError('CONFLICT', { errorKey: 'error.sentBefore' });
      if (performance.now() >= until)
        throw new AppError('CONFLICT', { errorKey: 'error.underWay', retryAfterMs: waitMs });
    }
  }

  return {
    /** What `run` answers, in JSON, or what it answered before. */
    async answer(keyed: KeyedRequest, run: () => Promise<string>): Promise<string> {
      const request = requestOf(keyed);
      if (await findRequest(db.read, request)) return answered(request);
      try {
        const answer = await underWay.run(request, run);
        if (request.answer === null)
          await db.transaction((trx) => keepAnswer(trx, request.request, request, answer));
        return answer;
      } catch (error) {
        if (error instanceof DoneBefore) return answered(request);
        throw error;
      }
    },

    /** What `run` returns; if it was done before, what `again` reads, which is told when. */
    async done<T>(keyed: KeyedRequest, run: () => Promise<T>, again: (at: number) => Promise<T>): Promise<T> {
      const request = requestOf(keyed);
      try {
        return await underWay.run(request, run);
      } catch (error) {
        if (!(error instanceof DoneBefore)) throw error;
        const known = await findRequest(db.read, request);
        if (known?.fingerprint !== request.fingerprint)
          throw new AppError('CONFLICT', { errorKey: 'error.sentBefore' });
        return again(known.at);
      }
    },
  };
}

/** Keys that no device sends again. */
export const deleteOldRequestKeys = (db: Database, at: number) => deleteRequestsBefore(db, at - keptMs);
