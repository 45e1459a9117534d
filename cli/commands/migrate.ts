/** `migrate`: migrates the database to this version of the program, as starting the shop does. */
import { openDatabase } from '#db/database.ts';
import { migrate as migrateDatabase } from '#db/migrate.ts';
import type { Command } from '../command.ts';
import { countOf } from '../count.ts';

export const migrate: Command = {
  usage: '',
  summary: 'Migrates the database to this version, as `npm start` does.',
  async run(_args, terminal) {
    const { dataDir, databaseUrl } = terminal.env();
    const db = await openDatabase({ dataDir, databaseUrl });
    try {
      const ran = await migrateDatabase(db);
      for (const name of ran) terminal.print(`Ran migration ${name}.`);
      terminal.print(`${ran.length === 0 ? '' : `Ran ${countOf(ran.length, 'migration')}. `}The database is up to date.`);
      return 0;
    } finally {
      await db.close();
    }
  },
};
