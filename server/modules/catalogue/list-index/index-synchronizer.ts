/** Builds the index in memory, and keeps it at the state of the database: changed products are taken over one by one. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { localeCodes } from '#contract/locales.ts';
import { everything } from '#db/catalogue-version.ts';
import type { CatalogueChange } from '#db/change-tracker.ts';
import type { SqliteReader } from '#db/sqlite/reader.ts';
import { topics } from '#server/platform/topics.ts';
import { recordIn, searchEntry } from '../index-products.ts';
import { sortColumns } from '../listing-record.ts';
import { loadProducts } from '../product-loader.repository.ts';
import { type RankGroup, rankGroupToken, scopeToken } from '../search/tokens.ts';
import { allScopes } from '../taxonomy.repository.ts';
import { loadNames } from '../taxonomy.ts';
import {
  catalogueSize,
  catalogueVersion,
  changesAfter,
  frequentStems,
  listedAfter,
  productNosOfToken,
} from './list-index.repository.ts';
import { ListIndex } from './list-index.ts';

export interface IndexSynchronizerDeps {
  /** The connection of the reads that use the index. */
  reader: SqliteReader;
  /** Opens a connection for building, on which one state can be read while `reader` moves on. */
  openReader: () => SqliteReader;
  /** How long to wait before building after a change of everything, ms: an import makes many of them. */
  rebuildAfterMs: number;
  /** Called after building, which leaves much garbage. */
  onBuilt?: () => Promise<void>;
}

/** Rows read at once while building, so that reads need not wait long. */
const buildRows = 5000;
/** Room for products that are added after building. */
const spareNos = 4096;
/** Stems and scopes whose products are loaded at once after building. */
const warmStems = 80;
const warmScopes = 60;
/** Memory for tokens, bytes: at least, and for each product. The bits of four hundred tokens take 50 bytes a product. */
const leastTokenBytes = 8 * 1024 * 1024;
const tokenBytesPerProduct = 50;
/** More changed products are not taken over one by one. */
const mostFollowed = 2000;

export class IndexSynchronizer {
  readonly #deps: IndexSynchronizerDeps;
  #index: ListIndex | null = null;
  #version = 0;
  #building: Promise<void> | null = null;
  #closed = false;
  #words = 0;

  constructor(deps: IndexSynchronizerDeps) {
    this.#deps = deps;
  }

  /** Changes whenever words, or the products that have them, may have changed. As of the last call of `current`. */
  get words(): number {
    return this.#words;
  }

  /** The index at the state of the reader's snapshot, in which it must be called; null while it is built. */
  async current(): Promise<ListIndex | null> {
    const { db } = this.#deps.reader;
    const version = await catalogueVersion(db);
    if (version !== this.#version) {
      const followed = this.#index !== null && (await this.#follow(this.#index, version, await changesAfter(db, this.#version)));
      this.#version = version;
      if (!followed) {
        this.#words += 1;
        this.#index = null;
      }
    }
    if (this.#index === null && this.#building === null) this.#startBuilding();
    return this.#index;
  }

  /** Resolves when no index is being built; for tests. */
  async settled(): Promise<void> {
    while (this.#building) await this.#building;
  }

  close(): void {
    this.#closed = true;
  }

  #startBuilding(): void {
    const delay = this.#words > 1 ? this.#deps.rebuildAfterMs : 0;
    const building = pause(delay)
      .then(() => this.#build())
      // The reads go on without it, and the next one tries again.
      .catch(() => {})
      .finally(() => {
        if (this.#building === building) this.#building = null;
      });
    this.#building = building;
  }

  async #build(): Promise<void> {
    const { openReader, reader } = this.#deps;
    const source = openReader();
    try {
      await source.snapshot(async () => {
        const version = await catalogueVersion(source.db);
        const { highestNo, allScope } = await catalogueSize(source.db);
        const index = new ListIndex({
          capacity: highestNo + Math.ceil(highestNo / 64) + spareNos,
          maxBytes: Math.max(leastTokenBytes, highestNo * tokenBytesPerProduct),
          loadPosting: (token) => productNosOfToken(reader.db, token),
        });
        for (const sort of [...Object.values(sortColumns), ...localeCodes])
          await this.#fill(index, source, { scope: allScope, sort });
        if (this.#closed) return;
        this.#index = index;
        this.#version = version;
      });
    } finally {
      source.close();
    }
    await this.#warm();
    await this.#deps.onBuilt?.();
  }

  async #fill(index: ListIndex, source: SqliteReader, order: { scope: number; sort: string }): Promise<void> {
    let after = { key: Number.NEGATIVE_INFINITY, product_no: 0 };
    for (;;) {
      const rows = await listedAfter(source.db, order, after, buildRows);
      for (const row of rows) {
        index.append(order.sort, row.product_no, row.key);
        if (order.sort === sortColumns.default) index.note(row.product_no, row.key);
      }
      const last = rows.at(-1);
      if (!last || rows.length < buildRows || this.#closed) return;
      after = last;
      await nextTurn();
    }
  }

  /** Loads the products of frequent words, which take longest. */
  async #warm(): Promise<void> {
    const { reader } = this.#deps;
    const stems = await reader.snapshot(() => frequentStems(reader.db, warmStems));
    const tiers: RankGroup[] = [3, 2, 1];
    const scopes = (await allScopes(reader.db)).sort((a, b) => b.count - a.count).slice(0, warmScopes);
    const tokens = [
      ...tiers.flatMap((tier) => stems.map((stem) => rankGroupToken(tier, stem))),
      ...scopes.map(({ id }) => scopeToken(id)),
    ];
    for (const token of tokens) {
      if (this.#closed) return;
      await reader.snapshot(async () => (await this.current())?.warm(token));
      await nextTurn();
    }
  }

  /** Takes over the changes after the index's version. Returns false if it has to be built again. */
  async #follow(index: ListIndex, version: number, changes: readonly CatalogueChange[]): Promise<boolean> {
    if (changes.length !== version - this.#version) return false;
    const changed = new Map<number, { words: boolean }>();
    for (const change of changes) {
      const named = new Set(JSON.parse(change.topics) as string[]);
      const nos = [...named].flatMap((topic) => productNoOfTopic(topic) ?? []);
      const words = named.has(topics.search);
      const unknown = named.has(everything) || (words && (named.has(topics.taxonomy) || nos.length === 0));
      if (unknown || nos.some((no) => no >= index.capacity)) return false;
      if (words) this.#words += 1;
      for (const no of nos) changed.set(no, { words: words || (changed.get(no)?.words ?? false) });
    }
    if (changed.size > mostFollowed) return false;
    await this.#takeOver(index, changed);
    return true;
  }

  async #takeOver(index: ListIndex, changed: ReadonlyMap<number, { words: boolean }>): Promise<void> {
    const { db } = this.#deps.reader;
    const names = await loadNames(db);
    for (const [no, { words }] of changed) {
      const [stored] = await loadProducts(db, [no]);
      const record = stored ? recordIn(stored) : null;
      index.update(no, record);
      if (!words) continue;
      const tokens = stored && record ? searchEntry(stored.facts, names, record).document.tokens : [];
      index.updateTokens(no, new Set([...tokens, ...(record?.scopes ?? []).map(scopeToken)]));
    }
  }
}

/** The number in `product:<no>`; undefined for other topics. */
function productNoOfTopic(topic: string): number | undefined {
  const prefix = topics.product(0).slice(0, -1);
  return topic.startsWith(prefix) ? Number(topic.slice(prefix.length)) : undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
