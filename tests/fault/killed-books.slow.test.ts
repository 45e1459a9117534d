/**
 * Kills the server while shoppers buy and staff refund, cancel and count cash. Whatever was committed is in the books with it: each event
 * sums to zero, and they hold what payments, refunds and bills say, at once and after everything has been settled.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { apiBase, clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { booksFindings } from '#server/modules/bookkeeping/index.ts';
import { bookSums } from '#tests/book-sums.ts';
import { repeats } from '#tests/long.ts';
import { startShop } from '#tests/processes.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits } from '#tests/shop-actions.ts';
import { joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { buy, environment } from './buying.ts';

const sku = 'KILLED-MUG';
const store = 'toronto-queen-west';
const shoppers = 8;
const stepsBeforeTheKill = 40;
const kills = repeats(2, 12);

forEachEngine((engine) => {
  it('the books of a shop that is killed by SIGKILL hold all that was committed, and nothing else', {
    timeout: 900_000,
  }, async () => {
    const testApp = await createTestApp({ engine, demo: true });
    // What the demo was filled with is of before.
    const start = Date.now();
    testApp.clock.set(start);
    const owner = await joinStaff(testApp, 'kill@shop.example');
    await secureStaff(testApp, owner);
    await sellProduct(testApp, sku, { priceCents: 1799 });
    await setUnits(testApp, sku, 50_000);
    const { db, services } = testApp;
    const done = { bought: 0, refunded: 0, cancelled: 0, counted: 0 };
    let isWrittenInTheMiddle = false;

    for (let round = 0; round < kills; round++) {
      const shop = await startShop(environment(testApp));
      const bought: string[] = [];
      let [steps, isKilled] = [0, false];
      const step = (of: keyof typeof done) => {
        done[of] += 1;
        steps += 1;
        if (steps < stepsBeforeTheKill || isKilled) return;
        isKilled = true;
        shop.child.kill('SIGKILL');
      };
      const asStaff = async (path: string, body: object) => {
        const key = { [requestKeyHeader]: randomUUID() };
        const headers = {
          [clientTokenHeader]: staffToken,
          cookie: owner.header,
          'content-type': 'application/json',
          ...key,
        };
        const answer = await fetch(`${shop.url}${staffBase}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        const said = await answer.text();
        // Two of the staff may take the same order.
        expect([200, 409], said).toContain(answer.status);
        return answer.status === 200;
      };
      const buyUntilKilled = async () => {
        while (!isKilled) {
          const order = await buy(shop.url, sku);
          if (!order) continue;
          const headers = { cookie: order.cookie };
          const answer = await fetch(`${shop.url}${apiBase}admin/orderManagement/order/${order.orderID}`, {
            headers,
          });
          bought.push(((await answer.json()) as { orderNumber: string }).orderNumber);
          step('bought');
        }
      };
      const workUntilKilled = async (turn: number) => {
        for (let at = turn; !isKilled; at++) {
          const number = bought.shift();
          if (at % 3 === 0 || !number) {
            if (
              await asStaff('books/cash', {
                store,
                kind: at % 2 === 0 ? 'float' : 'count',
                amount: 1000 + at,
              })
            )
              step('counted');
            continue;
          }
          const said = await fetch(`${shop.url}${staffBase}orders/${number}`, {
            headers: { cookie: owner.header },
          });
          const { version, cancellable, refundable } = (await said.json()) as StaffResponse<'order'>;
          const words = { reason: 'changed their mind', note: '', restock: true };
          if (at % 3 === 1 && cancellable) {
            const seen = { version, most: cancellable.most };
            const refund = Math.floor(cancellable.most / 2);
            if (await asStaff(`orders/${number}/cancel/refund`, { ...words, ...seen, mail: false, refund }))
              step('cancelled');
          } else if (refundable.shipping) {
            const parts = {
              lines: [],
              shipping: true,
              serviceCharge: false,
              tip: 0,
              amount: refundable.shipping,
            };
            const { refunded } = refundable;
            if (await asStaff(`orders/${number}/refunds`, { ...words, ...parts, refunded })) step('refunded');
          }
        }
      };
      // What the kill interrupts: a request that is not answered.
      const interrupted = (error: unknown) => {
        if (!isKilled) throw error;
        isWrittenInTheMiddle = true;
      };
      await Promise.all([
        ...Array.from({ length: shoppers }, () => buyUntilKilled().catch(interrupted)),
        ...[1, 2].map((turn) => workUntilKilled(turn).catch(interrupted)),
      ]);
      await shop.end();
      // PostgreSQL may still be ending what the process had sent.
      await expect.poll(() => services.ledger.wrong(), { timeout: 30_000 }).toEqual([]);
      const { uneven, money, payments, billed, bills, drawer, moves } = await bookSums(db.read, start);
      expect({ uneven, money, billed, drawer }).toEqual({
        uneven: 0,
        money: payments,
        billed: bills,
        drawer: moves,
      });
    }
    expect(isWrittenInTheMiddle).toBe(true);
    for (const count of Object.values(done)) expect(count).toBeGreaterThan(0);

    // An hour on, what was open is settled one way or the other.
    testApp.clock.set(Date.now() + 3_600_000);
    await services.payments.reconcile();
    const { uneven, money, payments, billed, bills } = await bookSums(db.read, start);
    expect({ uneven, money, billed }).toEqual({ uneven: 0, money: payments, billed: bills });
    const { rows: charged } = await sql<{
      cents: number | null;
    }>`select sum(amount_cents) as cents from house_charges
      where state = 'succeeded'`.execute(db.read);
    expect(Number(charged[0]?.cents)).toBeGreaterThan(0);
    expect(await services.ledger.wrong()).toEqual([]);
    expect(await booksFindings(db.read)).toEqual({ periods: [], unreadable: [], events: [] });
    expect(await services.stock.differences()).toEqual([]);
  });
});
