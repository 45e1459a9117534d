/**
 * Lists and searches in memory: every order of the listed products, and bits for the products of a token. A list is the
 * intersection of a few sets of bits, read along an order, so its time does not depend on how many products match.
 */
import type { ListingRecord } from '../listing-record.ts';
import { sortColumns, sortKeys } from '../listing-record.ts';
import { soldOutFrom } from '../order-key.ts';
import type { Groups } from '../search/plan-query.ts';
import { type Bits, clearBit, countBits, countCommon, hasBit, keepOnly, newBits, removeAll, setBit } from './bits.ts';
import { Postings } from './postings.ts';
import { SortedOrder } from './sorted-order.ts';

/** What to select: products that match the last of the tiers and have all of the tokens. */
export interface Selection {
  /** Best matches first, each including those before it; empty for lists, which have no text. */
  tiers: readonly Groups[];
  /** The tokens of scopes. */
  filters: readonly string[];
}

export interface ListIndexOptions {
  /** Product numbers are below it. */
  capacity: number;
  /** Memory for tokens, bytes. */
  maxBytes: number;
  loadPosting: (token: string) => Promise<ArrayLike<number>>;
}

export class ListIndex {
  readonly capacity: number;
  readonly #orders = new Map<string, SortedOrder>();
  readonly #postings: Postings;
  readonly #listed: Bits;
  readonly #inStock: Bits;

  constructor({ capacity, maxBytes, loadPosting }: ListIndexOptions) {
    this.capacity = capacity;
    this.#postings = new Postings({ capacity, maxBytes, load: loadPosting });
    this.#listed = newBits(capacity);
    this.#inStock = newBits(capacity);
  }

  /** Whether the order is known: a database may lack the names of a language. */
  hasOrder(sort: string): boolean {
    return this.#orders.has(sort);
  }

  /** Adds a product to an order, after all that were added to it before. */
  append(sort: string, no: number, key: number): void {
    this.#order(sort).append(no, key);
  }

  /** Notes that a product of the default order is listed. */
  note(no: number, key: number): void {
    setBit(this.#listed, no);
    (key < soldOutFrom ? setBit : clearBit)(this.#inStock, no);
  }

  /** Takes over the listing that a product has now; null if it is in no list any more. */
  update(no: number, record: ListingRecord | null): void {
    if (hasBit(this.#listed, no)) for (const order of this.#orders.values()) order.remove(no);
    clearBit(this.#listed, no);
    clearBit(this.#inStock, no);
    if (record === null) return;
    for (const [sort, key] of sortKeys(record)) this.#order(sort).insert(no, key);
    this.note(no, record.key);
  }

  /** Takes over the tokens that a product has now. */
  updateTokens(no: number, tokens: ReadonlySet<string>): void {
    this.#postings.update(no, tokens);
  }

  /** Loads the products of a token, so that the first search for it need not. */
  async warm(token: string): Promise<void> {
    await this.#postings.ofAny([token]);
  }

  /** The part of the memory for tokens that is in use, 0 to 1. */
  get tokenFill(): number {
    return this.#postings.fill;
  }

  /** At most `count` products, evenly spread over the default order. */
  spread(count: number): number[] {
    return this.#order(sortColumns.default).spread(count);
  }

  /** The number of matches. */
  async count(selection: Selection): Promise<number> {
    return countBits(await this.#match(selection.tiers.at(-1) ?? [], selection.filters));
  }

  /** The number of matches that have each of these tokens as well, in their order. */
  async countEach({ tiers, filters }: Selection, tokens: readonly string[]): Promise<number[]> {
    const match = await this.#match(tiers.at(-1) ?? [], filters);
    const counts: number[] = [];
    for (const token of tokens) counts.push(countCommon(match, await this.#postings.ofAny([token])));
    return counts;
  }

  /** Product numbers in the order of `sort`. */
  async bySort({ tiers, filters }: Selection, sort: string, offset: number, limit: number): Promise<number[]> {
    const match = await this.#match(tiers.at(-1) ?? [], filters);
    return this.#order(sort).select(match, countBits(match), offset, limit);
  }

  /** Product numbers by tier, then in the default order; all sold-out products after all others. */
  async byRelevance({ tiers, filters }: Selection, offset: number, limit: number): Promise<number[]> {
    const sets: Bits[] = [];
    for (const tier of tiers) sets.push(await this.#match(tier, filters));
    const order = this.#order(sortColumns.default);
    const found: number[] = [];
    let skip = offset;
    for (const narrow of [keepOnly, removeAll])
      for (const [index, set] of sets.entries()) {
        const part = set.slice();
        const before = sets[index - 1];
        if (before) removeAll(part, before);
        narrow(part, this.#inStock);
        const size = countBits(part);
        found.push(...order.select(part, size, skip, limit - found.length));
        skip = Math.max(0, skip - size);
        if (found.length === limit) return found;
      }
    return found;
  }

  /** The listed products that have a token of every group, and every token of `filters`. The caller may change the result. */
  async #match(groups: Groups, filters: readonly string[]): Promise<Bits> {
    const match = this.#listed.slice();
    for (const group of groups) keepOnly(match, await this.#postings.ofAny(group));
    for (const token of filters) keepOnly(match, await this.#postings.ofAny([token]));
    return match;
  }

  #order(sort: string): SortedOrder {
    const known = this.#orders.get(sort);
    if (known) return known;
    const made = new SortedOrder(this.capacity);
    this.#orders.set(sort, made);
    return made;
  }
}
