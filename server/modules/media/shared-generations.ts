/** An image under way, for one or more clients. */
interface Generation {
  bytes: Promise<Buffer>;
  clients: number;
  dropped: AbortController;
}

export class SharedGenerations {
  readonly #running = new Map<string, Generation>();

  /** By `make`, if it is not under way already; its signal aborts when the last client has gone. @throws the reason of `left` */
  get(name: string, make: (dropped: AbortSignal) => Promise<Buffer>, left: AbortSignal): Promise<Buffer> {
    const generation = this.#running.get(name) ?? this.#start(name, make);
    generation.clients += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(left.reason);
        generation.clients -= 1;
        if (generation.clients > 0) return;
        this.#forget(name, generation);
        generation.dropped.abort(left.reason);
      };
      left.addEventListener('abort', leave, { once: true });
      const stay = () => left.removeEventListener('abort', leave);
      generation.bytes.finally(stay).then(resolve, reject);
    });
  }

  #start(name: string, make: (dropped: AbortSignal) => Promise<Buffer>): Generation {
    const dropped = new AbortController();
    const bytes = make(dropped.signal).finally(() => this.#forget(name, generation));
    const generation: Generation = { bytes, clients: 0, dropped };
    this.#running.set(name, generation);
    return generation;
  }

  #forget(name: string, generation: Generation): void {
    if (this.#running.get(name) === generation) this.#running.delete(name);
  }
}
