import type { Database } from '#db/database.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { installTrials } from '#server/platform/trials.ts';
import { createBulkChanges } from './bulk-changes.ts';
import { createChangesService } from './changes.service.ts';

export function createChangesModule(deps: { db: Database; now: () => number }) {
  installTrials(deps.db);
  const changes = createChangesService(deps);
  const services = { changes, bulkChanges: createBulkChanges({ ...deps, changes }) };
  return {
    services,
    jobs: [{ name: 'work in pieces', everyMs: 1000, run: () => services.bulkChanges.work() }],
  } satisfies ServerModule<typeof services>;
}
