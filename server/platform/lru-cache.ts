/** What an entry occupies besides its key and its value. */
const entryBytes = 200;

export class LruCache<V> {
  readonly #maxBytes: number;
  /** Maps iterate in insertion order. */
  readonly #entries = new Map<string, { value: V; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, bytes: number): void {
    this.delete(key);
    const all = entryBytes + 2 * key.length + bytes;
    this.#entries.set(key, { value, bytes: all });
    this.#bytes += all;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.delete(oldest);
    }
  }

  /** The least recently used first. Entries may be deleted meanwhile. */
  *entries(): IterableIterator<[string, V]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
