/** Several processes that share the port. One that dies is replaced; all stop together. */
import cluster, { type Worker } from 'node:cluster';
import { whenOrphaned } from './orphaned.ts';

/** A worker that does not live this long died of something that a new one would die of too. */
const shortLifeMs = 5000;

/** Starts the workers; calls `announce` once, when all of them listen. Lives until told to stop. */
export async function keepWorkers(count: number, announce: (address: string) => void): Promise<void> {
  let listening = 0;
  let stopping = false;
  // Requests go to whichever worker is free, which balances better than the system does on Linux.
  cluster.schedulingPolicy = cluster.SCHED_RR;

  const start = () => {
    const born = Date.now();
    const worker = cluster.fork();
    worker.on('message', (message: { address?: string }) => {
      if (!message.address) return;
      listening += 1;
      if (listening === count) announce(message.address);
    });
    worker.on('exit', () => {
      if (stopping) return;
      if (Date.now() - born > shortLifeMs) start();
      else stop(1);
    });
  };
  const alive = () =>
    Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined && !worker.isDead());
  const stop = (code: number) => {
    if (stopping) return;
    stopping = true;
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
  whenOrphaned(() => stop(0));
  for (let i = 0; i < count; i++) start();
}
