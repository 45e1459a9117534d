/** Worked examples of what units cost, and random ones: whatever happens, what was paid is what was sold and what is there. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrive, atAverage, atCost, leave, moved, type Pool, returned, valued } from './costs.ts';

const empty: Pool = { units: 0, costed: 0, cents: 0 };
const received = (pool: Pool, quantity: number, cost: number) =>
  moved(pool, quantity, arrive(pool, atCost(quantity, cost)));
const unknown = (pool: Pool, quantity: number) =>
  moved(pool, quantity, arrive(pool, { quantity, costed: 0, cents: 0 }));

describe('what units of stock cost', () => {
  it('units leave at the average of what was paid, and the last one takes the rest of the cents', () => {
    // 3 at 100 and 4 at 201: 1104 for 7.
    const pool = received(received(empty, 3, 100), 4, 201);
    const first = leave(pool, 2, null);
    expect(first).toEqual({ costed: -2, cents: -315, late: 0 });
    const rest = moved(pool, -2, first);
    expect(leave(rest, 5, null)).toEqual({ costed: -5, cents: -789, late: 0 });
  });

  it('a delivery at another cost changes the average of what is there, and nothing that was sold', () => {
    const pool = received(empty, 10, 100);
    const left = moved(pool, -5, leave(pool, 5, null));
    expect(received(left, 5, 200)).toEqual({ units: 10, costed: 10, cents: 1500 });
  });

  it('units whose cost nobody knows leave first, at no cost, and are not worth nothing', () => {
    const pool = received(unknown(empty, 3), 2, 500);
    expect(leave(pool, 4, null)).toEqual({ costed: -1, cents: -500, late: 0 });
    expect(leave(unknown(empty, 3), 2, 700)).toEqual({ costed: 0, cents: 0, late: 0 });
  });

  it('a cost that becomes known is that of the units that are there without one', () => {
    const pool = received(unknown(empty, 3), 2, 500);
    expect(moved(pool, 0, valued(pool, 400))).toEqual({ units: 5, costed: 5, cents: 2200 });
  });

  it('units that are sold before they come leave at the last known cost, and the difference follows with the delivery', () => {
    const pool = received(empty, 1, 500);
    const sold = leave(pool, 3, 450);
    expect(sold).toEqual({ costed: -3, cents: -1500, late: 0 });
    const short = moved(pool, -3, sold);
    // Four at 600: two of them were sold at 500 each.
    expect(arrive(short, atCost(4, 600))).toEqual({ costed: 4, cents: 2200, late: 200 });
    expect(received(short, 4, 600)).toEqual({ units: 2, costed: 2, cents: 1200 });
  });

  it('units that are sold before they come, at a cost that nobody knew, cost what the delivery says', () => {
    const short = moved(empty, -2, leave(empty, 2, null));
    expect(short).toEqual({ units: -2, costed: 0, cents: 0 });
    expect(arrive(short, atCost(3, 600))).toEqual({ costed: 1, cents: 600, late: 1200 });
    expect(valued(short, 600)).toEqual({ costed: -2, cents: -1200, late: 1200 });
  });

  it('units come back at the cost that they left with', () => {
    const left = { quantity: 3, costed: 2, cents: 701 };
    expect(returned(left, 1)).toEqual({ quantity: 1, costed: 1, cents: 351 });
    expect(returned({ quantity: 2, costed: 1, cents: 350 }, 2)).toEqual({
      quantity: 2,
      costed: 1,
      cents: 350,
    });
  });

  it('units that are found are worth what the others are', () => {
    expect(atAverage({ units: 4, costed: 4, cents: 1000 }, 2, 900)).toEqual({
      quantity: 2,
      costed: 2,
      cents: 500,
    });
    expect(atAverage(empty, 2, 900)).toEqual({ quantity: 2, costed: 2, cents: 1800 });
    expect(atAverage(empty, 2, null)).toEqual({ quantity: 2, costed: 0, cents: 0 });
  });

  it('the sum that was paid is what left, what its units cost beyond that, and what is there, whatever comes and goes', () => {
    const step = fc.record({
      quantity: fc.integer({ min: -9, max: 9 }),
      cost: fc.option(fc.nat({ max: 1000 })),
      does: fc.constantFrom('move', 'found', 'value'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let pool = empty;
        let [paid, gone] = [0, 0];
        for (const { quantity, cost, does } of steps) {
          let by = leave(pool, Math.max(0, -quantity), cost);
          if (does === 'value') {
            by = valued(pool, cost ?? 1);
            paid += by.cents + by.late;
            pool = moved(pool, 0, by);
          } else if (quantity > 0) {
            const none = { quantity, costed: 0, cents: 0 };
            const batch =
              does === 'found'
                ? atAverage(pool, quantity, cost)
                : cost === null
                  ? none
                  : atCost(quantity, cost);
            by = arrive(pool, batch);
            // Of units without a cost, those in place of sold ones have what was booked for these.
            if (batch.costed === 0) expect(by.late).toBe(0);
            paid += batch.costed === 0 ? by.cents : batch.cents;
            pool = moved(pool, quantity, by);
          } else {
            gone -= by.cents;
            pool = moved(pool, quantity, by);
          }
          gone += by.late;
          expect(paid).toBe(gone + pool.cents);
          if (pool.costed === 0) expect(pool.cents).toBe(0);
          else expect(Math.sign(pool.cents) * Math.sign(pool.costed)).toBeGreaterThanOrEqual(0);
          // Never both: some there without a cost, and some sold before they came with one.
          expect(pool.costed * (pool.units - pool.costed)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
