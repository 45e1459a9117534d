/** Runs jobs in a worker thread, one after another, with a short queue and a time limit. */
import { type MessagePort, Worker } from 'node:worker_threads';
import { AppError } from './errors.ts';

/** When a client whose job was refused may ask again, ms. */
const retryAfterMs = 2000;

export interface WorkerQueueOptions {
  /** The module that the thread runs; it calls `answerJobs`. */
  script: URL;
  /** `workerData` of the thread. */
  data: unknown;
  /** Jobs that may wait for their turn. */
  mostWaiting: number;
  /** The longest that a job may take, its waiting included, ms. */
  timeoutMs: number;
}

interface Job {
  question: unknown;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout;
}

/** A failure as it travels between threads: an error's own fields, such as `errcode`, would be lost. */
interface Failure {
  message: string;
  fields: Record<string, unknown>;
}

type Reply = { ready: true } | { answer: unknown } | { failure: Failure };

export class WorkerQueue<Q, A> {
  readonly #options: WorkerQueueOptions;
  readonly #waiting = new Set<Job>();
  #running: Job | null = null;
  #worker: Worker | null = null;
  /** Whether the thread has loaded its program, and takes jobs. */
  #ready = false;
  #wasReady = false;
  #closed = false;

  constructor(options: WorkerQueueOptions) {
    this.#options = options;
  }

  /** Jobs that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether a thread has ever been ready for jobs. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** Starts the thread, if it does not run. */
  start(): void {
    if (!this.#closed) this.#worker ??= this.#startWorker();
  }

  /**
   * Runs a job. The thread starts with the first one.
   * @throws {AppError} SYSTEM_ERROR with status 503 if too many jobs wait, the job takes too long, or the queue is closed
   * @throws what the job throws, and an error if the thread ends
   */
  run(question: Q): Promise<A> {
    if (this.#closed || this.#waiting.size >= this.#options.mostWaiting) return Promise.reject(busy());
    return new Promise<A>((resolve, reject) => {
      const timer = setTimeout(() => this.#late(job), this.#options.timeoutMs);
      timer.unref();
      const job: Job = { question, resolve: resolve as (answer: unknown) => void, reject, timer };
      this.#waiting.add(job);
      this.#next();
    });
  }

  /** Ends the thread. Jobs that wait are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#refuse(busy());
    await this.#stop(busy());
  }

  /** Refuses the jobs that wait. */
  #refuse(error: unknown): void {
    const refused = [...this.#waiting];
    this.#waiting.clear();
    for (const job of refused) this.#settle(job, { error });
  }

  #next(): void {
    if (this.#running) return;
    const [job] = this.#waiting;
    // A thread without work keeps no process from ending.
    if (!job) this.#worker?.unref();
    if (!job) return;
    this.start();
    this.#worker?.ref();
    if (!this.#ready) return;
    this.#waiting.delete(job);
    this.#running = job;
    this.#worker?.postMessage(job.question);
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.script, { workerData: this.#options.data });
    worker.unref();
    worker.on('message', (reply: Reply) => {
      if (worker !== this.#worker) return;
      if ('ready' in reply) {
        this.#ready = true;
        this.#wasReady = true;
        this.#next();
      } else this.#finish('answer' in reply ? reply : { error: revived(reply.failure) });
    });
    const ended = (error: unknown) => {
      if (worker !== this.#worker) return;
      this.#worker = null;
      // A thread that cannot start is started again by the next job.
      const wasReady = this.#ready;
      this.#ready = false;
      if (wasReady) this.#finish({ error });
      else this.#refuse(error);
    };
    worker.on('error', ended);
    worker.on('exit', (code) => ended(new Error(`The thread ended with code ${code}`)));
    return worker;
  }

  #finish(outcome: { answer: unknown } | { error: unknown }): void {
    const job = this.#running;
    this.#running = null;
    if (job) this.#settle(job, outcome);
    this.#next();
  }

  #late(job: Job): void {
    if (this.#waiting.delete(job)) this.#settle(job, { error: busy() });
    // What a thread is doing cannot be interrupted, so a new thread takes its place.
    else if (this.#running === job) void this.#stop(busy());
  }

  async #stop(error: unknown): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#ready = false;
    this.#finish({ error });
    await worker?.terminate();
  }

  #settle(job: Job, outcome: { answer: unknown } | { error: unknown }): void {
    clearTimeout(job.timer);
    if ('answer' in outcome) job.resolve(outcome.answer);
    else job.reject(outcome.error);
  }
}

/** In the thread: answers each job with the result of `work`. */
export function answerJobs<Q, A>(port: MessagePort, work: (question: Q) => Promise<A>): void {
  port.postMessage({ ready: true } satisfies Reply);
  port.on('message', (question: Q) => {
    work(question).then(
      (answer) => port.postMessage({ answer } satisfies Reply),
      (error: unknown) => port.postMessage({ failure: failureOf(error) } satisfies Reply),
    );
  });
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), fields: {} };
  const fields = Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value !== 'object'));
  return { message: error.message, fields: { ...fields, stack: error.stack } };
}

function revived({ message, fields }: Failure): Error {
  return Object.assign(new Error(message), fields);
}

function busy(): AppError {
  return new AppError('SYSTEM_ERROR', { errorKey: 'error.busy', status: 503, retryAfterMs });
}
