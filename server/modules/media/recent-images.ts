/** Keeps the images that were served last in memory, so that a list's images cost no reads from disk. */

/** What the images take together, bytes: about the images of forty pages. */
const mostBytes = 8 * 1024 * 1024;
/** A larger image is read from disk each time, bytes. */
const largest = 256 * 1024;

export class RecentImages {
  readonly #images = new Map<string, Buffer>();
  #bytes = 0;

  get(name: string): Buffer | undefined {
    const image = this.#images.get(name);
    if (image) {
      // Moved to the end, which is dropped last.
      this.#images.delete(name);
      this.#images.set(name, image);
    }
    return image;
  }

  add(name: string, image: Buffer): void {
    if (image.length > largest || this.#images.has(name)) return;
    this.#images.set(name, image);
    this.#bytes += image.length;
    for (const [oldest, { length }] of this.#images) {
      if (this.#bytes <= mostBytes) break;
      this.#images.delete(oldest);
      this.#bytes -= length;
    }
  }
}
