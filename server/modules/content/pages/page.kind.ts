/** Pages as documents: the room Pages. */
import type { FastifyInstance } from 'fastify';
import { type Locale, type LocalText, mainLocale, offeredLocales } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { PageDocument } from '#contract/schemas/page.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { CatalogueService, SearchService } from '#server/modules/catalogue/index.ts';
import { type ChangesService, createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { validationError } from '#server/platform/errors.ts';
import { freeId, slugOf } from '#server/platform/slugs.ts';
import { allPages, findPage, lockPages } from '../blocks/pages.repository.ts';
import { definitionOf } from '../blocks/published-blocks.ts';
import { listCategories, listTags } from '../blog/blog.repository.ts';
import { beginningOf } from './beginnings.ts';
import { type ContentService, documentOf } from './content.service.ts';
import { missingTexts } from './missing-texts.ts';
import { type Collections, pageNameProblems, pageProblems, picturesOfBlocks } from './page-problems.ts';

export interface OfficePagesDeps {
  db: Database;
  changes: ChangesService;
  settings: SettingsService;
  media: MediaService;
  catalogue: CatalogueService;
  search: SearchService;
  content: ContentService;
}

function pageKind(deps: OfficePagesDeps): DocumentKind<PageDocument, StaffBody<'addPage'>> {
  const { db, media, settings, content } = deps;
  return {
    name: 'page',
    schema: PageDocument,
    lock: (trx) => lockPages(db, trx),
    async read(reader, id) {
      const row = await findPage(reader, id);
      return row ? documentOf(row) : null;
    },
    async problems({ id, blocks }, before) {
      const known = new Set(picturesOfBlocks(before?.blocks ?? []));
      const named = picturesOfBlocks(blocks).filter((file) => !known.has(file));
      const found = await media.images(named);
      const missing = named.filter((file) => !found.has(file));
      const page = pageProblems({ name: id, blocks }, { collections: await collectionsOf(deps), closed: true });
      // The mechanism begins the paths with the kind and the id.
      return [...page.map((each) => ({ ...each, path: each.path.slice(2) })), ...picturesMissing(blocks, missing)];
    },
    /** @throws {AppError} for an address that is taken or that no page can have */
    async make({ trx }, { id: given, title, beginning }) {
      const start = beginningOf(beginning, await settings.all());
      // Below the stores on the contact page, which is at a fixed address.
      const suggested = beginning === 'contact' ? 'contact' : slugOf(title[mainLocale()] ?? '', 50);
      const taken = new Set((await allPages(trx)).map(({ name }) => name.toLowerCase()));
      const isNoName = (name: string) => pageNameProblems(name).length > 0;
      const id = given || (await freeId(suggested, 'page', (name) => taken.has(name) || isNoName(name)));
      if (isNoName(id)) throw validationError({ id: 'problem.page.name' });
      if (taken.has(id.toLowerCase())) throw validationError({ id: 'office.page.taken' });
      return { id, ...start, title: { ...start.title, ...title } };
    },
    async write(change, page) {
      await content.upsertPages(change, [{ ...page, name: page.id }]);
      return undefined;
    },
  };
}

async function collectionsOf({ catalogue }: OfficePagesDeps): Promise<Collections> {
  const { brands, categories, tags } = await catalogue.names();
  return { brand: new Set(brands.keys()), category: new Set(categories.keys()), tag: new Set(tags.keys()) };
}

/** At the fields that name them. */
function picturesMissing(blocks: readonly unknown[], missing: readonly string[]): Problem[] {
  const within = (value: unknown, path: readonly string[]): Problem[] => {
    if (typeof value === 'string') return missing.includes(value) ? [problem([...path], 'problem.invalid')] : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, each]) => within(each, [...path, name]));
  };
  return blocks.flatMap((block, index) => within(block, ['blocks', String((block as { id?: unknown } | null)?.id ?? index)]));
}

function inList(page: PageDocument, updatedAt: number): StaffResponse<'pages'>['pages'][number] {
  const { id, title, blocks } = page;
  const missing = offeredLocales()
    .filter((language) => language !== mainLocale())
    .map((language) => {
      const ofBlocks = blocks.map((block) => {
        const definition = definitionOf(String((block as { type?: unknown } | null)?.type));
        return definition ? missingTexts(definition.stored, block, language) : 0;
      });
      return { language, texts: ofBlocks.reduce((all, count) => all + count, missingTexts(PageDocument, page, language)) };
    })
    .filter(({ texts }) => texts > 0);
  return { id, title, blocks: blocks.length, missing, updatedAt };
}

const shownLinks = 20;

/** What blocks link to and list. */
async function choices(deps: OfficePagesDeps, text: string, locale: Locale): Promise<StaffResponse<'contentChoices'>> {
  const { db, catalogue, search } = deps;
  const [{ brands, categories, tags }, pages, found] = [
    await catalogue.names(),
    await allPages(db.read),
    text === '' ? null : await search.suggest(text, locale),
  ];
  const wanted = text.toLowerCase();
  const says = (name: LocalText) => Object.values(name).some((each) => each.toLowerCase().includes(wanted));
  const named = (each: Iterable<{ id: string; name: LocalText }>) =>
    [...each].map(({ id, name }) => ({ name: id, nameContent: name }));
  const linked = (path: string, each: Iterable<{ id: string; name: LocalText }>) =>
    [...each].filter(({ name }) => says(name)).map(({ id, name }) => ({ link: `${path}/${id}`, nameContent: name }));
  const pageLinks = pages.map(({ name, title }) => ({ id: name, name: JSON.parse(title) as LocalText }));
  return {
    links: [
      ...linked('', pageLinks).map((each) => (each.link === '/home' ? { ...each, link: '/' } : each)),
      ...linked('/products', categories.values()),
      ...linked('/brand', brands.values()),
      ...linked('/tag', tags.values()),
      ...(found?.products ?? []).map(({ id, productName }) => ({
        link: `/product/${id}`,
        nameContent: { [mainLocale()]: productName },
      })),
    ].slice(0, shownLinks),
    collections: { brand: named(brands.values()), category: named(categories.values()), tag: named(tags.values()) },
    posts: {
      category: (await listCategories(db.read)).map(({ id, name }) => ({ name: id, nameContent: JSON.parse(name) })),
      tag: (await listTags(db.read)).map(({ id, name }) => ({ name: id, nameContent: JSON.parse(name) })),
    },
  };
}

export function registerOfficePages(app: FastifyInstance, deps: OfficePagesDeps): void {
  const kind = pageKind(deps);
  serveDocuments(app, kind, createDocuments(deps, kind));
  serveStaff(app, 'pages', async () => {
    const rows = await allPages(deps.db.read);
    return { pages: rows.map((row) => inList(documentOf(row), row.updated_at)) };
  });
  serveStaff(app, 'contentChoices', ({ query, lang }) => choices(deps, query.text?.trim() ?? '', lang));
}
