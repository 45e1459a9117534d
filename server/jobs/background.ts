/** Runs the jobs that a process repeats beside answering, and stops them. */
import type { Job } from '#server/platform/server-module.ts';

/** A job under way gets this long to finish once the process is told to stop, ms. */
const finishWithinMs = 5000;

export interface Background {
  /** Starts nothing more, and waits for what is under way. What fails from now on is not reported. */
  stop(): Promise<void>;
}

/** Runs each job every so often, never twice at once. `report` is told of those that fail. */
export function startBackground(jobs: readonly Job[], report: (error: unknown, name: string) => void): Background {
  const underWay = new Map<Job, Promise<void>>();
  let stopping = false;

  const start = (job: Job) => {
    // With slow payment providers one run may take longer than the time between two.
    if (underWay.has(job)) return;
    const running = (async () => {
      try {
        await job.run();
      } catch (error) {
        // Its database and its connections may be closed under it.
        if (!stopping) report(error, job.name);
      } finally {
        underWay.delete(job);
      }
    })();
    underWay.set(job, running);
  };
  const timers = jobs.map((job) => setInterval(start, job.everyMs, job));
  for (const job of jobs) if (job.atStart) start(job);

  return {
    async stop() {
      stopping = true;
      for (const timer of timers) clearInterval(timer);
      const timeUp = new Promise<void>((resolve) => setTimeout(resolve, finishWithinMs).unref());
      await Promise.race([Promise.all(underWay.values()), timeUp]);
    },
  };
}
