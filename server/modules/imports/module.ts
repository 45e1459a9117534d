import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { warehouse } from '#contract/limits.ts';
import { mostImportBytes } from '#contract/staff/imports.ts';
import type { Database } from '#db/database.ts';
import { type StaffCall, serveStaff } from '#server/http/staff-endpoint.ts';
import type { BulkChanges, ChangesService } from '#server/modules/changes/index.ts';
import type { CustomerImportData } from '#server/modules/customers/index.ts';
import { shopTimeZone } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { oneLine } from '#server/platform/text.ts';
import { createImportsService, type ImportsDeps } from './imports.service.ts';
import { createImportKinds, type ImportKindDeps } from './kinds/import-kinds.ts';
import { createPictureAddresses } from './kinds/picture-addresses.repository.ts';
import { createImportRuns, createImportsOfPeople, type ImportRuns } from './runs/import-runs.ts';
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
    currency: async () => (await deps.settings.all()).currency,
    timeZone: async () => shopTimeZone(await stores.all()),
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

/** The calls of the room "Import and export" that import files. */
function registerImports(app: FastifyInstance, runs: ImportRuns): void {
  /** Begins at once; what fails is begun again by the job, which reports it. */
  const begun = <T>(answer: T): T => {
    void runs.work().catch(() => undefined);
    return answer;
  };
  const seen = async <T>(
    { permit, params }: Pick<StaffCall<'import'>, 'permit' | 'params'>,
    work: (id: string) => Promise<T>,
  ) => work((await runs.see(permit, params.import)).id);
  void app.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const upload = ({ permit, query, request, lang }: StaffCall<'upload'>) => {
      const body = (request.body as Readable | undefined) ?? Readable.from([]);
      return runs.upload(permit, oneLine(query.name).slice(0, 200), body, lang).then(begun);
    };
    serveStaff(files, 'upload', upload, { limit: mostImportBytes });
  });
  serveStaff(app, 'imports', ({ permit, lang }) => runs.latest(permit, lang));
  serveStaff(app, 'import', (call) => seen(call, (id) => runs.read(id, call.lang)));
  serveStaff(app, 'importRows', (call) => seen(call, (id) => runs.rows(id, call.query, call.lang)));
  serveStaff(app, 'changeImport', ({ permit, params, body, lang }) =>
    runs.change(permit, params.import, body, lang).then(begun),
  );
  serveStaff(app, 'applyImport', ({ permit, params, body, lang, caller }) =>
    runs.apply(permit, params.import, lang, { isFresh: caller().fresh, seen: body.seen }).then(begun),
  );
  serveStaff(app, 'stopImport', ({ permit, params, lang }) => runs.stop(permit, params.import, lang));
  serveStaff(app, 'takeImportBack', ({ permit, params, lang }) =>
    runs.takeBack(permit, params.import, lang).then(begun),
  );
  serveStaff(app, 'importReport', (call) =>
    seen(call, async (id) => ({ csv: await runs.report(id, call.lang) })),
  );
}
