/** Several processes that share the port. One that dies is replaced; all stop together. */
import cluster, { type Worker } from 'node:cluster';
import { onParentExit } from './on-parent-exit.ts';

/** A worker that never listened, or lived no longer than this, may have died of something that a new one dies of too. */
const shortLifeMs = 5000;
/** The pause before a worker is replaced, after its first short life; it doubles with each further one. */
const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** While no worker listens, so many short lives in a row for each of them mean that none can live. */
const shortLivesEach = 5;

/** Told of a worker that ended: its exit code or signal, and after how long it is replaced, ms; null if it is not. */
export type WorkerReport = (ended: { code: number | null; signal: string | null; pauseMs: number | null }) => void;

/**
 * Starts the workers; calls `announce` once, when all of them listen, or those that can. Lives until told to
 * stop. Ends with exit code 1 when no worker can live.
 */
export async function runCluster(count: number, announce: (address: string) => void, report: WorkerReport): Promise<void> {
  const listening = new Map<Worker, string>();
  const pauses = new Set<NodeJS.Timeout>();
  let announced = false;
  let stopping = false;
  let shortLives = 0;
  // Requests go to whichever worker is free, which balances better than the system does on Linux.
  cluster.schedulingPolicy = cluster.SCHED_RR;

  const announceOnce = () => {
    const [address] = listening.values();
    if (announced || address === undefined) return;
    announced = true;
    announce(address);
  };
  const start = () => {
    const born = Date.now();
    const worker = cluster.fork();
    worker.on('message', (message: { address?: string }) => {
      if (!message.address) return;
      listening.set(worker, message.address);
      if (listening.size === count) announceOnce();
    });
    worker.on('exit', (code, signal) => {
      const served = listening.delete(worker);
      if (stopping) return;
      shortLives = served && Date.now() - born > shortLifeMs ? 0 : shortLives + 1;
      const given = shortLives >= shortLivesEach * count && listening.size === 0;
      const pauseMs = given ? null : pauseAfter(Math.ceil(shortLives / count));
      report({ code, signal, pauseMs });
      if (pauseMs === null) return stop(1);
      const pause = setTimeout(() => {
        pauses.delete(pause);
        start();
      }, pauseMs);
      pauses.add(pause);
      // Those that live serve meanwhile.
      announceOnce();
    });
  };
  const stop = (code: number) => {
    if (stopping) return;
    stopping = true;
    for (const pause of pauses) clearTimeout(pause);
    const workers = alive();
    let left = workers.length;
    if (left === 0) process.exit(code);
    for (const worker of workers) {
      worker.once('exit', () => {
        left -= 1;
        if (left === 0) process.exit(code);
      });
      worker.process.kill('SIGTERM');
    }
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  onParentExit(() => stop(0));
  for (let i = 0; i < count; i++) start();
}

function alive(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined && !worker.isDead());
}

/** `round`: how many short lives in a row each worker has had. A worker that lived long is replaced at once. */
function pauseAfter(round: number): number {
  return round === 0 ? 0 : Math.min(firstPauseMs * 2 ** (round - 1), longestPauseMs);
}
