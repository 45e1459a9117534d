/** Closing periods of the books: what is filed stands, and what happens later counts in the open period. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { bookSale } from '#tests/book-entries.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { booksFindings } from '../index.ts';

const now = Date.UTC(2026, 10, 5, 16);
const day = (month: number, date: number) => Date.UTC(2026, month - 1, date, 16);
const october = { from: '2026-10-01', to: '2026-10-31' };
const terminal = { kind: 'terminal' } as const;

/** A shop without orders, whose books have two sales in October and one in November. */
async function shopWithBooks(engine: 'sqlite' | 'postgres'): Promise<TestApp> {
  const testApp = await createTestApp({ engine, now });
  for (const [at, base] of [
    [day(10, 3), 10_000],
    [day(10, 31), 5000],
    [day(11, 2), 700],
  ] as const)
    await bookSale(testApp, at, base);
  return testApp;
}

const close = ({ container }: TestApp, days: { from: string; to: string }, seen: number | null = null) =>
  container.periods.close(container.changes.by(terminal, 'books close'), days, seen);
const reopen = ({ container }: TestApp, id: string, why = 'a wrong rate') =>
  container.changes.run(terminal, 'books reopen', (change) => container.periods.reopen(change, id, why));

const salesOf = (sums: readonly { account: string; amount: number }[]) =>
  sums.reduce((sum, { account, amount }) => (account === 'sales' ? sum - amount : sum), 0);

onBothEngines((engine) => {
  describe('a closed period', () => {
    it('a closed period keeps its figures, and what happens in it later counts in the open one', async () => {
      const testApp = await shopWithBooks(engine);
      const { periods } = testApp.container;
      expect((await periods.all()).next).toEqual({ ...october, isOver: true });
      await close(testApp, october);
      const { next, periods: closed } = await periods.all();
      expect(next).toEqual({ from: '2026-11-01', to: '2026-11-30', isOver: false });
      expect(closed).toMatchObject([{ ...october, closedAt: now, reopened: null, canReopen: true }]);
      const id = closed[0]?.id ?? '';
      const filed = await periods.proof(id);
      expect([salesOf(filed.figures?.sums ?? []), filed.figures?.entries, filed.differences]).toEqual([
        15_000,
        6,
        [],
      ]);
      await bookSale(testApp, day(10, 20), 900);
      expect(await periods.proof(id)).toEqual(filed);
      testApp.clock.set(day(12, 2));
      expect(salesOf((await periods.figures({ from: '2026-11-01', to: '2026-11-30' })).sums)).toBe(1600);
      expect(await booksFindings(testApp.db.read)).toEqual({ periods: [], unreadable: [], events: [] });
    });

    it('a period is closed once, however often and by however many it is closed at once', async () => {
      const testApp = await shopWithBooks(engine);
      await Promise.all([close(testApp, october), close(testApp, october), close(testApp, october)]);
      await close(testApp, october);
      expect((await testApp.container.periods.all()).periods.length).toBe(1);
      const entries = await testApp.container.changes.journal({ kind: 'period', most: 10 });
      expect(entries.map(({ action }) => action)).toEqual(['books close']);
    });

    it('a period follows the last one, is over, and is what was looked at', async () => {
      const testApp = await shopWithBooks(engine);
      const refused = async (days: { from: string; to: string }, seen: number | null = null) =>
        close(testApp, days, seen).then(
          () => 'closed',
          ({ details }) => details.errors ?? details.errorKey,
        );
      expect(await refused({ from: '2026-10-02', to: '2026-10-31' })).toMatchObject({
        from: { key: 'office.closing.follows' },
      });
      expect(await refused({ from: '2026-10-01', to: '2026-11-05' })).toEqual({
        to: 'office.closing.notOver',
      });
      expect(await refused({ from: '2026-10-01', to: '2026-09-30' })).toEqual({
        to: 'office.takings.endsBefore',
      });
      expect(await refused({ from: '2026-10-01', to: '2026-10-32' })).toEqual({ to: 'office.takings.noDay' });
      expect(await refused(october, 5)).toBe('office.closing.changed');
      expect((await testApp.container.periods.all()).periods).toEqual([]);
      await close(testApp, { from: '2026-10-01', to: '2026-11-04' }, 9);
      expect((await testApp.container.periods.all()).next?.from).toBe('2026-11-05');
    });

    it('a period is opened again only as the last one, with its reason in the journal, and its figures stay as filed', async () => {
      const testApp = await shopWithBooks(engine);
      const { periods, changes } = testApp.container;
      await close(testApp, { from: '2026-10-01', to: '2026-10-15' });
      await close(testApp, { from: '2026-10-16', to: '2026-10-31' });
      const [last, first] = (await periods.all()).periods.toSorted((a, b) => (a.from < b.from ? 1 : -1));
      await expect(reopen(testApp, first?.id ?? '')).rejects.toMatchObject({
        details: { errorKey: 'office.closing.notLast' },
      });
      await reopen(testApp, last?.id ?? '');
      await reopen(testApp, last?.id ?? '');
      const [entry, ...others] = await changes.journal({ kind: 'period', id: last?.id ?? '', most: 10 });
      expect(others.map(({ action }) => action)).toEqual(['books close']);
      expect(entry?.fields).toContainEqual({ field: 'why', to: 'a wrong rate' });
      await bookSale(testApp, day(10, 20), 900);
      await close(testApp, { from: '2026-10-16', to: '2026-10-31' });
      const both = (await periods.all()).periods.filter(({ from }) => from === '2026-10-16');
      const sales = await Promise.all(
        both.map(async ({ id }) => salesOf((await periods.proof(id)).figures?.sums ?? [])),
      );
      expect(sales.toSorted((a, b) => a - b)).toEqual([5000, 5900]);
      await expect(
        testApp.db.transaction((trx) => sql`update ledger_periods set figures = '{}'`.execute(trx)),
      ).rejects.toThrow('as it was filed');
    });

    it('a period that something else has written to is named, and so is an event that does not sum to zero', async () => {
      const testApp = await shopWithBooks(engine);
      await close(testApp, october);
      await testApp.db.transaction(async (trx) => {
        const triggers =
          engine === 'sqlite'
            ? ['drop trigger ledger_no_update']
            : ['alter table ledger_entries disable trigger ledger_append_only'];
        for (const statement of triggers) await sql.raw(statement).execute(trx);
        await sql`update ledger_entries set amount_cents = amount_cents - 100
          where account = 'sales' and amount_cents = -5000`.execute(trx);
      });
      const { periods, events } = await booksFindings(testApp.db.read);
      expect([periods, events.length]).toEqual([['2026-10-01 – 2026-10-31'], 1]);
      const [closed] = (await testApp.container.periods.all()).periods;
      const { differences } = await testApp.container.periods.proof(closed?.id ?? '');
      expect(differences).toMatchObject([{ sum: { account: 'sales' }, filed: -15_000, now: -15_100 }]);
    });

    it('a period whose figures were damaged is named, proves nothing, and keeps no later one from being closed', async () => {
      const testApp = await shopWithBooks(engine);
      const { periods } = testApp.container;
      await close(testApp, october);
      const id = (await periods.all()).periods[0]?.id ?? '';
      await testApp.db.transaction((trx) =>
        sql
          .raw(
            engine === 'sqlite'
              ? 'drop trigger periods_filed'
              : 'alter table ledger_periods disable trigger periods_filed',
          )
          .execute(trx),
      );
      for (const figures of ['{"entries":6,"su', '{}', '{"entries":6,"sums":[{"account":"sales"}]}']) {
        await testApp.db.transaction((trx) =>
          sql`update ledger_periods set figures = ${figures}`.execute(trx),
        );
        expect(await periods.proof(id)).toEqual({ figures: null, differences: [] });
        expect(await booksFindings(testApp.db.read)).toEqual({
          periods: [],
          unreadable: ['2026-10-01 – 2026-10-31'],
          events: [],
        });
      }
      testApp.clock.set(day(12, 2));
      await close(testApp, { from: '2026-11-01', to: '2026-11-30' });
      await reopen(
        testApp,
        (await periods.all()).periods.find(({ from }) => from === '2026-11-01')?.id ?? '',
      );
      await reopen(testApp, id);
      await close(testApp, october);
      expect(await booksFindings(testApp.db.read)).toEqual({ periods: [], unreadable: [], events: [] });
    });

    it('a period loses no entry that is written while it is being closed', async () => {
      const testApp = await shopWithBooks(engine);
      const { periods } = testApp.container;
      const [isWritten, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let runs = 0;
      const writing = testApp.db.transaction(async (trx) => {
        runs += 1;
        await bookSale(testApp, day(10, 20), 900, {}, trx);
        isWritten.resolve();
        // SQLite runs one transaction after another, so the closing waits there by itself.
        await mayEnd.promise;
      });
      await isWritten.promise;
      const closing = close(testApp, october);
      setTimeout(() => mayEnd.resolve(), 150);
      await Promise.all([writing, closing]);
      const [closed] = (await periods.all()).periods;
      const proof = await periods.proof(closed?.id ?? '');
      expect([runs, salesOf(proof.figures?.sums ?? []), proof.differences]).toEqual([1, 15_900, []]);
    });

    it('a transaction that had read the books before a period was closed is run again', async () => {
      const testApp = await shopWithBooks(engine);
      const { periods } = testApp.container;
      let runs = 0;
      const hasRead = Promise.withResolvers<void>();
      const isClosed = Promise.withResolvers<void>();
      const writing = testApp.db.transaction(async (trx) => {
        runs += 1;
        const { at } = await trx
          .selectFrom('ledger_periods')
          .select(({ fn }) => fn.max<number | null>('to_at').as('at'))
          .executeTakeFirstOrThrow();
        hasRead.resolve();
        // On SQLite the closing would wait for this transaction, and this one for the closing.
        if (engine === 'postgres') await isClosed.promise;
        const row = await trx
          .selectFrom('ledger_entries')
          .selectAll()
          .where('account', '=', 'sales')
          .orderBy('at')
          .execute();
        const booked = Math.max(day(10, 20), Number(at ?? 0));
        const { event_id: id } = row[0] ?? expect.fail();
        const copies = (
          await trx.selectFrom('ledger_entries').selectAll().where('event_id', '=', id).execute()
        ).map((each) => ({
          ...each,
          event_id: `${id} late`,
          at: day(10, 20),
          booked_at: booked,
        }));
        await trx.insertInto('ledger_entries').values(copies).execute();
      });
      await hasRead.promise;
      await close(testApp, october);
      isClosed.resolve();
      await writing;
      const [closed] = (await periods.all()).periods;
      const proof = await periods.proof(closed?.id ?? '');
      expect(proof.differences).toEqual([]);
      const late = await testApp.db.read
        .selectFrom('ledger_entries')
        .select('booked_at')
        .where('event_id', 'like', '% late')
        .execute();
      const midnight = Date.UTC(2026, 10, 1);
      if (engine === 'postgres')
        expect([runs, late.map(({ booked_at: at }) => at)]).toEqual([2, [midnight, midnight, midnight]]);
      expect(late.length).toBe(3);
    });
  });

  describe('the office', () => {
    it('a bookkeeper with a second factor closes a period, and only an owner opens it again', async () => {
      const testApp = await shopWithBooks(engine);
      const [bookkeeper, owner, manager] = [
        await joinStaff(testApp, 'books@shop.example', 'bookkeeper'),
        await joinStaff(testApp, 'owner@shop.example'),
        await joinStaff(testApp, 'manager@shop.example', 'manager'),
      ];
      const body = { ...october, entries: 6 };
      expect((await askStaff(testApp, 'closePeriod', { as: bookkeeper, body })).status).toBe(403);
      for (const as of [bookkeeper, owner, manager]) await secureStaff(testApp, as);
      testApp.clock.set(now);
      expect((await askStaff(testApp, 'closePeriod', { as: manager, body })).status).toBe(403);
      const closed = await askStaff(testApp, 'closePeriod', { as: bookkeeper, body });
      expect([closed.status, closed.body.periods[0]?.by]).toEqual([200, 'books']);
      const params = { period: closed.body.periods[0]?.id ?? '' };
      const why = { why: 'a wrong rate' };
      expect((await askStaff(testApp, 'reopenPeriod', { as: bookkeeper, params, body: why })).status).toBe(
        403,
      );
      expect(
        (await askStaff(testApp, 'reopenPeriod', { as: owner, params, body: { why: ' ' } })).status,
      ).toBe(400);
      const opened = await askStaff(testApp, 'reopenPeriod', { as: owner, params, body: why });
      expect([opened.status, opened.body.periods[0]?.reopened]).toMatchObject([
        200,
        { by: 'owner', why: 'a wrong rate' },
      ]);
    });
  });
});
