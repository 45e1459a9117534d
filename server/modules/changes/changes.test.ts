import { describe, expect, it } from 'vitest';
import { plainCoupon } from '#tests/coupons.ts';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import { wholeDatabase } from '#tests/whole-database.ts';
import { changedFields, keptFields } from './changes.service.ts';

const terminal = { kind: 'terminal' } as const;

onBothEngines((engine) => {
  it('a change and its entry in the journal are one transaction', async () => {
    const testApp = await createTestApp({ engine, connections: 10 });
    const { changes, settings, coupons } = testApp.container;
    await changes.run(terminal, 'settings set', (change) => settings.update(change, { currency: 'EUR' }));
    const entries = await changes.journal({ most: 9 });
    expect(entries).toEqual([
      {
        no: 1,
        at: testApp.clock.now(),
        actor: terminal,
        action: 'settings set',
        kind: 'setting',
        id: 'currency',
        fields: [{ field: 'currency', from: 'CAD', to: 'EUR' }],
      },
    ]);
    const before = await wholeDatabase(testApp);
    const failed = changes.run(terminal, 'both', async (change) => {
      await settings.update(change, { currency: 'USD' });
      await coupons.add(change, { ...plainCoupon, code: 'LOST' });
      throw new Error('The process ends here');
    });
    await expect(failed).rejects.toThrow('ends here');
    expect(await wholeDatabase(testApp)).toBe(before);
  });

  it('a change that notes nothing fails and changes nothing', async () => {
    const testApp = await createTestApp({ engine, connections: 10 });
    const before = await wholeDatabase(testApp);
    const silent = testApp.container.changes.run(terminal, 'silence', ({ trx }) =>
      trx.insertInto('settings').values({ key: 'currency', value: '"EUR"' }).execute(),
    );
    await expect(silent).rejects.toThrow('notes nothing');
    expect(await wholeDatabase(testApp)).toBe(before);
  });

  it('a value that stays the same makes no entry', async () => {
    const { services } = await createTestApp({ engine, connections: 10 });
    await services.settings.update({ currency: 'CAD' });
    expect(await services.changes.journal({ most: 1 })).toEqual([]);
  });

  it('the database refuses to change or delete an entry of the journal', async () => {
    const { db, services } = await createTestApp({ engine, connections: 10 });
    await services.settings.update({ currency: 'EUR' });
    const deleted = db.transaction((trx) => trx.deleteFrom('journal').execute());
    await expect(deleted).rejects.toThrow('append-only');
    // The types refuse it as well, but for a column that could be written.
    const changed = db.transaction((trx) =>
      trx
        .updateTable('journal')
        .set({ fields: null } as object)
        .execute(),
    );
    await expect(changed).rejects.toThrow('append-only');
    expect(await services.changes.journal({ most: 9 })).toHaveLength(1);
  });

  it('the journal is read by thing, person, time and in pages, the newest first', async () => {
    const testApp = await createTestApp({ engine, connections: 10 });
    const { services, clock } = testApp;
    for (const code of ['ONE', 'TWO', 'THREE']) {
      await services.coupons.add({ ...plainCoupon, code });
      clock.advance(1000);
    }
    const ids = async (query: object) =>
      (await services.changes.journal({ most: 9, ...query })).map(({ id }) => id);
    expect(await ids({})).toEqual(['THREE', 'TWO', 'ONE']);
    expect(await ids({ most: 2 })).toEqual(['THREE', 'TWO']);
    expect(await ids({ before: 2 })).toEqual(['ONE']);
    expect(await ids({ since: clock.now() - 2000 })).toEqual(['THREE', 'TWO']);
    expect(await ids({ kind: 'coupon', id: 'TWO' })).toEqual(['TWO']);
    expect(await ids({ since: clock.now() - 2000, until: clock.now() - 1000 })).toEqual(['TWO']);
    expect(await ids({ kind: 'store' })).toEqual([]);
    await services.changes.run({ kind: 'staff', id: 'li' }, 'coupon end', async ({ note }) =>
      note('coupon', 'ONE'),
    );
    expect(await ids({ actor: 'staff:li' })).toEqual(['ONE']);
    expect(await ids({ actor: 'staff:li', kind: 'coupon', id: 'TWO' })).toEqual([]);
  });

  it('changes of several processes at once get entries with numbers of their own', async () => {
    const { services } = await createTestApp({ engine, connections: 10 });
    const codes = Array.from({ length: 20 }, (_, index) => `C${index}`);
    await Promise.all(codes.map((code) => services.coupons.add({ ...plainCoupon, code })));
    const entries = await services.changes.journal({ most: 50 });
    expect(entries.map(({ no }) => no)).toEqual(codes.map((_, index) => codes.length - index));
    expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(codes));
  });
});

describe('the fields of an entry', () => {
  it('name what differs, at any depth', () => {
    const before = { name: { en: 'Cup', zh: '杯' }, tags: ['a'], price: 1 };
    expect(changedFields(before, { name: { en: 'Mug', zh: '杯' }, tags: ['a', 'b'], price: 1 })).toEqual([
      { field: 'name.en', from: 'Cup', to: 'Mug' },
      { field: 'tags', from: ['a'], to: ['a', 'b'] },
    ]);
  });

  it.each([
    ['contactEmail', ''],
    ['newOrderEmails.addresses', []],
    ['address.street', '1 Main Street'],
    ['phone', '416 555 0100'],
    ['secret', 'whsec_1'],
    ['shopName.en', 'Ask ada@example.com'],
    ['description.en', 'x'.repeat(300)],
  ])('keep no value of %s if it is %s', (field, to) => {
    expect(keptFields([{ field, from: '', to }])).toEqual([{ field }]);
  });
});
