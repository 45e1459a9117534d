/** Runs several worker processes that share the port, replaces those that die and stops all of them together. */
import cluster, { type Worker } from 'node:cluster';

/** A worker that never listened, or lived for less than this (ms), may have died of something that also kills its replacement. */
const shortLifeMs = 5000;
/** The pause before a worker is replaced after its first short life (ms); it doubles with each further short life in a row. */
const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** If no worker listens after this many short lives in a row for each of them, the cluster gives up. */
const shortLivesEach = 5;

/** `pauseMs`: until it is replaced; null if it is not. */
export type WorkerReport = (ended: {
  code: number | null;
  signal: string | null;
  pauseMs: number | null;
}) => void;

/**
 * Calls `announce` once, when all workers that can listen. Resolves when told to stop. Exits with code 1 if no worker can run.
 */
export async function runCluster(
  count: number,
  announce: (address: string) => void,
  report: WorkerReport,
): Promise<void> {
  const listening = new Map<Worker, string>();
  const pauses = new Set<NodeJS.Timeout>();
  let announced = false;
  let stopping = false;
  let shortLives = 0;
  // Requests go to whichever worker is free, which balances better than the scheduling of Linux.
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
      // The workers that run serve requests meanwhile.
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
  return Object.values(cluster.workers ?? {}).filter(
    (worker): worker is Worker => worker !== undefined && !worker.isDead(),
  );
}

/** A worker that lived long is replaced at once. */
function pauseAfter(round: number): number {
  return round === 0 ? 0 : Math.min(firstPauseMs * 2 ** (round - 1), longestPauseMs);
}

/** npm starts the shop as the child of a shell, which dies of npm's signal without forwarding it. */
const lookEveryMs = 500;

/** Does nothing if the shop was not started by npm. */
export function onParentExit(stop: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    stop();
  }, lookEveryMs).unref();
}
