import { expect, it } from 'vitest';
import { createTestApp, onBothEngines, type TestApp } from './test-app.ts';
import { everyTable, wholeDatabase } from './whole-database.ts';

onBothEngines((engine) => {
  const set = ({ db }: TestApp, value: string) =>
    db.transaction((trx) => trx.updateTable('settings').set({ value }).where('key', '=', 'a').execute());

  it('the text of a whole database shows one changed value, and is as before once that is changed back', async () => {
    const testApp = await createTestApp({ engine });
    await testApp.db.transaction((trx) => trx.insertInto('settings').values({ key: 'a', value: '"1,2"' }).execute());
    const before = await wholeDatabase(testApp);
    for (const value of ['"1,3"', '"1;2"', '"１,2"', '""']) {
      await set(testApp, value);
      expect(await wholeDatabase(testApp)).not.toBe(before);
      expect((await everyTable(testApp)).get('settings')).toContain(JSON.stringify({ key: 'a', value }));
    }
    await set(testApp, '"1,2"');
    expect(await wholeDatabase(testApp)).toBe(before);
  });

  it.runIf(engine === 'sqlite')('the text of a whole database shows a change behind a NUL', async () => {
    const testApp = await createTestApp({ engine });
    await testApp.db.transaction((trx) => trx.insertInto('settings').values({ key: 'a', value: '"\0a"' }).execute());
    const before = await wholeDatabase(testApp);
    await set(testApp, '"\0b"');
    expect(await wholeDatabase(testApp)).not.toBe(before);
  });

  it('the text of a whole database shows a row that was added and one that was removed', async () => {
    const testApp = await createTestApp({ engine });
    const before = await wholeDatabase(testApp);
    await testApp.db.transaction((trx) => trx.insertInto('settings').values({ key: 'a', value: '1' }).execute());
    expect(await wholeDatabase(testApp)).not.toBe(before);
    await testApp.db.transaction((trx) => trx.deleteFrom('settings').where('key', '=', 'a').execute());
    expect(await wholeDatabase(testApp)).toBe(before);
  });
});
