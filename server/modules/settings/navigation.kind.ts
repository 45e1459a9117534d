/** The header and the footer as documents: the room Navigation. They are kept in the settings `header` and `footer`. */
import type { FastifyInstance } from 'fastify';
import { navigationPlaces } from '#contract/limits.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { NavigationDocument } from '#contract/schemas/navigation.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import { isNavigationPlace, navigationOf } from './navigation.ts';
import type { OfficeSettingsDeps } from './office-settings.ts';
import { lockSettings } from './settings.repository.ts';

function navigationKind({ db, settings }: OfficeSettingsDeps): DocumentKind<NavigationDocument, never> {
  return {
    name: 'navigation',
    schema: NavigationDocument,
    lock: (trx) => lockSettings(db, trx),
    async read(reader, id) {
      return isNavigationPlace(id) ? navigationOf(await settings.read(reader), id) : null;
    },
    problems: async (content) => (content.id === 'footer' ? ofHeaderAlone(content) : []),
    async all(reader) {
      const stored = await settings.read(reader);
      return navigationPlaces.map((id) => navigationOf(stored, id));
    },
    async write(change, { id, ...content }) {
      const stored = await settings.read(change.trx);
      await settings.update(change, { [id]: { ...stored[id], ...content } });
      return undefined;
    },
  };
}

function ofHeaderAlone({ strip, links }: NavigationDocument): Problem[] {
  const unknown = (...path: string[]) => problem(path, 'problem.unknownField');
  return [
    ...(strip ? [unknown('strip')] : []),
    ...links.flatMap(({ picture }, index) =>
      picture === undefined ? [] : [unknown('links', String(index), 'picture')],
    ),
  ];
}

export function registerNavigation(app: FastifyInstance, deps: OfficeSettingsDeps): void {
  const kind = navigationKind(deps);
  serveDocuments(app, kind, createDocuments(deps, kind));
  serveStaff(app, 'navigations', async () => {
    const settings = await deps.settings.all();
    return { places: navigationPlaces.map((id) => ({ id, links: navigationOf(settings, id).links.length })) };
  });
}
