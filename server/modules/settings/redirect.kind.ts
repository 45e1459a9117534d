/** Old addresses as documents: the room Old addresses. */
import type { FastifyInstance } from 'fastify';
import { RedirectDocument } from '#contract/schemas/redirect.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import {
  type ChangesService,
  createDocuments,
  type DocumentKind,
  serveDocuments,
} from '#server/modules/changes/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { type RedirectsService, redirectProblems } from './redirects.ts';
import { lockRedirects, plainPath } from './settings.repository.ts';

interface RedirectDeps {
  db: Database;
  changes: ChangesService;
  redirects: RedirectsService;
}

function redirectKind({
  db,
  redirects,
}: RedirectDeps): DocumentKind<RedirectDocument, StaffBody<'addRedirect'>> {
  return {
    name: 'redirect',
    schema: RedirectDocument,
    lock: (trx) => lockRedirects(db, trx),
    async read(reader, id) {
      const row = await redirects.find(reader, id);
      return row && { id, to: row.to };
    },
    problems: async ({ id, to }) => redirectProblems({ from: id, to }),
    async make({ trx }, { from, to }) {
      const id = plainPath(from);
      if (await redirects.find(trx, id)) throw validationError({ from: 'office.redirect.taken' });
      return { id, to };
    },
    async write(change, { id, to }) {
      await redirects.put(change, [{ from: id, to }]);
      return undefined;
    },
  };
}

export function registerRedirects(app: FastifyInstance, deps: RedirectDeps): void {
  const kind = redirectKind(deps);
  serveDocuments(app, kind, createDocuments(deps, kind));
  serveStaff(app, 'redirects', async () => ({
    redirects: (await deps.redirects.all()).map(({ from, to }) => ({ id: from, to })),
  }));
}
