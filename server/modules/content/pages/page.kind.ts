/** Pages as documents: the room Pages. */
import type { FastifyInstance } from 'fastify';
import { homePage } from '#contract/limits.ts';
import { type Locale, type LocalText, mainLocale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { PageDocument } from '#contract/schemas/page.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { Database } from '#db/database.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { CatalogueService, SearchService } from '#server/modules/catalogue/index.ts';
import {
  type ChangesService,
  createDocuments,
  createPublishing,
  type DraftedKind,
  type DraftLinks,
  listDrafts,
  type Publishing,
  publicationOf,
  serveDocuments,
  servePublishing,
} from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { freeId, slugOf } from '#server/platform/slugs.ts';
import { allPages, lockPages } from '../blocks/pages.repository.ts';
import { definitionOf, validateBlocks } from '../blocks/published-blocks.ts';
import { listCategories, listTags } from '../blog/blog.repository.ts';
import { beginningOf, homeBeginnings } from './beginnings.ts';
import { createBlockers, lookThroughPage } from './blockers.ts';
import { type ContentService, documentOf, livePage } from './content.service.ts';
import { pageFolders } from './links.ts';
import { missingByLanguage } from './missing-texts.ts';
import {
  type Collections,
  pageNameProblems,
  pageProblems,
  picturesOfBlocks,
  productsOfBlocks,
} from './page-problems.ts';

export interface OfficePagesDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  settings: SettingsService;
  media: MediaService;
  catalogue: CatalogueService;
  search: SearchService;
  stores: Pick<StoresService, 'all'>;
  content: ContentService;
  draftLinks: DraftLinks;
  env: Pick<Env, 'publicUrl'>;
}

function pageKind(deps: OfficePagesDeps): DraftedKind<PageDocument, StaffBody<'addPage'>> {
  const { db, media, settings, content } = deps;
  const blockers = createBlockers(deps);
  return {
    name: 'page',
    schema: PageDocument,
    schemaOf: (block) => definitionOf(String((block as { type?: unknown } | null)?.type))?.stored,
    lock: (trx) => lockPages(db, trx),
    read: livePage,
    all: async (reader) => (await allPages(reader)).map(documentOf),
    async problems({ id, blocks }, before) {
      const known = new Set(picturesOfBlocks(before?.blocks ?? []));
      const named = picturesOfBlocks(blocks).filter((file) => !known.has(file));
      const found = await media.images(named);
      const missing = named.filter((file) => !found.has(file));
      const page = pageProblems(
        { name: id, blocks },
        { collections: await collectionsOf(deps), closed: true },
      );
      // The mechanism begins the paths with the kind and the id.
      return [
        ...page.map((each) => ({ ...each, path: each.path.slice(2) })),
        ...picturesMissing(blocks, missing),
      ];
    },
    /** @throws {AppError} for an address that is taken or that no page can have */
    async make({ trx }, { id: given, title, beginning }) {
      const [firstCategory = null] = (await deps.catalogue.names()).categories.keys();
      const start = beginningOf(beginning, { ...(await settings.all()), firstCategory });
      const written = [
        ...(await allPages(trx)).map(({ name }) => name),
        ...(await listDrafts(trx, 'page')).map((each) => each.id),
      ];
      const taken = new Set(written.map((name) => name.toLowerCase()));
      const isHome = homeBeginnings.has(beginning) && !taken.has(homePage);
      // Below the stores on the contact page, which is at a fixed address, as the first page is.
      const suggested =
        beginning === 'contact' ? 'contact' : isHome ? homePage : slugOf(title[mainLocale()] ?? '', 50);
      const isNoName = (name: string) => pageNameProblems(name).length > 0;
      const id = given || (await freeId(suggested, 'page', (name) => taken.has(name) || isNoName(name)));
      if (isNoName(id)) throw validationError({ id: 'problem.page.name' });
      if (taken.has(id.toLowerCase())) throw validationError({ id: 'office.page.taken' });
      // In other languages its title would be another than the one that was typed, and count as translated.
      const isSuggested = Object.values(start.title).includes(title[mainLocale()]?.trim() ?? '');
      return { id, ...start, title: isSuggested ? { ...start.title, ...title } : title };
    },
    async write(change, page) {
      await content.publishPage(change, page);
      return undefined;
    },
    drafts: {
      cleaned: (page) => ({ ...page, blocks: validateBlocks(page.blocks).blocks }),
      blockers: (page) => blockers(pageFolders.page + page.id, (found) => lookThroughPage(page, found)),
      async withdraw({ trx }, { id }) {
        if (id === homePage) throw new AppError('VALIDATION_ERROR', { errorKey: 'office.publish.home' });
        await content.withdrawPage(trx, id);
      },
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
    if (typeof value === 'string')
      return missing.includes(value) ? [problem([...path], 'problem.invalid')] : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, each]) => within(each, [...path, name]));
  };
  return blocks.flatMap((block, index) =>
    within(block, ['blocks', String((block as { id?: unknown } | null)?.id ?? index)]),
  );
}

function inList({
  id,
  title,
  blocks,
}: PageDocument): Omit<StaffResponse<'pages'>['pages'][number], 'updatedAt' | 'publication'> {
  const page = { id, title, blocks };
  const missing = missingByLanguage([
    [PageDocument, page],
    ...blocks.map(
      (block) => [definitionOf(String((block as { type?: unknown } | null)?.type))?.stored, block] as const,
    ),
  ]);
  return { id, title, blocks: blocks.length, missing };
}

/** What visitors see, and what is only written yet. */
async function list({ db }: OfficePagesDeps): Promise<StaffResponse<'pages'>> {
  const [rows, drafts] = [await allPages(db.read), await listDrafts(db.read, 'page')];
  const [live, draftOf] = [
    new Map(rows.map((row) => [row.name, row])),
    new Map(drafts.map((draft) => [draft.id, draft])),
  ];
  const ids = [...new Set([...live.keys(), ...draftOf.keys()])].sort();
  return {
    pages: ids.flatMap((id) => {
      const [row, draft] = [live.get(id), draftOf.get(id) ?? null];
      const seen = row ? documentOf(row) : null;
      const page = (draft?.content as PageDocument | undefined) ?? seen;
      return page
        ? { ...inList(page), updatedAt: row?.updated_at ?? null, publication: publicationOf(seen, draft) }
        : [];
    }),
  };
}

const shownLinks = 20;

/** What blocks link to and list. */
async function choices(
  deps: OfficePagesDeps,
  text: string,
  locale: Locale,
): Promise<StaffResponse<'contentChoices'>> {
  const { db, catalogue, search } = deps;
  const [{ brands, categories, tags }, { pages }, found] = [
    await catalogue.names(),
    await list(deps),
    text === '' ? null : await search.suggest(text, locale),
  ];
  const wanted = text.toLowerCase();
  const says = (name: LocalText) => Object.values(name).some((each) => each.toLowerCase().includes(wanted));
  const named = (each: Iterable<{ id: string; name: LocalText }>) =>
    [...each].map(({ id, name }) => ({ name: id, nameContent: name }));
  const linked = (path: string, each: Iterable<{ id: string; name: LocalText }>) =>
    [...each]
      .filter(({ name }) => says(name))
      .map(({ id, name }) => ({ link: `${path}/${id}`, nameContent: name }));
  const pageLinks = pages.map(({ id, title }) => ({ id, name: title }));
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
    collections: {
      brand: named(brands.values()),
      category: named(categories.values()),
      tag: named(tags.values()),
    },
    stores: named((await deps.stores.all()).filter(({ display }) => display)),
    posts: {
      category: (await listCategories(db.read)).map(({ id, name }) => ({
        name: id,
        nameContent: JSON.parse(name),
      })),
      tag: (await listTags(db.read)).map(({ id, name }) => ({ name: id, nameContent: JSON.parse(name) })),
    },
  };
}

export interface OfficePages {
  register(app: FastifyInstance): void;
  /** Publishes the pages whose time has come. */
  publishAllDue: Publishing['publishAllDue'];
}

export function createOfficePages(deps: OfficePagesDeps): OfficePages {
  const { db } = deps;
  const kind = pageKind(deps);
  const [documents, publishing] = [createDocuments(deps, kind), createPublishing(deps, kind)];
  const read = async (permit: Permit, id: string) => {
    const document = await documents.read(permit, id);
    const named = productsOfBlocks(document.content.blocks);
    const products = named.length === 0 ? [] : await deps.catalogue.named(named, mainLocale());
    return {
      ...document,
      publication: await publishing.publication(db.read, id),
      products: products.map(({ id: product, nameContent }) => ({ name: product, nameContent })),
    };
  };
  return {
    publishAllDue: publishing.publishAllDue,
    register(app) {
      serveDocuments(app, kind, documents, read);
      const origin = shopOrigin(app, deps.env.publicUrl);
      servePublishing(app, { name: kind.name, publishing, links: deps.draftLinks, origin, read });
      serveStaff(app, 'pages', () => list(deps));
      serveStaff(app, 'contentChoices', ({ query, lang }) => choices(deps, query.text?.trim() ?? '', lang));
    },
  };
}
