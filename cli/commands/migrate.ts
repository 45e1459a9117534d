/** `migrate`: migrates the database to this version of the program, as starting the shop does. */
import { openDatabase } from '#db/database.ts';
import { migrate as migrateDatabase } from '#db/migrate.ts';
import type { Command } from '../command.ts';

export const migrate: Command = {
  usage: '',
  summary: 'Brings the database to this version of the program, as `npm start` does.',
  async run(_args, terminal) {
    const { dataDir, databaseUrl } = terminal.env();
    const db = await openDatabase({ dataDir, databaseUrl });
    try {
      const ran = await migrateDatabase(db);
      for (const name of ran) terminal.print(`Ran ${name}.`);
      terminal.print(ran.length === 0 ? 'The database is up to date.' : 'The database is up to date now.');
      return 0;
    } finally {
      await db.close();
    }
  },
};
