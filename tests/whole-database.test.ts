import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { register } from './accounts.ts';
import { createTestApp, onBothEngines, type TestApp } from './test-app.ts';
import { everyTable, wholeDatabase } from './whole-database.ts';

onBothEngines((engine) => {
  const set = ({ db }: TestApp, value: string) =>
    db.transaction((trx) => trx.updateTable('settings').set({ value }).where('key', '=', 'a').execute());

  it('the text of a whole database shows one changed value, and is as before once that is changed back', async () => {
    const testApp = await createTestApp({ engine });
    await testApp.db.transaction((trx) =>
      trx.insertInto('settings').values({ key: 'a', value: '"1,2"' }).execute(),
    );
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
    await testApp.db.transaction((trx) =>
      trx.insertInto('settings').values({ key: 'a', value: '"\0a"' }).execute(),
    );
    const before = await wholeDatabase(testApp);
    await set(testApp, '"\0b"');
    expect(await wholeDatabase(testApp)).not.toBe(before);
  });

  it('the text of a whole database shows a row that was added and one that was removed', async () => {
    const testApp = await createTestApp({ engine });
    const before = await wholeDatabase(testApp);
    await testApp.db.transaction((trx) =>
      trx.insertInto('settings').values({ key: 'a', value: '1' }).execute(),
    );
    expect(await wholeDatabase(testApp)).not.toBe(before);
    await testApp.db.transaction((trx) => trx.deleteFrom('settings').where('key', '=', 'a').execute());
    expect(await wholeDatabase(testApp)).toBe(before);
  });

  it.runIf(engine === 'sqlite')(
    'the text of a whole database shows each way to write a row, over another connection as well',
    async () => {
      const testApp = await createTestApp({ engine });
      const settings = async () => (await everyTable(testApp)).get('settings') ?? [];
      const before = await settings();
      const other = new DatabaseSync(join(testApp.dataDir, sqliteFileName));
      const ways = [
        `insert into settings (key, value) values ('a', '1'), ('b', '1')`,
        `update settings set value = '2' where key = 'a'`,
        `insert into settings (key, value) values ('a', '3') on conflict (key) do update set value = excluded.value`,
        `insert or replace into settings (key, value) values ('a', '4')`,
        `delete from settings where key = 'a'`,
      ];
      for (const way of ways) {
        const known = await settings();
        other.exec(way);
        expect([way, await settings()]).not.toEqual([way, known]);
      }
      other.exec(`begin; delete from settings where key = 'b'; commit`);
      other.close();
      expect(await settings()).toEqual(before);
    },
  );

  it.runIf(engine === 'sqlite')(
    'the text of a whole database shows the rows that went with another one',
    async () => {
      const testApp = await createTestApp({ engine });
      const { id } = await register(testApp);
      const networks = async () => (await everyTable(testApp)).get('trusted_networks') ?? [];
      expect(await networks()).not.toEqual([]);
      await testApp.db.transaction((trx) => trx.deleteFrom('customers').where('id', '=', id).execute());
      expect(await networks()).toEqual([]);
    },
  );
});
