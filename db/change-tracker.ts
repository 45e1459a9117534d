/** Keeps in memory when each topic last changed, for caches to ask whether what they hold is outdated. */
import { everything } from './catalogue-version.ts';

/** A row of `catalogue_changes`. */
export interface CatalogueChange {
  version: number;
  /** A JSON array of topics. */
  topics: string;
}

/**
 * A moment is a count of the changes that this process has seen. Unlike the version it never goes back, so that a database that
 * is replaced by an older one cannot make something outdated look current.
 */
export interface ChangeLog {
  /** Learns of every change committed before the call. Returns undefined if no waiting is needed. */
  refresh(): Promise<void> | undefined;
  /** The present moment. Read it before the data that is cached with it. */
  readonly moment: number;
  /** Whether a known change after `moment` touched one of the topics. Without topics, any change does. */
  changedSince(moment: number, topics: readonly string[]): boolean;
}

/** Topics remembered one by one; with more, everything older counts as changed. */
const mostTopics = 20_000;

export class ChangeTracker {
  readonly #changedAt = new Map<string, number>();
  #version: number | null = null;
  #moment = 0;
  /** Everything from before this moment counts as changed. */
  #floor = 0;

  /** The version up to which changes are known; null before the first. */
  get version(): number | null {
    return this.#version;
  }

  get moment(): number {
    return this.#moment;
  }

  changedSince(moment: number, topics: readonly string[]): boolean {
    if (moment === this.#moment) return false;
    if (moment < this.#floor || topics.length === 0) return true;
    for (const topic of topics) if (topic === everything || (this.#changedAt.get(topic) ?? 0) > moment) return true;
    return false;
  }

  /**
   * Takes over a version that was read, and the changes after the known one. Where a change is missing, because it was pruned or
   * the database was replaced, everything counts as changed.
   */
  advance(read: number, changes: readonly CatalogueChange[]): void {
    const version = Math.max(read, ...changes.map((change) => change.version));
    const before = this.#version;
    if (version === before) return;
    this.#version = version;
    this.#moment += 1;
    if (before === null || changes.length !== version - before) this.#forget();
    else for (const { topics } of changes) this.#touch(JSON.parse(topics) as string[]);
    if (this.#changedAt.size > mostTopics) this.#forget();
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
