import { staffBase } from '#contract/limits.ts';
import { longBodyLimit } from '#server/http/errors.ts';
import { keepBytes, routeMcp } from '#server/http/mcp.ts';
import { shopOrigin } from '#server/http/origin.ts';
import type { Env } from '#server/platform/env.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type ProgramsDeps, serveMcp } from './mcp.ts';
import { staffOpenApi } from './openapi.ts';
import { deleteOldTrials } from './trials.repository.ts';

export function createProgramsModule(deps: ProgramsDeps & { env: Env }): ServerModule {
  return {
    services: {},
    registerRoutes(app) {
      const origin = shopOrigin(app, deps.env.officeUrl ?? deps.env.publicUrl);
      let document: string | undefined;
      app.get(`${staffBase}openapi.json`, async (_request, reply) => {
        document ??= JSON.stringify(staffOpenApi(origin()));
        return reply
          .header('cache-control', 'public, max-age=300')
          .type('application/json; charset=utf-8')
          .send(document);
      });
      void app.register(async (calls) => {
        keepBytes(calls);
        routeMcp(
          calls,
          `${staffBase}mcp`,
          (request, reply) => serveMcp(app, { ...deps, origin }, request, reply),
          { limit: longBodyLimit },
        );
      });
    },
    maintenance: [{ run: () => deps.db.transaction((trx) => deleteOldTrials(trx, deps.now())) }],
  };
}
