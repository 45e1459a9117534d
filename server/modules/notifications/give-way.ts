/** Pauses between steps of background work, so that requests are answered first. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The pause of a process that has nothing else to do, and of one that answers requests, ms. */
const idleMs = 5;
const busyMs = 50;
/** The share of the first pause during which the process worked, above which it counts as busy. */
const busyShare = 0.25;

export interface GiveWayDeps {
  wait?: (ms: number) => Promise<unknown>;
  /** How much this process has worked so far; with `since`, how much since then. */
  utilization?: (since?: EventLoopUtilization) => EventLoopUtilization;
}

/** Waits between two steps: longer while the process answers requests, which slows both down. */
export async function giveWay({
  wait = pause,
  utilization = (since) => performance.eventLoopUtilization(since),
}: GiveWayDeps = {}): Promise<void> {
  const before = utilization();
  await wait(idleMs);
  if (utilization(before).utilization > busyShare) await wait(busyMs - idleMs);
}
