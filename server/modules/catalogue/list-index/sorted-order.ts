/** One order of all listed products: by ascending key, then by product number. */
import { type Bits, forEachBit, hasBit } from './bits.ts';

/** A set this many times smaller than the order is sorted by itself, instead of being looked for along the order. */
const sparse = 256;

export class SortedOrder {
  readonly #nos: Uint32Array;
  /** By product number. */
  readonly #keys: Float64Array;
  #length = 0;

  /** For product numbers below `capacity`. */
  constructor(capacity: number) {
    this.#nos = new Uint32Array(capacity);
    this.#keys = new Float64Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  keyOf(no: number): number {
    return this.#keys[no] ?? 0;
  }

  /** Adds a product that sorts after all others. */
  append(no: number, key: number): void {
    this.#nos[this.#length++] = no;
    this.#keys[no] = key;
  }

  /** Adds a product that is not in the order. */
  insert(no: number, key: number): void {
    const at = this.#position(no, key);
    this.#nos.copyWithin(at + 1, at, this.#length);
    this.#nos[at] = no;
    this.#keys[no] = key;
    this.#length += 1;
  }

  /** Removes a product if it is in the order. */
  remove(no: number): void {
    const at = this.#position(no, this.keyOf(no));
    if (at >= this.#length || this.#nos[at] !== no) return;
    this.#nos.copyWithin(at, at + 1, this.#length);
    this.#length -= 1;
  }

  /** At most `count` products, evenly spread. */
  spread(count: number): number[] {
    const taken = Math.min(count, this.#length);
    return Array.from({ length: taken }, (_, i) => this.#nos[Math.floor((i * this.#length) / taken)] ?? 0);
  }

  /** The products of `set` in this order, without the first `skip` and at most `take`. `size` is the size of the set. */
  select(set: Bits, size: number, skip: number, take: number): number[] {
    if (skip >= size) return [];
    if (size * sparse < this.#length) return this.#sorted(set).slice(skip, skip + take);
    return skip > size / 2 ? this.#fromEnd(set, size, skip, take) : this.#fromStart(set, skip, take);
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
    return nos.sort((a, b) => this.keyOf(a) - this.keyOf(b) || a - b);
  }

  /** Where a product is, or would be. */
  #position(no: number, key: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#nos[middle] ?? 0;
      const order = this.keyOf(other) - key || other - no;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
