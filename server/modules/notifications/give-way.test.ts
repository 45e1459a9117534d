import { expect, it } from 'vitest';
import { giveWay } from './give-way.ts';

/** The pauses of a process that works for this share of the time, ms. */
async function pausesAt(share: number): Promise<number[]> {
  const pauses: number[] = [];
  await giveWay({
    wait: async (ms) => void pauses.push(ms),
    utilization: (since) => ({ idle: 0, active: 0, utilization: since ? share : 1 }),
  });
  return pauses;
}

it('background work pauses ten times as long while the process answers requests', async () => {
  expect(await pausesAt(0.02)).toEqual([5]);
  expect(await pausesAt(0.9)).toEqual([5, 45]);
});
