/**
 * Renders a few pages at a time, and refuses those that would wait too long. Rendering takes the thread that answers, so without
 * a limit two thousand visitors would all wait, and whatever is cached with them.
 */
/** A page is not rendered, because it would wait too long. */
export class NoTurn extends Error {
  override name = 'NoTurn';
  /** When the client may ask again, ms. */
  readonly retryAfterMs = 5000;
}

/** Renderings that wait are not refused for their expected time, below this number. */
const fewWaiting = 8;
/** Turns of the event loop in which connections are accepted before a page is rendered; each takes about 0.1 ms. */
const mostTurns = 100;
const latestWeight = 0.1;

export interface RenderQueueOptions {
  /** Renderings that are under way together: while one waits for data, another can use the thread. */
  atOnce?: number;
  /** The longest that a rendering may wait for its turn, ms. */
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
  /** The mean time in which one rendering is finished while others wait, ms. */
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

  /** Whether one more rendering would wait too long. */
  get isFull(): boolean {
    const { length } = this.#waiting;
    return length >= fewWaiting && (length + 1) * this.#meanMs > this.#longestWaitMs;
  }

  /**
   * Runs `render` when it is its turn.
   * @throws {NoTurn} if it would wait, or has waited, too long
   */
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

  /**
   * On SQLite a page is rendered without ever waiting for the event loop, so requests that arrive meanwhile would not be read. Of new
   * connections, each turn of the loop accepts one.
   */
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

  /** The place passes to the rendering that has waited longest, of those that have not waited too long. */
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

/** How many refusals are answered at once, and how often (ms). */
const refusalsAtOnce = 20;
const refusalsEveryMs = 20;
/** More are answered without waiting, so that memory is bounded. */
const mostRefusals = 10_000;

/**
 * Lets refusals wait for their turn, a thousand a second: clients that ask again at once would otherwise keep the thread busy with
 * refusals.
 */
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
