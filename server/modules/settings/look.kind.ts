/** The look of the shop as a document: the room Look. It is kept in the setting `look`. */
import type { FastifyInstance } from 'fastify';
import { problem } from '#contract/problems.ts';
import { LookDocument, lookPictures } from '#contract/schemas/look.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import { deliveredColours, lookOf, lookProblems, withoutId } from './look.ts';
import type { OfficeSettingsDeps } from './office-settings.ts';
import { lockSettings } from './settings.repository.ts';

interface LookDeps extends OfficeSettingsDeps {
  media: { images(files: readonly string[]): Promise<ReadonlyMap<string, unknown>> };
}

function lookKind({ db, settings, media }: LookDeps): DocumentKind<LookDocument, never> {
  return {
    name: 'look',
    schema: LookDocument,
    lock: (trx) => lockSettings(db, trx),
    read: async (reader, id) => (id === 'shop' ? lookOf(await settings.read(reader)) : null),
    all: async (reader) => [lookOf(await settings.read(reader))],
    /** Files also bring pictures along; an edit can only name one that is there. */
    async problems(content, before) {
      const named = lookPictures.filter(
        (field) => content[field] !== null && content[field] !== before?.[field],
      );
      const known = await media.images(named.flatMap((field) => content[field] ?? []));
      const missing = named.filter((field) => !known.has(content[field] ?? ''));
      return [...lookProblems(content), ...missing.map((field) => problem([field], 'problem.invalid'))];
    },
    async write(change, content) {
      await settings.update(change, { look: withoutId(content) });
      return undefined;
    },
  };
}

export function registerLook(app: FastifyInstance, deps: LookDeps): void {
  const kind = lookKind(deps);
  serveDocuments(app, kind, createDocuments(deps, kind));
  serveStaff(app, 'looks', async () => ({ looks: [{ id: 'shop' as const, delivered: deliveredColours() }] }));
}
