import { expect, it } from 'vitest';
import { chosenTip } from './tip-choice.tsx';

it('a tip counts only where tips are offered', () => {
  const tips = { methods: ['instore' as const], choices: [{ percent: 12.5, amount: 400 }] };
  expect(chosenTip({ tips, tipRate: 0.125, tipAmount: null }, 'instore')).toBe(400);
  expect(chosenTip({ tips, tipRate: 0.125, tipAmount: null }, 'shipping')).toBe(0);
  expect(chosenTip({ tips, tipRate: 0, tipAmount: 250 }, 'instore')).toBe(250);
  expect(chosenTip({ tips, tipRate: 0, tipAmount: 250 }, null)).toBe(0);
  expect(chosenTip({ tips: null, tipRate: 0, tipAmount: null }, 'instore')).toBe(0);
});
