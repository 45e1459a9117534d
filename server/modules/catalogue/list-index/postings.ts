/** Keeps the product numbers of tokens of the search index in memory, up to a number of bytes; the least recently used go first. */
import { LruCache } from '#server/platform/lru-cache.ts';
import { addAll, type Bits, clearBit, newBits, setBit } from './bits.ts';

/** The products of a token: bits for frequent tokens, ascending numbers for others. */
type Posting = { bits: Bits } | { nos: number[] };

const bytesPerNumber = 8;

export interface PostingsOptions {
  /** Product numbers are below it. */
  capacity: number;
  maxBytes: number;
  /** Reads the product numbers of a token, in any order. */
  load: (token: string) => Promise<ArrayLike<number>>;
}

export class Postings {
  readonly #options: PostingsOptions;
  readonly #kept: LruCache<Posting>;

  constructor(options: PostingsOptions) {
    this.#options = options;
    this.#kept = new LruCache(options.maxBytes);
  }

  /** The part of the memory that is in use, 0 to 1. */
  get fill(): number {
    return this.#kept.fill;
  }

  /** The products that have at least one of the tokens. The result may be kept, so it must not be changed. */
  async ofAny(tokens: readonly string[]): Promise<Bits> {
    const [first] = tokens;
    const only = first !== undefined && tokens.length === 1 ? await this.#posting(first) : null;
    if (only && 'bits' in only) return only.bits;
    const union = newBits(this.#options.capacity);
    for (const token of tokens) {
      const posting = await this.#posting(token);
      if ('bits' in posting) addAll(union, posting.bits);
      else for (const no of posting.nos) setBit(union, no);
    }
    return union;
  }

  /** Takes over the tokens that a product has now; those that are not in memory need nothing. */
  update(no: number, tokens: ReadonlySet<string>): void {
    for (const [token, posting] of this.#kept.entries()) {
      const present = tokens.has(token);
      if ('bits' in posting) (present ? setBit : clearBit)(posting.bits, no);
      else if (present !== posting.nos.includes(no)) {
        // Dropped, because the numbers may have become many.
        this.#kept.delete(token);
      }
    }
  }

  async #posting(token: string): Promise<Posting> {
    const kept = this.#kept.get(token);
    if (kept) return kept;
    const { capacity, load } = this.#options;
    const nos = await load(token);
    const posting: Posting = nos.length * 64 < capacity ? { nos: Array.from(nos) } : { bits: bitsOf(nos, capacity) };
    this.#kept.set(token, posting, sizeOf(posting));
    return posting;
  }
}

function bitsOf(nos: ArrayLike<number>, capacity: number): Bits {
  const bits = newBits(capacity);
  for (let i = 0; i < nos.length; i++) setBit(bits, nos[i] ?? 0);
  return bits;
}

function sizeOf(posting: Posting): number {
  return 'bits' in posting ? posting.bits.byteLength : bytesPerNumber * posting.nos.length;
}
