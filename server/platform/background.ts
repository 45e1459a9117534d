/** Never runs a job twice at once. */
import type { Job } from './server-module.ts';

/** Of a job, after the process is told to stop. */
const finishWithinMs = 5000;

export type Background = ReturnType<typeof startBackground>;

export function startBackground(jobs: readonly Job[], report: (error: unknown, name: string) => void) {
  const underWay = new Map<Job, Promise<void>>();
  let stopping = false;

  const start = (job: Job) => {
    // With slow payment providers one run may take longer than the interval.
    if (underWay.has(job)) return;
    const running = (async () => {
      try {
        await job.run();
      } catch (error) {
        // The database and its connections may be closed while the job runs.
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
    /** Waits for jobs under way. Later failures are not reported. */
    async stop(): Promise<void> {
      stopping = true;
      for (const timer of timers) clearInterval(timer);
      const timeUp = new Promise<void>((resolve) => setTimeout(resolve, finishWithinMs).unref());
      await Promise.race([Promise.all(underWay.values()), timeUp]);
    },
  };
}
