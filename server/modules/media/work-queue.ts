import { AppError } from '#server/platform/errors.ts';

interface Waiting {
  start(): void;
  drop(reason: unknown): void;
}

/** When a client that found the queue full may ask again. */
const retryAfterMs = 2000;

/** Runs expensive work a few pieces at a time, and drops the pieces that nobody waits for any more. */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Work that has started is never interrupted. @throws {AppError} SYSTEM_ERROR 503 if too many wait; the signal's reason if aborted before */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#mostWaiting)
      throw new AppError('SYSTEM_ERROR', { errorKey: 'error.busy', status: 503, retryAfterMs });
    return new Promise((start, drop) => {
      const own: Waiting = { start, drop };
      this.#waiting.add(own);
      signal.addEventListener('abort', () => this.#waiting.delete(own) && drop(signal.reason), {
        once: true,
      });
    });
  }

  /** The slot passes to the piece that has waited longest, or is freed. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) this.#running -= 1;
    else {
      this.#waiting.delete(next);
      next.start();
    }
  }
}
