import { expect, it } from 'vitest';
import { amountsInHundredths } from '#db/migrations/085-amounts-in-hundredths.ts';
import { putOrders } from '#tests/placed-orders.ts';
import { createTestApp, forEachEngine, testNow } from '#tests/test-app.ts';
import { createDiagnosticsService } from './diagnostics.service.ts';

forEachEngine((engine) => {
  it('orders in yen or dinars from before the update are counted, and none of dollars or of later', async () => {
    const testApp = await createTestApp({ engine, demo: true, now: Date.now() });
    const { db, env } = testApp;
    const { connections } = testApp.container;
    const contact = { firstName: 'Jordan', lastName: 'Lin', email: 'a@yen.example', phoneNumber: '' };
    const put = async (id: string, currency: string, placedAt: number) => {
      const order = {
        id,
        number: id.toUpperCase(),
        state: 'completed',
        storeId: 'toronto-queen-west',
        placedAt,
        contact,
      };
      await db.transaction(async (trx) => {
        await putOrders(db, trx, [order]);
        await trx.updateTable('orders').set({ currency }).where('id', '=', id).execute();
      });
    };
    const found = async () => {
      const { findings } = await createDiagnosticsService({ db, env, connections }).run();
      return findings.flatMap(({ key, values }) =>
        key === 'money.hundredths' ? [[values.currency, values.count]] : [],
      );
    };
    await put('cad', 'CAD', testNow);
    await db.transaction((trx) => amountsInHundredths.up(trx, engine));
    expect(await found()).toEqual([]);
    for (const [id, currency] of [
      ['y1', 'JPY'],
      ['y2', 'JPY'],
      ['k1', 'KWD'],
    ] as const)
      await put(id, currency, testNow);
    expect(await found()).toEqual([]);
    await db.transaction((trx) => amountsInHundredths.up(trx, engine));
    await put('y3', 'JPY', Date.now() + 60_000);
    expect(await found()).toEqual([
      ['JPY', 2],
      ['KWD', 1],
    ]);
  });
});
