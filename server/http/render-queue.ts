/** Rendering takes the thread that answers: without a limit everybody would wait, and whatever is cached with them. */
export class NoTurn extends Error {
  override name = 'NoTurn';
  /** When the client may ask again, ms. */
  readonly retryAfterMs = 5000;
}

/** Below this number, none is refused for its expected time. */
const fewWaiting = 8;
/** Turns of the event loop in which connections are accepted before a page is rendered; each takes about 0.1 ms. */
const mostTurns = 100;
const latestWeight = 0.1;

export interface RenderQueueOptions {
  /** While one waits for data, another can use the thread. */
  atOnce?: number;
  /** For its turn. */
  longestWaitMs?: number;
  now?: () => number;
  connections?: () => number;
}

interface Waiting {
  since: number;
  start(): void;
  refuse(): void;
}

export class RenderQueue {
  readonly #atOnce: number;
  readonly #longestWaitMs: number;
  readonly #now: () => number;
  readonly #connections: () => number;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  /** In which one rendering is finished while others wait. */
  #meanMs = 5;
  #lastEnd: number;

  constructor({ atOnce = 3, longestWaitMs = 1200, ...rest }: RenderQueueOptions = {}) {
    const { now = () => performance.now(), connections = () => 0 } = rest;
    this.#connections = connections;
    this.#atOnce = atOnce;
    this.#longestWaitMs = longestWaitMs;
    this.#now = now;
    this.#lastEnd = now();
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get isFull(): boolean {
    const { length } = this.#waiting;
    return length >= fewWaiting && (length + 1) * this.#meanMs > this.#longestWaitMs;
  }

  /** @throws {NoTurn} if it would wait, or has waited, too long */
  async run<T>(render: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#turn();
    await this.#letOthersIn();
    try {
      return await render();
    } finally {
      this.#passOn();
    }
  }

  /** On SQLite rendering never waits for the event loop, each turn of which accepts one new connection. */
  async #letOthersIn(): Promise<void> {
    for (let turns = 0, before = -1; before !== this.#connections() && turns < mostTurns; turns++) {
      before = this.#connections();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #turn(): Promise<void> {
    if (this.isFull) throw new NoTurn();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ since: this.#now(), start: resolve, refuse: () => reject(new NoTurn()) });
    });
  }

  #passOn(): void {
    const now = this.#now();
    if (this.#waiting.length > 0) this.#meanMs += latestWeight * (now - this.#lastEnd - this.#meanMs);
    this.#lastEnd = now;
    for (;;) {
      const next = this.#waiting.shift();
      if (!next) {
        this.#running -= 1;
        return;
      }
      if (now - next.since <= this.#longestWaitMs) {
        next.start();
        return;
      }
      next.refuse();
    }
  }
}

const refusalsAtOnce = 20;
const refusalsEveryMs = 20;
/** More are answered without waiting, so that memory is bounded. */
const mostRefusals = 10_000;

/** A thousand refusals a second: clients that ask again at once would otherwise keep the thread busy with them. */
export class RefusalPace {
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;

  turn(): Promise<void> {
    if (this.#waiting.length >= mostRefusals) return Promise.resolve();
    this.#timer ??= setInterval(() => this.#answer(), refusalsEveryMs).unref();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #answer(): void {
    for (const go of this.#waiting.splice(0, refusalsAtOnce)) go();
    if (this.#waiting.length > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
