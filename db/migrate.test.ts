import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { openDatabase } from './database.ts';
import { isMigrated, migrate, NewerDatabaseError } from './migrate.ts';
import { type Migration, migrations } from './migrations/index.ts';

const next: Migration = {
  id: Math.max(...migrations.map((migration) => migration.id)) + 1,
  name: 'next',
  up: async (trx) => {
    await trx.schema.createTable('next_table').addColumn('id', 'integer').execute();
  },
};

forEachEngine((engine) => {
  const open = async () => {
    const testApp = await createTestApp({ engine });
    const url = testApp.env.databaseUrl;
    return { db: testApp.db, again: () => openDatabase({ dataDir: testApp.dataDir, databaseUrl: url }) };
  };

  test('each migration runs once, even when several processes start together', async () => {
    const { db, again } = await open();
    const other = await again();
    const ran = await Promise.all([db, other, db].map((each) => migrate(each, [...migrations, next])));
    expect(ran.flat()).toEqual(['next']);
    expect(await isMigrated(db, [...migrations, next])).toBe(true);
    expect(await isMigrated(db)).toBe(false);
    await other.close();
  });

  test('a database of a newer program is rejected and left alone', async () => {
    const { db } = await open();
    await migrate(db, [...migrations, next]);
    await expect(migrate(db)).rejects.toThrow(NewerDatabaseError);
    await expect(migrate(db)).rejects.toThrow(/newer version/);
  });

  test('a failing migration leaves nothing behind', async () => {
    const { db } = await open();
    const broken: Migration = {
      ...next,
      up: async (trx) => {
        await trx.schema.createTable('half').addColumn('id', 'integer').execute();
        throw new Error('broken');
      },
    };
    await expect(migrate(db, [...migrations, broken])).rejects.toThrow('broken');
    await expect(sql`select * from half`.execute(db.read)).rejects.toThrow();
    expect(await isMigrated(db)).toBe(true);
  });
});
