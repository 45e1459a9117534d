import { expect, it } from 'vitest';
import { centsOf, chosenTip } from './tip-choice.tsx';

it.each([
  ['5', 500],
  ['5.5', 550],
  ['5.05', 505],
  ['$5,50', 550],
  ['５元', 500],
  [' 12.00 ', 1200],
  ['0', 0],
  ['', null],
  ['five', null],
  ['5.505', null],
  ['-5', null],
  ['1e3', null],
])('the typed tip %j is %j cents', (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});

it('a tip counts only where tips are offered', () => {
  const tips = { methods: ['instore' as const], choices: [{ percent: 12.5, amount: 400 }] };
  expect(chosenTip({ tips, tipRate: 0.125, tipAmount: null }, 'instore')).toBe(400);
  expect(chosenTip({ tips, tipRate: 0.125, tipAmount: null }, 'shipping')).toBe(0);
  expect(chosenTip({ tips, tipRate: 0, tipAmount: 250 }, 'instore')).toBe(250);
  expect(chosenTip({ tips, tipRate: 0, tipAmount: 250 }, null)).toBe(0);
  expect(chosenTip({ tips: null, tipRate: 0, tipAmount: null }, 'instore')).toBe(0);
});
