import type { Database, Reader } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type BooksService, createBooks } from './books.ts';
import { type BookTables, createBookTables } from './books-file.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createTakings } from './takings.ts';

export interface LedgerModuleDeps {
  db: Database;
  now: () => number;
  stores: StoresService;
  changes: ChangesService;
  /** The names of the staff, by their ids. */
  people: () => Promise<ReadonlyMap<string, string>>;
  currency: (reader: Reader) => Promise<string>;
}

/** So often it is asked whether orders are not booked yet: those from before the books, until they are. */
const everyMs = 24 * 60 * 60_000;

export interface LedgerServices {
  ledger: Ledger;
  books: BooksService;
  bookTables: BookTables;
}

export function createLedgerModule(deps: LedgerModuleDeps): ServerModule<LedgerServices> {
  const ledger = createLedger(deps);
  const takings = createTakings(deps);
  const books = createBooks(deps);
  const bookTables = createBookTables({ ...deps, books });
  return {
    services: { ledger, books, bookTables },
    registerRoutes(app) {
      serveStaff(app, 'takings', ({ permit, query }) => takings.of(permit, query));
      serveStaff(app, 'books', ({ permit, query, lang }) => books.report(permit, query, lang));
      serveStaff(app, 'booksEvents', ({ permit, body }) => books.events(permit, body));
      serveStaff(app, 'booksOwed', ({ permit, query }) => books.owed(permit, query));
      serveStaff(app, 'booksFile', async ({ permit, body, lang }) => {
        const file = await bookTables.file(permit, body, lang);
        await deps.changes.run(permit.actor, 'export books', async ({ note }) => note('export', 'books'));
        return file;
      });
    },
    jobs: [{ name: 'books', everyMs, atStart: true, run: () => ledger.rebuild() }],
  };
}
