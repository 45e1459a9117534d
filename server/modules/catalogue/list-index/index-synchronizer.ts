/** Builds the index in memory, and keeps it at the state of the database: changed products are taken over one by one. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { localeCodes } from '#contract/locales.ts';
import { everything } from '#db/catalogue-version.ts';
import type { CatalogueChange } from '#db/change-tracker.ts';
import type { SqliteReader } from '#db/sqlite/reader.ts';
import { topics } from '#server/platform/topics.ts';
import { recordIn, searchEntry } from '../index-products.ts';
import { sortColumns } from '../listing-record.ts';
import { loadProducts, type StoredProduct } from '../product-loader.repository.ts';
import { scopeToken } from '../search/tokens.ts';
import { allScopes } from '../taxonomy.repository.ts';
import { loadNames, type TaxonomyNames } from '../taxonomy.ts';
import { catalogueSize, catalogueVersion, changesAfter, listedAfter, productNosOfToken } from './list-index.repository.ts';
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
/** The products whose tokens are counted after building, to load the most frequent tokens at once. */
const sampledProducts = 1000;
const sampledAtOnce = 50;
/** Tokens that fewer products of the sample have are loaded when they are first needed. */
const leastSampled = 3;
/** Memory for tokens, bytes: at least, and for each product. The bits of eight hundred tokens take 100 bytes a product. */
const leastTokenBytes = 12 * 1024 * 1024;
const tokenBytesPerProduct = 100;
/** The part of this memory that is filled after building. */
const warmedPart = 0.8;
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
          maxBytes: tokenBytes(highestNo),
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

  /** Loads the products of every scope and of the most frequent tokens, which take longest, until the memory is nearly full. */
  async #warm(): Promise<void> {
    for (const token of await this.#tokensToLoad()) {
      if (this.#closed || !(await this.#load(token))) return;
      await nextTurn();
    }
  }

  /** Returns false if there is no index or hardly any memory left. */
  #load(token: string): Promise<boolean> {
    return this.#deps.reader.snapshot(async () => {
      const index = await this.current();
      if (!index || index.tokenFill > warmedPart) return false;
      await index.warm(token);
      return true;
    });
  }

  /** Every scope, which facets count, then the tokens of most products of a sample, most frequent first. */
  async #tokensToLoad(): Promise<string[]> {
    const { reader } = this.#deps;
    const scopes = (await reader.snapshot(() => allScopes(reader.db))).map(({ id }) => scopeToken(id));
    const sample = this.#index?.spread(sampledProducts) ?? [];
    const counts = new Map<string, number>();
    for (let start = 0; start < sample.length && !this.#closed; start += sampledAtOnce) {
      const nos = sample.slice(start, start + sampledAtOnce);
      await reader.snapshot(async () => {
        const names = await loadNames(reader.db);
        for (const stored of await loadProducts(reader.db, nos))
          for (const token of tokensOf(stored, names)) counts.set(token, (counts.get(token) ?? 0) + 1);
      });
      await nextTurn();
    }
    const frequent = [...counts].filter(([, count]) => count >= leastSampled).sort(([, one], [, other]) => other - one);
    return [...new Set([...scopes, ...frequent.map(([token]) => token)])];
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
      index.update(no, stored ? recordIn(stored) : null);
      if (words) index.updateTokens(no, stored ? tokensOf(stored, names) : new Set());
    }
  }
}

/** What a product is found by; nothing if it is in no list. */
function tokensOf(stored: StoredProduct, names: TaxonomyNames): Set<string> {
  const record = recordIn(stored);
  if (!record) return new Set();
  return new Set(searchEntry(stored.facts, names, record).document.tokens);
}

/** Memory for the tokens of so many products, bytes. */
function tokenBytes(products: number): number {
  return Math.max(leastTokenBytes, products * tokenBytesPerProduct);
}

/** The number in `product:<no>`; undefined for other topics. */
function productNoOfTopic(topic: string): number | undefined {
  const prefix = topics.product(0).slice(0, -1);
  return topic.startsWith(prefix) ? Number(topic.slice(prefix.length)) : undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
