/** Cash in the drawers of stores: what is recorded, who may, and how it is taken back. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CashInput } from '#contract/staff/cash.ts';
import { bookSale } from '#tests/book-entries.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const now = Date.UTC(2026, 10, 5, 16);
const store = 'toronto-queen-west';

/** The demo shop, of whose stores one has taken 113.00 in cash today, and 56.50 by terminal. */
async function shopWithCash(engine: 'sqlite' | 'postgres'): Promise<{ testApp: TestApp; as: Shopper }> {
  const testApp = await createTestApp({ engine, demo: true, now });
  await bookSale(testApp, now - 1000, 10_000);
  await bookSale(testApp, now - 1000, 5000, { way: 'terminal' });
  return { testApp, as: await joinStaff(testApp, 'mia@shop.example', 'manager', [store]) };
}

const record = (testApp: TestApp, as: Shopper, body: Omit<CashInput, 'store'>) => {
  testApp.clock.advance(1);
  return askStaff(testApp, 'moveCash', { as, body: { store, ...body } });
};

const sumOf = async ({ db }: TestApp, account: string) => {
  const { rows } = await sql<{ sum: number | null }>`select sum(amount_cents) as sum from ledger_entries
    where account = ${account} and kind in ('cashIn', 'cashOut')`.execute(db.read);
  return Number(rows[0]?.sum ?? 0);
};

onBothEngines((engine) => {
  describe('the drawer of a store', () => {
    it('the drawer is what it began with, what buyers paid in cash, and what staff put in and took out', async () => {
      const { testApp, as } = await shopWithCash(engine);
      await record(testApp, as, { kind: 'float', amount: 20_000 });
      await record(testApp, as, { kind: 'spent', amount: 1250, note: 'Milk' });
      const { status, body } = await record(testApp, as, { kind: 'bank', amount: 25_000 });
      expect(status).toBe(200);
      // A sale of a test is no payment: it is in the drawer, and nobody's refund.
      expect(body).toMatchObject({ day: '2026-11-05', opening: 0, moved: -6250, closing: 11_300 - 6250 });
      expect(body.moves.map(({ kind, amount, by, note }) => [kind, amount, by, note])).toEqual([
        ['float', 20_000, 'mia', ''],
        ['spent', -1250, 'mia', 'Milk'],
        ['bank', -25_000, 'mia', ''],
      ]);
      expect([await sumOf(testApp, 'bank'), await sumOf(testApp, 'spent')]).toEqual([5000, 1250]);
      const next = await askStaff(testApp, 'cashSheet', { as, query: { store, day: '2026-11-06' } });
      expect([next.body.opening, next.body.closing, next.body.moves]).toEqual([5050, 5050, []]);
    });

    it('a drawer is counted: what is missing or too much is booked, and a count without a difference is kept too', async () => {
      const { testApp, as } = await shopWithCash(engine);
      const short = (await record(testApp, as, { kind: 'count', amount: 11_000, note: 'evening' })).body;
      expect([short.closing, short.moves[0]?.amount, short.moves[0]?.counted]).toEqual([
        11_000, -300, 11_000,
      ]);
      const exact = (await record(testApp, as, { kind: 'count', amount: 11_000 })).body;
      expect(exact.moves[1]?.amount).toBe(0);
      const over = (await record(testApp, as, { kind: 'count', amount: 11_050 })).body;
      expect([over.moves[2]?.amount, over.closing]).toEqual([50, 11_050]);
      expect(await sumOf(testApp, 'overShort')).toBe(250);
    });

    it('a record is taken back by its opposite, once, and both stay', async () => {
      const { testApp, as } = await shopWithCash(engine);
      const { body } = await record(testApp, as, { kind: 'spent', amount: 999, note: 'Milk' });
      const params = { move: body.moves[0]?.id ?? '' };
      testApp.clock.advance(1);
      const first = await askStaff(testApp, 'takeBackCash', { as, params });
      const [again] = await Promise.all([1, 2].map(() => askStaff(testApp, 'takeBackCash', { as, params })));
      expect([first.status, again?.status, again?.body]).toEqual([200, 200, first.body]);
      expect(
        first.body.moves.map(({ amount, isTakenBack, corrects }) => [amount, isTakenBack, corrects]),
      ).toEqual([
        [-999, true, null],
        [999, false, params.move],
      ]);
      const back = { move: first.body.moves[1]?.id ?? '' };
      expect((await askStaff(testApp, 'takeBackCash', { as, params: back })).status).toBe(400);
      expect(await sumOf(testApp, 'spent')).toBe(0);
      await expect(testApp.db.transaction((trx) => sql`delete from cash_moves`.execute(trx))).rejects.toThrow(
        'append-only',
      );
    });

    it('a drawer takes no amount without a purpose, of a day to come, or of a closed one', async () => {
      const { testApp, as } = await shopWithCash(engine);
      const errorsOf = async (body: Omit<CashInput, 'store'>) =>
        Object.keys((await record(testApp, as, body)).body.errors ?? {});
      expect(await errorsOf({ kind: 'spent', amount: 100, note: ' ' })).toEqual(['note']);
      expect(await errorsOf({ kind: 'bank', amount: 0 })).toEqual(['amount']);
      expect(await errorsOf({ kind: 'bank', amount: 100, day: '2026-11-06' })).toEqual(['day']);
      expect(await errorsOf({ kind: 'bank', amount: 100, day: '2026-02-30' })).toEqual(['day']);
      const { periods, changes } = testApp.container;
      const from = (await periods.all()).next?.from ?? '';
      await periods.close(changes.by({ kind: 'terminal' }, 'books close'), { from, to: '2026-11-03' }, null);
      expect(await errorsOf({ kind: 'bank', amount: 100, day: '2026-11-03' })).toEqual(['day']);
      const { status, body } = await record(testApp, as, { kind: 'bank', amount: 100, day: '2026-11-04' });
      expect([status, body.day, body.closing]).toEqual([200, '2026-11-04', -100]);
    });

    it('a drawer is of a store: who works elsewhere, or only sells, records nothing there', async () => {
      const { testApp, as } = await shopWithCash(engine);
      const elsewhere = { store: 'waterloo-uptown', kind: 'float', amount: 100 };
      expect((await askStaff(testApp, 'moveCash', { as, body: elsewhere })).status).toBe(404);
      expect((await askStaff(testApp, 'cashSheet', { as, query: { store: 'waterloo-uptown' } })).status).toBe(
        404,
      );
      const assistant = await joinStaff(testApp, 'sam@shop.example', 'assistant', [store]);
      expect((await record(testApp, assistant, { kind: 'float', amount: 100 })).status).toBe(403);
      const { body } = await record(testApp, as, { kind: 'float', amount: 100 });
      const far = await joinStaff(testApp, 'far@shop.example', 'manager', ['waterloo-uptown']);
      expect(
        (await askStaff(testApp, 'takeBackCash', { as: far, params: { move: body.moves[0]?.id ?? '' } }))
          .status,
      ).toBe(404);
    });
  });
});
