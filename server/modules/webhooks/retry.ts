/** When deliveries are attempted again, and when they are given up. All in ms. */
import { dayMs, hourMs, minuteMs } from '#server/platform/durations.ts';

/** From the first attempt to the last. */
export const retryForMs = 2 * dayMs;
/** The pauses after failed attempts; the last one repeats. */
const pausesMs = [5000, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 12 * hourMs] as const;
const longestPauseMs = 12 * hourMs;
/** Pauses differ by up to this share, so that deliveries that failed together are not repeated together. */
const jitter = 0.2;

/**
 * The pause after the `attempts`th attempt failed.
 * @param random from 0 to 1
 * @param retryAfter the response's Retry-After header; a number of seconds makes the pause at least that long
 */
export function retryPauseMs(attempts: number, random: number, retryAfter?: string): number {
  const pause = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? pausesMs[0];
  const asked = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : 0;
  return Math.round(Math.max(pause * (1 - jitter + 2 * jitter * random), Math.min(asked, longestPauseMs)));
}
