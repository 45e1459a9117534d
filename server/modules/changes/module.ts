import type { Database } from '#db/database.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type ChangesService, createChangesService } from './changes.service.ts';

export function createChangesModule(deps: { db: Database; now: () => number }): ServerModule<{ changes: ChangesService }> {
  return { services: { changes: createChangesService(deps) } };
}
