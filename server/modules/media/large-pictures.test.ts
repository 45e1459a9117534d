import { expect, it } from 'vitest';
import { loadSharp, measureBytes } from './originals.ts';

it('large pictures are decoded one after the other, and small ones beside them', async () => {
  const sharp = await loadSharp();
  const picture = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#a05030' } })
      .png()
      .toBuffer();
  const [large, small] = await Promise.all([picture(4000), picture(20)]);
  let most = 0;
  const ended: string[] = [];
  const watch = setInterval(() => {
    most = Math.max(most, sharp.counters().process);
  }, 2);
  await Promise.all([
    ...Array.from({ length: 6 }, () => measureBytes('large.png', large).then(() => ended.push('large'))),
    measureBytes('small.png', small).then(() => ended.push('small')),
  ]);
  clearInterval(watch);
  expect(most).toBeLessThanOrEqual(2);
  expect(ended.indexOf('small')).toBeLessThan(3);
});
