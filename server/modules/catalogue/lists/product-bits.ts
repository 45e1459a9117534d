/** One bit each where they are many, 125 KB for a million products, and the numbers where they are few. */

export type Bits = Uint32Array<ArrayBuffer>;

export function newBits(capacity: number): Bits {
  return new Uint32Array(Math.ceil(capacity / 32));
}

export function hasBit(bits: Bits, no: number): boolean {
  return (((bits[no >>> 5] ?? 0) >>> (no & 31)) & 1) === 1;
}

export function setBit(bits: Bits, no: number): void {
  bits[no >>> 5] = (bits[no >>> 5] ?? 0) | (1 << (no & 31));
}

export function clearBit(bits: Bits, no: number): void {
  bits[no >>> 5] = (bits[no >>> 5] ?? 0) & ~(1 << (no & 31));
}

export function keepOnly(target: Bits, other: Bits): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) & (other[i] ?? 0);
}

export function removeAll(target: Bits, other: Bits): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) & ~(other[i] ?? 0);
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += onesIn(bits[i] ?? 0);
  return count;
}

/** In ascending order. */
export function forEachBit(bits: Bits, each: (no: number) => void): void {
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i] ?? 0; word !== 0; word &= word - 1) each(32 * i + 31 - Math.clz32(word & -word));
  }
}

/** The highest numbers in descending order, without the first `skip`, at most `take`. */
export function highestBits(bits: Bits, skip: number, take: number): number[] {
  const found: number[] = [];
  let left = skip;
  for (let i = bits.length - 1; i >= 0 && found.length < take; i--) {
    let word = bits[i] ?? 0;
    const ones = onesIn(word);
    if (ones <= left) {
      left -= ones;
      continue;
    }
    for (; word !== 0 && found.length < take; left -= 1) {
      const bit = 31 - Math.clz32(word);
      word &= ~(1 << bit);
      if (left <= 0) found.push(32 * i + bit);
    }
  }
  return found;
}

/** Of a 32-bit word, added up in parallel. */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A number in a `Set` occupies about as much as 256 bits. */
const sparse = 256;

export class ProductSet {
  readonly #capacity: number;
  #few: Set<number> | null = new Set();
  #bits: Bits | null = null;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get bytes(): number {
    return this.#bits ? this.#bits.byteLength : ((this.#few?.size ?? 0) * sparse) / 8;
  }

  add(no: number): void {
    if (this.#bits) setBit(this.#bits, no);
    else this.#few?.add(no);
    if (this.#few && this.#few.size * sparse > this.#capacity) {
      this.#bits = newBits(this.#capacity);
      for (const each of this.#few) setBit(this.#bits, each);
      this.#few = null;
    }
  }

  delete(no: number): void {
    if (this.#bits) clearBit(this.#bits, no);
    else this.#few?.delete(no);
  }

  addTo(target: Bits): void {
    const { length } = target;
    if (this.#bits) for (let i = 0; i < length; i++) target[i] = (target[i] ?? 0) | (this.#bits[i] ?? 0);
    else for (const no of this.#few ?? []) setBit(target, no);
  }

  countIn(bits: Bits): number {
    let count = 0;
    if (this.#bits) for (let i = 0; i < bits.length; i++) count += onesIn((bits[i] ?? 0) & (this.#bits[i] ?? 0));
    else for (const no of this.#few ?? []) if (hasBit(bits, no)) count += 1;
    return count;
  }
}
