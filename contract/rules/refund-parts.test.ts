import { describe, expect, it } from 'vitest';
import {
  cashBackOf,
  cashBackOfAll,
  fromFirst,
  goodsTaken,
  partsTaken,
  restOfAll,
  restTaken,
  tipsTaken,
} from './refund-parts.ts';

const cash = { provider: 'counter', kind: 'cash', reference: 'a1', goods: 1857, tip: 202, disputed: 0 };
const card = { provider: 'Stripe', kind: null, reference: 'b2', goods: 1000, tip: 100, disputed: 600 };
const brief = (taken: ReturnType<typeof restTaken<typeof cash | typeof card>>) =>
  taken.map(({ each, amount, tip }) => [each.reference, amount, tip]);

describe('parts of a refund', () => {
  it('each payment gives in turn, tips last, and nothing of what a bank disputes', () => {
    expect(brief(goodsTaken([card, cash], 1200))).toEqual([
      ['b2', 500, 0],
      ['a1', 700, 0],
    ]);
    expect(brief(restTaken([cash, card], 2300))).toEqual([
      ['a1', 2059, 202],
      ['b2', 241, 0],
    ]);
    expect(brief(tipsTaken([card, cash], 250))).toEqual([
      ['b2', 100, 100],
      ['a1', 150, 150],
    ]);
    expect(restOfAll([card, cash])).toBe(500 + 2059);
  });

  it('tips come after the goods of the same refund, from what those leave', () => {
    expect(brief(partsTaken([card, cash], { goods: 450, tip: 100 }))).toEqual([
      ['b2', 450, 0],
      ['b2', 50, 50],
      ['a1', 50, 50],
    ]);
  });

  it('a way that is named gives first', () => {
    expect(fromFirst([card, cash], 'cash')).toEqual([cash, card]);
    expect(fromFirst([card, cash], ' STRIPE')).toEqual([card, cash]);
    expect(fromFirst([card, cash], '')).toEqual([card, cash]);
  });

  it('each part in cash is what its coins allow, and no cash is not zero', () => {
    expect(cashBackOfAll(partsTaken([cash], { goods: 1857, tip: 202 }), 5)).toBe(1855 + 200);
    expect(cashBackOfAll(restTaken([cash], 2059), 5)).toBe(2060);
    expect(cashBackOfAll(restTaken([cash], 2), 5)).toBe(0);
    expect([cashBackOfAll(restTaken([card], 100), 5), cashBackOf(100, 'terminal', 5)]).toEqual([null, null]);
  });
});
