import { expect, it } from 'vitest';
import type { OrderRow } from '#contract/staff/orders.ts';
import { askedFor } from './asked-for.ts';

const owing = (due: number, cashDue: number, currency = 'CAD') => ({ due, cashDue, currency }) as OrderRow;

it('cash for several orders is the sum of what each of them comes to in coins', () => {
  const three = [owing(1857, 1855), owing(1857, 1855), owing(1857, 1855)];
  expect(askedFor(three, 'en')).toEqual({ amount: '$55.71', cash: '$55.65' });
});

it('amounts of several currencies are not added up', () => {
  expect(askedFor([owing(1857, 1855), owing(500, 500, 'JPY')], 'en')).toEqual({
    amount: '$18.57 + ¥500',
    cash: '$18.55 + ¥500',
  });
});
