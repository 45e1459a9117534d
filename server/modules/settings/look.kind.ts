/** The look of the shop as a document: the room Look. It is kept in the setting `look`. */
import type { FastifyInstance } from 'fastify';
import { LookDocument } from '#contract/schemas/look.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import { deliveredColours, lookOf, lookProblems, withoutId } from './look.ts';
import type { OfficeSettingsDeps } from './office-settings.ts';
import { lockSettings } from './settings.repository.ts';

function lookKind({ db, settings }: OfficeSettingsDeps): DocumentKind<LookDocument, never> {
  return {
    name: 'look',
    schema: LookDocument,
    lock: (trx) => lockSettings(db, trx),
    read: async (reader, id) => (id === 'shop' ? lookOf(await settings.read(reader)) : null),
    problems: async (content) => lookProblems(content),
    async write(change, content) {
      await settings.update(change, { look: withoutId(content) });
      return undefined;
    },
  };
}

export function registerLook(app: FastifyInstance, deps: OfficeSettingsDeps): void {
  const kind = lookKind(deps);
  serveDocuments(app, kind, createDocuments(deps, kind));
  serveStaff(app, 'looks', async () => ({ looks: [{ id: 'shop' as const, delivered: deliveredColours() }] }));
}
