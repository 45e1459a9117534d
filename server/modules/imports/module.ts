import { join } from 'node:path';
import type { Database } from '#db/database.ts';
import type { BulkChanges, ChangesService } from '#server/modules/changes/index.ts';
import type { CustomerImportData } from '#server/modules/customers/index.ts';
import type { Env } from '#server/platform/env.ts';
import { warehouse } from '#server/platform/locations.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createImportsService, type ImportsDeps } from './imports.service.ts';
import { createImportKinds, type ImportKindDeps } from './kinds/import-kinds.ts';
import { createPictureAddresses } from './kinds/picture-addresses.ts';
import { registerImports } from './runs/import-routes.ts';
import { createImportRuns } from './runs/import-runs.ts';
import { createImportsOfPeople } from './runs/imports-of-people.ts';
import type { ImportRunsDeps } from './runs/runs-deps.ts';

type Deps = ImportsDeps &
  Omit<ImportKindDeps, 'pictures'> & {
    db: Database;
    env: Env;
    changes: ChangesService;
    bulkChanges: BulkChanges;
    externalFetch: SafeFetch;
  };

export function createImportsModule(deps: Deps) {
  const { media, stores, env } = deps;
  const runs: ImportRunsDeps = {
    ...deps,
    kinds: createImportKinds({ ...deps, pictures: createPictureAddresses({ media }) }),
    folder: join(env.dataDir, 'imports'),
    places: async () => [warehouse, ...(await stores.all()).map(({ id }) => id)],
    read: new Map(),
  };
  const importRuns = createImportRuns(runs);
  const services = { imports: createImportsService(deps), importRuns };
  return {
    services,
    customerData: createImportsOfPeople(runs),
    registerRoutes: (app) => registerImports(app, importRuns),
    maintenance: [{ run: () => importRuns.prune() }],
  } satisfies ServerModule<typeof services> & { customerData: CustomerImportData };
}
