/** By ascending key, then by product number. */
import { type Bits, countBits, forEachBit, hasBit } from './product-bits.ts';

/** A set this many times smaller than the order is sorted by itself, instead of being looked for along the order. */
const sparse = 256;
/** More changes at once are cheaper to sort in than to insert one by one. */
const manyChanges = 200;

export class SortedOrder {
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
