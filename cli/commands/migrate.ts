/** `migrate`: migrates the database to this version of the program, as starting the shop does. */
import { openDatabase } from '#db/database.ts';
import { migrate as migrateDatabase } from '#db/migrate.ts';
import { type CommandSetup, countOf } from '../command.ts';

export const migrate: CommandSetup = (program, terminal) => {
  const command = program.command('migrate').description('Migrates the database to this version, as `npm start` does.');
  command.action(async () => {
    const { dataDir, databaseUrl } = terminal.env();
    const db = await openDatabase({ dataDir, databaseUrl });
    try {
      const ran = await migrateDatabase(db);
      for (const name of ran) terminal.print(`Ran migration ${name}.`);
      terminal.print(`${ran.length === 0 ? '' : `Ran ${countOf(ran.length, 'migration')}. `}The database is up to date.`);
    } finally {
      await db.close();
    }
  });
};
