import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createTakings } from './takings.ts';

export interface LedgerModuleDeps {
  db: Database;
  now: () => number;
  stores: StoresService;
}

/** So often it is asked whether orders are not booked yet: those from before the books, until they are. */
const everyMs = 24 * 60 * 60_000;

export function createLedgerModule(deps: LedgerModuleDeps): ServerModule<{ ledger: Ledger }> {
  const ledger = createLedger(deps);
  const takings = createTakings(deps);
  return {
    services: { ledger },
    registerRoutes(app) {
      serveStaff(app, 'takings', ({ permit, query }) => takings.of(permit, query));
    },
    jobs: [{ name: 'books', everyMs, atStart: true, run: () => ledger.rebuild() }],
  };
}
