/**
 * The orders of the listed products, and the sets of products that scopes and words have. A list is the intersection of a few
 * sets, read along an order: its time hardly depends on how many products match.
 */
import type { FilterRange } from '#contract/list-filters.ts';
import { LruCache } from '#server/platform/lru-cache.ts';
import { type Listing, scopeNames, scopesOf, soldOutFrom, sortKeys, sorts } from '../products/listing.ts';
import type { Groups } from '../search/plan-query.ts';
import { type RankGroup, rankGroupToken } from '../search/tokens.ts';
import {
  addAll,
  BitCounter,
  type Bits,
  clearBit,
  countBits,
  forEachBit,
  hasBit,
  keepOnly,
  newBits,
  ProductSet,
  removeAll,
  setBit,
} from './product-bits.ts';

/** A set this many times smaller than the order is sorted by itself, instead of being looked for along the order. */
const sparse = 256;
/** More changes at once are cheaper to sort in than to insert one by one. */
const manyChanges = 200;

/** By ascending key, then by product number. */
class SortedOrder {
  readonly #nos: Uint32Array;
  readonly #keys: (number | string)[] = [];
  #length = 0;

  constructor(capacity: number) {
    this.#nos = new Uint32Array(capacity);
  }

  /** Undefined: in no list any more. */
  update(changes: ReadonlyMap<number, number | string | undefined>): void {
    if (changes.size > manyChanges) this.#sortIn(changes);
    else for (const [no, key] of changes) this.#move(no, key);
  }

  /** Without the first `skip`, at most `take`. */
  select(set: Bits, skip: number, take: number): number[] {
    const size = countBits(set);
    if (skip >= size || take <= 0) return [];
    if (size * sparse < this.#length) return this.#sorted(set).slice(skip, skip + take);
    return skip > size / 2 ? this.#fromEnd(set, size, skip, take) : this.#fromStart(set, skip, take);
  }

  *where(wanted: (key: number | string) => boolean): Iterable<number> {
    for (const no of this.#nos.subarray(0, this.#length)) if (wanted(this.#keys[no] ?? 0)) yield no;
  }

  #sortIn(changes: ReadonlyMap<number, number | string | undefined>): void {
    const stay = this.#nos.subarray(0, this.#length).filter((no) => !changes.has(no));
    this.#nos.set(stay);
    this.#length = stay.length;
    for (const [no, key] of changes) {
      if (key === undefined) delete this.#keys[no];
      else {
        this.#keys[no] = key;
        this.#nos[this.#length++] = no;
      }
    }
    this.#nos.subarray(0, this.#length).sort((a, b) => this.#compare(a, b));
  }

  #compare(a: number, b: number): number {
    const [one, other] = [this.#keys[a] ?? 0, this.#keys[b] ?? 0];
    return one < other ? -1 : one > other ? 1 : a - b;
  }

  #move(no: number, key: number | string | undefined): void {
    if (this.#keys[no] === key) return;
    if (this.#keys[no] !== undefined) this.#remove(no);
    delete this.#keys[no];
    if (key !== undefined) this.#insert(no, key);
  }

  #insert(no: number, key: number | string): void {
    this.#keys[no] = key;
    const at = this.#place(no);
    this.#nos.copyWithin(at + 1, at, this.#length);
    this.#nos[at] = no;
    this.#length += 1;
  }

  #remove(no: number): void {
    const at = this.#place(no);
    this.#nos.copyWithin(at, at + 1, this.#length);
    this.#length -= 1;
  }

  #fromStart(set: Bits, skip: number, take: number): number[] {
    const found: number[] = [];
    let left = skip;
    for (let at = 0; at < this.#length && found.length < take; at++) {
      const no = this.#nos[at] ?? 0;
      if (!hasBit(set, no)) continue;
      if (left > 0) left -= 1;
      else found.push(no);
    }
    return found;
  }

  #fromEnd(set: Bits, size: number, skip: number, take: number): number[] {
    const end = Math.min(skip + take, size);
    const found: number[] = [];
    let left = size - end;
    for (let at = this.#length - 1; at >= 0 && found.length < end - skip; at--) {
      const no = this.#nos[at] ?? 0;
      if (!hasBit(set, no)) continue;
      if (left > 0) left -= 1;
      else found.push(no);
    }
    return found.reverse();
  }

  #sorted(set: Bits): number[] {
    const nos: number[] = [];
    forEachBit(set, (no) => nos.push(no));
    return nos.sort((a, b) => this.#compare(a, b));
  }

  /** Or would be. */
  #place(no: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#nos[middle] ?? 0, no) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface Selection {
  /** At least one of each group. */
  scopes: Groups;
  /** Best matches first, each including those before it; undefined for lists, which have no text. */
  ranks?: readonly Groups[] | undefined;
  /** The tokens of each word, if no product has all of them: then those that have most of them. */
  someOf?: Groups | undefined;
}

/** A product that has less than this share of what the best has of the words is left out. */
const leastShare = 0.6;
/** More differences between products that have some of the words are not told apart. */
const mostRanks = 24;
/** A word tells more the fewer products have it: its weight by the share of products that have more. */
const weightsByShare = [
  { above: 0.2, weight: 1 },
  { above: 0.05, weight: 2 },
  { above: 0, weight: 3 },
] as const;
const weightOf = (ofShare: number): number =>
  weightsByShare.find(({ above }) => ofShare > above)?.weight ?? 1;

export interface ListIndexOptions {
  /** Product numbers are below it. */
  capacity: number;
  prices: readonly FilterRange[];
  /** The products that have one of the tokens. */
  load: (tokens: readonly string[], into: ProductSet) => Promise<void>;
}

/** The products that have one of the tokens, read together: a word that is being typed has two dozen endings. */
interface Found {
  tokens: readonly string[];
  products: ProductSet;
}

/** Of what words found: at least, and for each product. */
const leastFoundBytes = 12 * 1024 * 1024;
const foundBytesPerProduct = 100;
/** After so many changes meanwhile, they are used without being kept. */
const loadAttempts = 3;

export class ListIndex {
  readonly capacity: number;
  readonly #options: ListIndexOptions;
  readonly #orders = new Map<string, SortedOrder>();
  readonly #scopes = new Map<string, ProductSet>();
  readonly #kept: LruCache<Found>;
  readonly #listed: Bits;
  readonly #inStock: Bits;
  #prices: readonly FilterRange[];
  #updates = 0;

  constructor(options: ListIndexOptions) {
    const { capacity, prices } = options;
    this.capacity = capacity;
    this.#options = options;
    this.#prices = prices;
    this.#kept = new LruCache(Math.max(leastFoundBytes, capacity * foundBytesPerProduct));
    this.#listed = newBits(capacity);
    this.#inStock = newBits(capacity);
  }

  /** Null: in no list. */
  update(listings: ReadonlyMap<number, Listing | null>): void {
    this.#updates += 1;
    const keys = new Map<string, Map<number, number | string | undefined>>(
      [...this.#orders.keys()].map((sort) => [sort, new Map()]),
    );
    for (const [no, listing] of listings) {
      if (hasBit(this.#listed, no)) for (const scope of this.#scopes.values()) scope.delete(no);
      (listing ? setBit : clearBit)(this.#listed, no);
      (listing && listing.position < soldOutFrom ? setBit : clearBit)(this.#inStock, no);
      for (const changed of keys.values()) changed.set(no, undefined);
      if (!listing) continue;
      for (const scope of scopesOf(listing, this.#prices)) this.#scope(scope).add(no);
      for (const [sort, key] of sortKeys(listing)) {
        const changed = keys.get(sort) ?? new Map<number, number | string | undefined>();
        keys.set(sort, changed.set(no, key));
      }
    }
    for (const [sort, changed] of keys) this.#order(sort).update(changed);
  }

  setPrices(prices: readonly FilterRange[]): void {
    for (const range of this.#prices) this.#scopes.delete(scopeNames.price(range));
    this.#prices = prices;
    for (const range of prices) {
      const { from, to } = range;
      const isIn = (price: number | string) =>
        (from ?? 0) <= Number(price) && Number(price) <= (to ?? Number.POSITIVE_INFINITY);
      for (const no of this.#order(sorts.price).where(isIn)) this.#scope(scopeNames.price(range)).add(no);
    }
  }

  updateTokens(changed: ReadonlyMap<number, ReadonlySet<string>> | undefined): void {
    for (const [key, { tokens, products }] of [...this.#kept.entries()]) {
      if (!changed) this.#kept.delete(key);
      else
        for (const [no, own] of changed)
          tokens.some((token) => own.has(token)) ? products.add(no) : products.delete(no);
    }
  }

  async finds(groups: Groups): Promise<boolean> {
    return (await this.#found(groups)).some((word) => word !== 0);
  }

  async count(selection: Selection): Promise<number> {
    return countBits(await this.#match(selection));
  }

  /** A new set, which the caller may change. */
  matching(selection: Selection): Promise<Bits> {
    return this.#match(selection);
  }

  /** By scope. A category counts what is directly in it. */
  async counter(selection: Selection): Promise<(scope: string) => number> {
    const match = await this.#match(selection);
    return (scope) => this.#scopes.get(scope)?.countIn(match) ?? 0;
  }

  async bySort(selection: Selection, sort: string, offset: number, limit: number): Promise<number[]> {
    return this.#order(sort).select(await this.#match(selection), offset, limit);
  }

  /** By rank, then in the default order; all sold-out products after all others. */
  async byRelevance(selection: Selection, offset: number, limit: number): Promise<number[]> {
    const { scopes, ranks = [], someOf } = selection;
    const ordered = someOf ? await this.#ranksOfSome(someOf) : ranks;
    const sets: Bits[] = [];
    const found: number[] = [];
    let skip = offset;
    for (const narrow of [keepOnly, removeAll])
      for (const [index, rank] of ordered.entries()) {
        // Only the ranks that the page needs: most of what there is to read is of the last one, which has words anywhere in texts.
        sets[index] ??= this.#within(rank instanceof Uint32Array ? rank : await this.#found(rank), scopes);
        const set = sets[index];
        const part = set.slice();
        const before = sets[index - 1];
        if (before) removeAll(part, before);
        narrow(part, this.#inStock);
        found.push(...this.#order(sorts.default).select(part, skip, limit - found.length));
        skip = Math.max(0, skip - countBits(part));
        if (found.length === limit) return found;
      }
    return found;
  }

  async #match({ scopes, ranks, someOf }: Selection): Promise<Bits> {
    if (someOf) return this.#within((await this.#withMost(someOf)).found, scopes);
    const last = ranks?.at(-1);
    if (ranks && !last) return newBits(this.capacity);
    return this.#within(last ? await this.#found(last) : this.#listed.slice(), scopes);
  }

  /** The products that have most of the words, and the weight of each word. */
  async #withMost(words: Groups): Promise<{ found: Bits; weights: number[] }> {
    const total = Math.max(countBits(this.#listed), 1);
    const having = new BitCounter(this.capacity);
    const weights: number[] = [];
    for (const tokens of words) {
      const set = await this.#found([tokens.map((token) => rankGroupToken(3, token))]);
      const weight = weightOf(countBits(set) / total);
      having.add(set, weight);
      weights.push(weight);
    }
    const most = having.highest(this.#listed).number;
    const least = Math.max(1, Math.ceil(most * leastShare));
    return { found: having.atLeast(least, this.#listed), weights };
  }

  /** The products that have most of the words, by the words that they have: in a name they count for three, in a label for two. */
  async #ranksOfSome(words: Groups): Promise<Bits[]> {
    const { found: left, weights } = await this.#withMost(words);
    const score = new BitCounter(this.capacity);
    for (const [index, tokens] of words.entries())
      for (const tier of [3, 2, 1] as const satisfies readonly RankGroup[])
        score.add(
          await this.#found([tokens.map((token) => rankGroupToken(tier, token))]),
          weights[index] ?? 1,
        );
    const ranks: Bits[] = [];
    const told = newBits(this.capacity);
    while (countBits(left) > 0) {
      const best = ranks.length === mostRanks - 1 ? left.slice() : score.highest(left).having;
      addAll(told, best);
      removeAll(left, best);
      ranks.push(told.slice());
    }
    return ranks;
  }

  #within(match: Bits, scopes: Groups): Bits {
    for (const group of scopes) {
      const any = newBits(this.capacity);
      for (const scope of group) this.#scopes.get(scope)?.addTo(any);
      keepOnly(match, any);
    }
    return match;
  }

  async #found(groups: Groups): Promise<Bits> {
    const sets = await Promise.all(groups.map((group) => this.#having(group)));
    const match = this.#listed.slice();
    for (const set of sets) {
      const any = newBits(this.capacity);
      set.addTo(any);
      keepOnly(match, any);
    }
    return match;
  }

  async #having(tokens: readonly string[]): Promise<ProductSet> {
    const key = tokens.join(' ');
    const kept = this.#kept.get(key);
    if (kept) return kept.products;
    for (let attempt = 1; ; attempt++) {
      const updates = this.#updates;
      const products = new ProductSet(this.capacity);
      await this.#options.load(tokens, products);
      if (updates === this.#updates) this.#kept.set(key, { tokens, products }, products.bytes);
      if (updates === this.#updates || attempt === loadAttempts) return products;
    }
  }

  #scope(name: string): ProductSet {
    return kept(this.#scopes, name, () => new ProductSet(this.capacity));
  }

  #order(sort: string): SortedOrder {
    return kept(this.#orders, sort, () => new SortedOrder(this.capacity));
  }
}

function kept<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
