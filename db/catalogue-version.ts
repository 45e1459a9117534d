/** Every change of catalogue or content increments it, and caches read it on the path of a request. */
import type { Trx } from './database.ts';

/** The topic of a change that may touch anything. */
export const everything = '*';

/** Changes that touch more are recorded as `everything`. */
const mostTopics = 300;
/** A process may be so far behind without dropping all that it has cached. */
const keptChanges = 1000;

/** Call it in every transaction that changes what catalogue or content show. No `topics`: nobody can see the change. */
export async function recordCatalogueChange(trx: Trx, topics: Iterable<string>): Promise<void> {
  const named = [...new Set(topics)];
  if (named.length === 0) return;
  // The row is locked until the transaction ends, so versions become visible in their order.
  const { version } = await trx
    .updateTable('catalogue_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', 1)
    .returning('version')
    .executeTakeFirstOrThrow();
  const stored = JSON.stringify(named.length > mostTopics ? [everything] : named);
  await trx.insertInto('catalogue_changes').values({ version, topics: stored }).execute();
  if (version % 100 === 0)
    await trx
      .deleteFrom('catalogue_changes')
      .where('version', '<=', version - keptChanges)
      .execute();
}

/** It may touch anything. */
export async function bumpCatalogueVersion(trx: Trx): Promise<void> {
  await recordCatalogueChange(trx, [everything]);
}

export interface CatalogueChange {
  version: number;
  /** A JSON array of topics. */
  topics: string;
}

/** A moment counts the changes seen. It never goes back, even if an older database takes the place of this one. */
export interface ChangeLog {
  /** Changes committed before the call. Undefined if no waiting is needed. */
  refresh(): Promise<void> | undefined;
  /** Read it before the data that is cached with it. */
  readonly moment: number;
  /** Without topics, any change counts. */
  changedSince(moment: number, topics: readonly string[]): boolean;
}

/** With more, everything older counts as changed. */
const mostHeldTopics = 20_000;

export class ChangeTracker {
  readonly #changedAt = new Map<string, number>();
  #version: number | null = null;
  #moment = 0;
  /** Everything from before this moment counts as changed. */
  #floor = 0;

  /** Null before the first. */
  get version(): number | null {
    return this.#version;
  }

  get moment(): number {
    return this.#moment;
  }

  changedSince(moment: number, topics: readonly string[]): boolean {
    if (moment === this.#moment) return false;
    if (moment < this.#floor || topics.length === 0) return true;
    for (const topic of topics)
      if (topic === everything || (this.#changedAt.get(topic) ?? 0) > moment) return true;
    return false;
  }

  /** Where a change after the known one is missing (pruned, or another database), everything counts as changed. */
  advance(read: number, changes: readonly CatalogueChange[]): void {
    const version = Math.max(read, ...changes.map((change) => change.version));
    const before = this.#version;
    if (version === before) return;
    this.#version = version;
    this.#moment += 1;
    if (before === null || changes.length !== version - before) this.#forget();
    else for (const { topics } of changes) this.#touch(JSON.parse(topics) as string[]);
    if (this.#changedAt.size > mostHeldTopics) this.#forget();
  }

  #touch(topics: readonly string[]): void {
    if (topics.includes(everything)) this.#forget();
    else for (const topic of topics) this.#changedAt.set(topic, this.#moment);
  }

  #forget(): void {
    this.#floor = this.#moment;
    this.#changedAt.clear();
  }
}
