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

export function addAll(target: Bits, other: Bits): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) | (other[i] ?? 0);
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

/** Adds up a small number for each product, a binary digit of 32 products at once. */
export class BitCounter {
  readonly #capacity: number;
  /** Digits, the lowest first. */
  readonly #digits: Bits[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a positive integer to each product of a set. */
  add(set: Bits, number: number): void {
    for (let digit = 0; number >>> digit !== 0; digit++)
      if ((number >>> digit) & 1) this.#addFrom(digit, set);
  }

  /** The highest number of the products of a set, and those that have it. */
  highest(among: Bits): { number: number; having: Bits } {
    let having = among.slice();
    let number = 0;
    for (const [digit, bits] of [...this.#digits.entries()].reverse()) {
      const higher = having.slice();
      keepOnly(higher, bits);
      if (higher.every((word) => word === 0)) continue;
      having = higher;
      number += 2 ** digit;
    }
    return { number, having };
  }

  /** The products that have this number or a higher one. */
  atLeast(number: number, among: Bits): Bits {
    const above = newBits(this.#capacity);
    if (number >= 2 ** this.#digits.length) return above;
    const equal = among.slice();
    for (const [digit, bits] of [...this.#digits.entries()].reverse()) {
      if ((number >>> digit) & 1) keepOnly(equal, bits);
      else {
        const higher = equal.slice();
        keepOnly(higher, bits);
        addAll(above, higher);
        removeAll(equal, bits);
      }
    }
    addAll(above, equal);
    return above;
  }

  #addFrom(digit: number, set: Bits): void {
    const carried = set.slice();
    for (let at = digit; ; at++) {
      while (this.#digits.length <= at) this.#digits.push(newBits(this.#capacity));
      const bits = this.#digits[at] ?? newBits(this.#capacity);
      let isCarried = false;
      for (let i = 0; i < bits.length; i++) {
        const [own, more] = [bits[i] ?? 0, carried[i] ?? 0];
        bits[i] = own ^ more;
        carried[i] = own & more;
        isCarried ||= (own & more) !== 0;
      }
      if (!isCarried) return;
    }
  }
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
    if (this.#bits)
      for (let i = 0; i < bits.length; i++) count += onesIn((bits[i] ?? 0) & (this.#bits[i] ?? 0));
    else for (const no of this.#few ?? []) if (hasBit(bits, no)) count += 1;
    return count;
  }
}
