/** Settings that stand in no other room, as one document: the room More settings. */
import type { FastifyInstance } from 'fastify';
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { MoreSettingsDocument } from '#contract/schemas/more-settings.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import { isMoreSetting, moreSettingsOf, settingsOf } from './more-settings.ts';
import type { OfficeSettingsDeps } from './office-settings.ts';
import { lockSettings } from './settings.repository.ts';
import { settingsProblems } from './settings.service.ts';

export type SettingsChoices = Omit<StaffResponse<'settingsChoices'>, 'settings'>;

interface MoreSettingsDeps extends OfficeSettingsDeps {
  /** Of other modules: what settings name. */
  choices: () => Promise<SettingsChoices>;
}

function settingsKind({
  db,
  settings,
  choices,
}: MoreSettingsDeps): DocumentKind<MoreSettingsDocument, never> {
  return {
    name: 'settings',
    schema: MoreSettingsDocument,
    lock: (trx) => lockSettings(db, trx),
    read: async (reader, id) => (id === 'shop' ? moreSettingsOf(await settings.read(reader)) : null),
    all: async (reader) => [moreSettingsOf(await settings.read(reader))],
    async problems(content, before) {
      const invalid = settingsProblems(settingsOf(content)).map((each) => ({
        ...each,
        path: each.path.slice(1),
      }));
      return [...invalid, ...namesNothing(content, before, await choices())];
    },
    async write(change, content) {
      const stored = moreSettingsOf(await settings.read(change.trx));
      const [was, is] = [settingsOf(stored), settingsOf(content)];
      // What was never set goes on to follow the defaults.
      const changed = Object.entries(is).filter(
        ([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key as keyof typeof was]),
      );
      if (changed.length === 0) change.note('settings', content.id, []);
      else await settings.update(change, Object.fromEntries(changed.filter(([key]) => isMoreSetting(key))));
      return undefined;
    },
  };
}

/** What was named before may be gone meanwhile; what is named newly is there. */
function namesNothing(
  content: MoreSettingsDocument,
  before: MoreSettingsDocument | null,
  known: SettingsChoices,
): Problem[] {
  const isNew = (each: string, list: readonly string[] = []) => !list.includes(each);
  const unknown = (
    names: readonly string[],
    stored: readonly string[] | undefined,
    there: SettingsChoices['tags'],
  ) => names.filter((name) => isNew(name, stored) && !there.some((each) => each.name === name));
  const { openingSoon, listFilters, returnsLine } = content;
  const page = openingSoon.page === null ? [] : [openingSoon.page];
  const pageBefore = before?.openingSoon.page ?? null;
  return [
    ...unknown(page, pageBefore === null ? [] : [pageBefore], known.pages).map((found) =>
      problem(['openingSoon', 'page'], 'problem.reference', { kind: 'page', found: shown(found) }),
    ),
    ...unknown(listFilters.tags, before?.listFilters.tags, known.tags).map((found) =>
      problem(['listFilters', 'tags'], 'problem.reference', { kind: 'tag', found: shown(found) }),
    ),
    ...unknown(returnsLine.categories, before?.returnsLine.categories, known.categories).map((found) =>
      problem(['returnsLine', 'categories'], 'problem.reference', { kind: 'category', found: shown(found) }),
    ),
    ...(Object.values(returnsLine.text as LocalText).some((text) => text.trim() !== '') &&
    returnsLine.link === ''
      ? [problem(['returnsLine', 'link'], 'problem.pageOrUrl')]
      : []),
    ...(returnsLine.link !== '' && (returnsLine.text[mainLocale()] ?? '').trim() === ''
      ? [problem(['returnsLine', 'text', mainLocale()], 'problem.empty')]
      : []),
  ];
}

export function registerMoreSettings(app: FastifyInstance, deps: MoreSettingsDeps): void {
  const kind = settingsKind(deps);
  serveDocuments(app, kind, createDocuments(deps, kind));
  serveStaff(app, 'settingsChoices', async () => ({
    settings: [{ id: 'shop' as const }],
    ...(await deps.choices()),
  }));
}
