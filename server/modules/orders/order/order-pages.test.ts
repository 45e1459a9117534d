import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OrderState } from '#contract/schemas/order.ts';
import { type OrderRow, putOrders } from '#tests/placed-orders.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import {
  type OrderCursor,
  type OrderQuery,
  orderPage,
  pageStatement,
  plan,
  writeOrderWords,
} from './order-pages.repository.ts';
import { findOrderByNumber } from './orders.repository.ts';

const stores = ['toronto-queen-west', 'waterloo-uptown'] as const;
const states: readonly OrderState[] = ['placed', 'reserved', 'ready', 'completed', 'cancelled'];
const count = 20_000;
const firstAt = 1_700_000_000_000;

/** Orders of a few thousand people; three at each time, as orders of a busy minute are. */
function orders(): OrderRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `page-${(index * 7919) % count}`,
    number: `LOG-2026-${String(index).padStart(6, '0')}`,
    state: index % 400 === 0 ? 'ready' : index % 3 === 0 ? 'cancelled' : 'completed',
    storeId: index % 5 === 0 ? stores[1] : stores[0],
    placedAt: firstAt + Math.floor(index / 3) * 60_000,
    contact: {
      firstName: index === 77 ? '小明' : `Person${index % 3000}`,
      lastName: index === 77 ? '王' : index % 2 === 0 ? 'Wang Li' : 'Wang',
      email: `Buyer${index}@Example.com`,
      phoneNumber: `+1 (519) 555-${String(index % 10_000).padStart(4, '0')}`,
    },
  }));
}

onBothEngines((engine) => {
  describe('orders in pages', () => {
    let testApp: TestApp;
    const rows = orders();
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
      await testApp.db.transaction((trx) => putOrders(testApp.db, trx, rows));
      // PostgreSQL does it by itself after a while; SQLite plans without statistics.
      if (engine === 'postgres') await sql`analyze`.execute(testApp.db.read);
    });

    async function numbersOf(query: OrderQuery, size = 100): Promise<(string | null)[]> {
      const numbers: (string | null)[] = [];
      for (let after: OrderCursor | null = null; ; ) {
        const { orders: found, next } = await orderPage(testApp.db.read, query, after, size);
        expect(found.length).toBeLessThanOrEqual(size);
        numbers.push(...found.map(({ number }) => number));
        if (!next) return numbers;
        after = next;
      }
    }
    /** The same question, answered by looking at each order. */
    function expected(isWanted: (row: OrderRow) => boolean): string[] {
      const wanted = rows.filter(isWanted);
      wanted.sort((a, b) => b.placedAt - a.placedAt || (a.id < b.id ? 1 : -1));
      return wanted.map(({ number }) => number);
    }
    /** The demo has orders of its own, all of them newer. */
    const own = { to: firstAt + count * 60_000, from: firstAt };

    it('pages follow each other newest first, without a gap or a repetition, also among orders of one time', async () => {
      const from = firstAt + 6000 * 60_000;
      expect(await numbersOf({ ...own, from }, 7)).toEqual(expected(({ placedAt }) => placedAt >= from));
    });

    it('orders are chosen by store, state and time', async () => {
      const [, uptown] = stores;
      const to = firstAt + 1000 * 60_000;
      expect(await numbersOf({ ...own, stores: [uptown], states: ['cancelled', 'ready'], to })).toEqual(
        expected(
          ({ storeId, state, placedAt }) => storeId === uptown && state !== 'completed' && placedAt < to,
        ),
      );
      expect(await numbersOf({ ...own, states: ['ready'] })).toEqual(
        expected(({ state }) => state === 'ready'),
      );
    });

    it.each([
      ['log-2026-000077', 77],
      ['000077', 77],
      ['小明', 77],
      ['王小', 77],
      ['buyer12345@example.com', 12_345],
      ['BUYER12345', 12_345],
      ['519-555-2345 buyer12345@', 12_345],
    ])('the search for %s finds its order', async (text, index) => {
      expect(await numbersOf({ text, ...own })).toEqual([rows[index]?.number]);
    });

    it('a search finds by every word, by the end of a phone number, and together with a state', async () => {
      expect(await numbersOf({ ...own, text: '9876' })).toEqual(
        expected(({ number, contact }) => contact.phoneNumber.endsWith('9876') || /-0*9876/.test(number)),
      );
      const person = (name: RegExp) =>
        expected(({ contact, state }) => name.test(contact.firstName) && state === 'cancelled');
      // A whole word finds only itself; the beginning of one finds all that begin so.
      const found = await numbersOf({ ...own, text: 'wang person123', states: ['cancelled'] }, 1);
      expect(found).toEqual(person(/^Person123$/));
      expect(found.length).toBeGreaterThan(1);
      expect(await numbersOf({ ...own, text: 'wang person', states: ['cancelled'] }, 200)).toEqual(
        person(/^Person/),
      );
      // Two names of thousands of orders each.
      expect(await numbersOf({ ...own, text: 'li wang', states: ['cancelled'] }, 200)).toEqual(
        expected(({ contact, state }) => contact.lastName === 'Wang Li' && state === 'cancelled'),
      );
      expect(await numbersOf({ ...own, text: '%' })).toEqual([]);
      expect(await numbersOf({ ...own, text: ' ' })).toEqual([]);
    });

    it('an order is found no longer by what is deleted of its buyer', async () => {
      const { db } = testApp;
      const order = await findOrderByNumber(db.read, rows[500]?.number ?? '');
      if (!order) throw new Error('There is no such order');
      expect(await numbersOf({ text: 'buyer500@' })).toHaveLength(1);
      await db.transaction((trx) => writeOrderWords(trx, { ...order, contact: null, shippingContact: null }));
      expect(await numbersOf({ text: 'buyer500@' })).toEqual([]);
      expect(await numbersOf({ text: order.number ?? '' })).toEqual([order.number]);
    });

    const shapes: readonly (readonly [string, OrderQuery])[] = [
      ['all', {}],
      ['a state', { states: ['ready'] }],
      ['a store', { stores: [stores[1]] }],
      ['a store and a state', { stores: [stores[1]], states: ['ready'] }],
      ['a span of time', { from: firstAt, to: firstAt + 600_000 }],
      ['a text', { text: 'buyer12345@' }],
      ['a whole word', { text: 'buyer12345@example.com', states: ['cancelled'] }],
      ['the beginning of nearly every word', { text: 'pers' }],
      ['a whole word of every order', { text: 'wang', states: ['cancelled'] }],
      ['a text with a store', { text: 'buyer12345@ wang', stores: [stores[1]] }],
    ];
    it.each(shapes)('a page of %s is read by an index, and no table as a whole', async (_, query) => {
      const { sources, sieve } = await plan(testApp.db.read, query, {
        placedAt: firstAt + 6_000_000,
        id: 'page-1',
        number: null,
      });
      const [source] = sources;
      if (!source) throw new Error('Nothing is read');
      const until = sieve.length === 0 ? null : { placedAt: firstAt + 5_000_000, id: 'page-1', number: null };
      const statement = pageStatement(source, sieve, until, 51);
      const { rows: steps } = await (engine === 'sqlite'
        ? sql<Record<string, string>>`explain query plan ${statement}`
        : sql<Record<string, string>>`explain ${statement}`
      ).execute(testApp.db.read);
      const text = steps.map((row) => row.detail ?? row['QUERY PLAN']).join('\n');
      expect(text).toMatch(
        query.text === undefined ? /orders_placed/ : /order_words|found USING PRIMARY KEY/,
      );
      expect(text).not.toMatch(/Seq Scan|SCAN (?:orders|order_words)\b(?! USING)/);
      // Few orders may be sorted: those of a rare word, and those between two times, which are 5,000 at most.
      if (!/^(?:buyer|pers)/.test(query.text ?? '')) expect(text).not.toMatch(/TEMP B-TREE|Sort/);
    });

    it('every state of a placed order can be asked for at once', async () => {
      const { orders: found, next } = await orderPage(testApp.db.read, { states }, null, 1000);
      expect(found).toHaveLength(200);
      expect(next).not.toBeNull();
    });
  });
});
