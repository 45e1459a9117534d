import type { Locale } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { ProviderKeys } from '#server/platform/env.ts';
import { notFound } from '#server/platform/errors.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { type ConnectionsDeps, type ConnectionsService, createConnections } from './connections.service.ts';

/** The people of the office, whose module comes later. */
export interface ConnectionsPeople {
  names(): Promise<ReadonlyMap<string, string>>;
  person(id: string): Promise<{ name: string; email: string } | null>;
}

interface ModuleDeps<Keys extends ProviderKeys> extends ConnectionsDeps<Keys> {
  changes: ChangesService;
  rateLimits: RateLimitsService;
}

export function createConnectionsModule<Keys extends ProviderKeys>(
  deps: ModuleDeps<Keys>,
): ServerModule<{ connections: ConnectionsService<Keys> }> & { connect(people: ConnectionsPeople): void } {
  const { changes, rateLimits } = deps;
  const connections = createConnections(deps);
  let people: ConnectionsPeople = { names: async () => new Map(), person: async () => null };
  return {
    services: { connections },
    connect(found) {
      people = found;
    },
    registerRoutes(app) {
      const list = async (lang: Locale) => connections.list(await people.names(), lang);
      serveStaff(app, 'connections', ({ lang }) => list(lang));
      serveStaff(app, 'saveConnection', async ({ permit, params, body, lang }) => {
        await connections.prepare();
        await changes.run(permit.actor, 'connection set', (change) =>
          connections.save(change, params.name, body.fields),
        );
        return list(lang);
      });
      serveStaff(app, 'testConnection', async ({ caller, params, lang }) => {
        const { id } = caller();
        const person = await people.person(id);
        if (!person) throw notFound();
        await rateLimits.count([['connectionTest', id]]);
        const { works, text, values } = await connections.test(params.name, { ...person, locale: lang });
        return { works, text: staffTranslate(lang)(text, values) };
      });
      serveStaff(app, 'forgetLocked', async ({ permit, lang }) => {
        await connections.makeKey();
        await changes.run(permit.actor, 'connection forget', (change) => connections.forgetLocked(change));
        return list(lang);
      });
    },
  };
}
