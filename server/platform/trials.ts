/**
 * Trials of changes: a change is made as always, up to its commit, and rolled back there. What it has noted for the journal is what it
 * would do. The change itself is then bound to that: a transaction that notes anything else is rolled back too.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import { AppError } from './errors.ts';

/** What a change does to one thing. */
export interface Foreseen {
  /** The words of the journal: `coupon end`. */
  action: string;
  /** A kind of the journal. */
  kind: string;
  id: string;
  /** Null: the whole thing. */
  fields: readonly { field: string; from?: unknown; to?: unknown }[] | null;
  /** What stands for the whole thing as it was: its revision. */
  was?: unknown;
  /** What becomes of other things: messages of the staff, with their values. */
  beyond?: readonly { key: string; values: Record<string, string | number> }[];
}

export interface Trial {
  /** What its transactions would do, in their order. */
  foreseen: Foreseen[];
  /** How many more things it would change than are foreseen one by one. */
  more: number;
  /** Whether a transaction of it did not say what it does. */
  isUnsaid: boolean;
  /** Whether it makes several changes one after the other, each of which is compared. */
  isBatch: boolean;
  /** Of each transaction, what it saw: a hash. */
  seen: string[];
}

/** A change that was tried before. */
export interface Tested {
  /** The first transaction has to see one of these; of a batch, each that changes something. What follows from it is not compared. */
  seen: ReadonlySet<string>;
  isBatch: boolean;
  /** Uses the trial up. Returns whether a transaction of this request has before. @throws {AppError} if another request has */
  take(trx: Trx): Promise<boolean>;
  /** Numbers of its entries in the journal. */
  entries: Set<number>;
}

type Course = { trial: Trial } | { tested: Tested };

/** Thrown at the end of a transaction of a trial, and at the end of the call: nobody but the caller of the trial sees it. */
export class Tried extends Error {
  override name = 'Tried';
}

/** Of a request, until its handler begins: what the shop does before belongs to no trial. */
const requested = new AsyncLocalStorage<Course>();
const underWay = new AsyncLocalStorage<Course>();

interface Said {
  foreseen: Foreseen[];
  more: number;
  entries: number[];
}
const said = new WeakMap<Trx, Said>();

/** Runs a request whose handler is a trial, or a change that was tried. */
export const inCourse = <T>(course: Course, work: () => Promise<T>): Promise<T> =>
  requested.run(course, work);

/** Runs the handler of a request. */
export function asHandler<T>(work: () => T): T {
  const course = requested.getStore();
  return course ? underWay.run(course, work) : work();
}

/** Runs what is true whatever becomes of a trial, such as what a payment provider says: it is written, and is no part of the change. */
export const beside = <T>(work: () => Promise<T>): Promise<T> => underWay.exit(work);

/** Whether a trial, or a change that was tried, is under way: then what is done later is worked out now. */
export const isTrialled = (): boolean => underWay.getStore() !== undefined;

/** Says what a transaction does. `more`: things that are not said one by one. */
export function foresee(
  trx: Trx,
  foreseen: readonly Foreseen[],
  { more = 0, entries = [] }: { more?: number; entries?: readonly number[] } = {},
): void {
  if (!isTrialled()) return;
  const known = said.get(trx) ?? { foreseen: [], more: 0, entries: [] };
  said.set(trx, {
    foreseen: [...known.foreseen, ...foreseen],
    more: known.more + more,
    entries: [...known.entries, ...entries],
  });
}

/**
 * Makes a change that takes many transactions. What it does is said in one before them, which a trial ends with, and which takes the
 * trial of a change that was tried.
 */
export async function saidAhead(
  db: Database,
  saying: (trx: Trx) => Promise<Foreseen[]>,
  work: () => Promise<void>,
): Promise<void> {
  if (!isTrialled()) return work();
  await db.transaction(async (trx) => foresee(trx, await saying(trx)));
  return beside(work);
}

/** Of one change among several that a call makes one after the other: what is only tried counts as done. */
export async function eachTried<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  const course = underWay.getStore();
  if (course && 'trial' in course) course.trial.isBatch = true;
  return work().catch((error: unknown) => {
    if (error instanceof Tried) return otherwise;
    throw error;
  });
}

/** From now on, no transaction of a trial is committed, and none of a change that does something else than its trial. */
export function installTrials(db: Database): void {
  db.beforeCommit(async (trx) => {
    const course = underWay.getStore();
    if (!course) return;
    const known = said.get(trx);
    const { foreseen, more, entries } = known ?? { foreseen: [], more: 0, entries: [] };
    said.delete(trx);
    const saw = sightOf(foreseen, more);
    if ('trial' in course) {
      const { trial } = course;
      trial.foreseen.push(...foreseen);
      trial.more += more;
      trial.isUnsaid ||= known === undefined;
      trial.seen.push(saw);
      throw new Tried();
    }
    const { tested } = course;
    const follows = (await tested.take(trx)) && (known === undefined || !tested.isBatch);
    if (!follows && !tested.seen.has(saw))
      throw new AppError('CONFLICT', { errorKey: 'staff.trial.changed' });
    for (const no of entries) tested.entries.add(no);
  });
}

/** What was there before. What is new gets another id each time, and moments pass between trial and change: neither is compared. */
function sightOf(foreseen: readonly Foreseen[], more: number): string {
  const things = foreseen.map(({ action, kind, id, fields, was, beyond }) => {
    const isNew = fields === null ? was === 0 : fields.every(({ from }) => from === undefined);
    return [action, kind, isNew ? '' : id, fields?.map(({ field, from }) => [field, from]), was, beyond];
  });
  return hash('sha256', JSON.stringify([things, more]));
}
