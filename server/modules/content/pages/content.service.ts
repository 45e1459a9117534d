/** Content pages (SPEC §2), made of blocks. */
import { isDeepStrictEqual } from 'node:util';
import Value from 'typebox/value';
import type { BlockContext, BlockSources } from '#blocks/define-block.ts';
import { mostListed } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { type MenuSection, menuCategories, menuSections } from '#contract/rules/menu-sections.ts';
import { type Edit, edited, isEqual } from '#contract/rules/patch.ts';
import type { Block, BlockType, PageContent, StoredBlock } from '#contract/schemas/blocks.ts';
import { LocalText as LocalTextSchema } from '#contract/schemas/common.ts';
import type { PageDocument } from '#contract/schemas/page.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import { type Change, dropDraft, findDraft, noteDocument, writtenOf } from '#server/modules/changes/index.ts';
import type { MediaService, Videos } from '#server/modules/media/index.ts';
import { lookOf, type SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { AppError, InputError, notFound } from '#server/platform/errors.ts';
import { blockRichText, shownHtml } from '#server/platform/html.ts';
import { recordReads, topics } from '#server/platform/recorded-reads.ts';
import { deletePage, findPage, listPages, type PageRow, putPage } from '../blocks/pages.repository.ts';
import {
  definitionOf,
  parsed,
  publishedFacts,
  type ValidatedBlocks,
  validateBlocks,
} from '../blocks/published-blocks.ts';
import type { BlogService } from '../blog/blog.service.ts';
import type { FeedReader } from '../feeds/feed-reader.service.ts';
import type { PhotographsService } from '../photographs/photographs.service.ts';
import { type PageInput, pageNameProblems } from './page-problems.ts';

export type PageReport = Pick<ValidatedBlocks, 'problems'> & { page: string };

export type ContentService = ReturnType<typeof createContentService>;

export interface ContentDeps extends SourceServices {
  db: Database;
  now: () => number;
  /** Called for pages in the database that have blocks which cannot be shown. */
  onBadBlocks?: ((report: PageReport) => void) | undefined;
}

export function createContentService({ db, now, onBadBlocks = () => {}, ...sources }: ContentDeps) {
  async function putPages(
    trx: Trx,
    pages: readonly PageInput[],
    note?: (before: PageDocument | null, after: PageDocument) => Promise<void>,
  ): Promise<PageReport[]> {
    const problems = pages.flatMap(({ name }) => pageNameProblems(name));
    if (problems.length > 0) throw new InputError(problems);
    const validated = pages.map((page) => ({ page, ...validateBlocks(page.blocks) }));
    const touched: string[] = [topics.pages];
    for (const { page, blocks } of validated) {
      touched.push(topics.page(page.name));
      const before = await findPage(trx, page.name);
      if (
        !isDeepStrictEqual(
          publishedFacts(blocks),
          before ? publishedFacts(validateBlocks(parsed(before.blocks)).blocks) : [],
        )
      )
        touched.push(topics.publishedBlocks);
      const row = {
        name: page.name,
        title: JSON.stringify(page.title),
        meta_description: JSON.stringify(page.metaDescription),
        blocks: JSON.stringify(blocks),
      };
      await putPage(trx, { ...row, updated_at: now() });
      await note?.(before ? documentOf(before) : null, documentOf(row));
    }
    await recordCatalogueChange(trx, touched);
    return validated.flatMap(({ page, problems: left }) =>
      left.length > 0 ? [{ page: page.name, problems: left }] : [],
    );
  }

  return {
    /** @throws {AppError} 404 if there is no such page. */
    async page(name: string, locale: Locale): Promise<PageContent> {
      recordReads(topics.page(name));
      const row = await findPage(db.read, name);
      if (!row) throw notFound();
      // Another version of the program, or an operator, may have written the row.
      const { blocks, problems } = validateBlocks(parsed(row.blocks));
      if (problems.length > 0) onBadBlocks({ page: name, problems });
      return {
        name,
        title: inLocale(JSON.parse(row.title), locale),
        metaDescription: inLocale(JSON.parse(row.meta_description), locale),
        blocks: await presentBlocks(blocks, locale, sources),
      };
    },
    /**
     * A page as it would be after the edits, with the blocks that can be shown. Nothing records that it was read: it is one person's.
     * @throws {AppError} 404 if there is no such page.
     */
    async draft(name: string, edits: readonly Edit[], locale: Locale): Promise<PageContent> {
      const stored = await writtenPage(db.read, name);
      if (!stored) throw notFound();
      const { title, metaDescription, blocks } = edited(stored, edits);
      const { blocks: shown } = validateBlocks(Array.isArray(blocks) ? blocks : []);
      const said = (text: unknown, before: LocalText) =>
        inLocale(Value.Check(LocalTextSchema, text) ? text : before, locale);
      return {
        name,
        title: said(title, stored.title),
        metaDescription: said(metaDescription, stored.metaDescription),
        blocks: await presentBlocks(shown, locale, sources),
      };
    },
    async pages(): Promise<{ name: string; updatedAt: number }[]> {
      recordReads(topics.pages);
      return (await listPages(db.read)).map((row) => ({ name: row.name, updatedAt: row.updated_at }));
    },
    /**
     * As visitors see them, by a file: where that changes a page, its draft ends, and stands in its history.
     * Reports the pages of which blocks were left out. @throws {InputError} for a name that a page cannot have; nothing is written then
     */
    async upsertPages(change: Change, pages: readonly PageInput[]): Promise<PageReport[]> {
      const { trx } = change;
      return putPages(trx, pages, async (before, after) => {
        const draft = await findDraft(trx, 'page', after.id);
        if (!draft) return noteDocument(change, 'page', before, after);
        if (isEqual(before, after)) return change.note('page', after.id, []);
        await dropDraft(trx, 'page', after.id);
        noteDocument(change, 'page', draft.content as PageDocument, after);
      });
    },
    /** As visitors see it, once it is published; what was written is noted already. */
    async publishPage({ trx }: Change, { id, ...page }: PageDocument): Promise<void> {
      await putPages(trx, [{ ...page, name: id }]);
    },
    withdrawPage: deletePage,
  };
}

/** The draft of a page, or what visitors see of it; null if there is neither. */
export const writtenPage = (reader: Reader, name: string): Promise<PageDocument | null> =>
  writtenOf(reader, 'page', name, () => livePage(reader, name));

/** As visitors see it; null if they do not. */
export async function livePage(reader: Reader, name: string): Promise<PageDocument | null> {
  const row = await findPage(reader, name);
  return row ? documentOf(row) : null;
}

/** As the office edits it. */
export function documentOf({
  name,
  title,
  meta_description,
  blocks,
}: Omit<PageRow, 'updated_at'>): PageDocument {
  return {
    id: name,
    title: JSON.parse(title),
    metaDescription: JSON.parse(meta_description),
    blocks: parsed(blocks),
  };
}

/** The blocks in the page's language. Images are loaded for all blocks at once, lists once per type. */
async function presentBlocks(
  blocks: readonly StoredBlock[],
  locale: Locale,
  services: SourceServices,
): Promise<Block[]> {
  const files = blocks.flatMap((block) => definitionOf(block.type)?.pictures?.(block, blockRichText) ?? []);
  const [images, loaded] = await Promise.all([
    services.media.images(files),
    loadByType(blocks, locale, services),
  ]);
  const image = (file: string) => images.get(file);
  const page: BlockContext = {
    locale,
    text: (text) => inLocale(text, locale),
    optionalText: (text) => (text === null ? null : inLocale(text, locale)),
    image,
    hasNight: lookOf(await services.settings.all()).night,
    richText: (html) => shownHtml(html, locale, image),
  };
  return blocks.flatMap(
    (block) => definitionOf(block.type)?.present(block, page, loaded.get(block.type)) ?? [],
  );
}

async function loadByType(
  blocks: readonly StoredBlock[],
  locale: Locale,
  services: SourceServices,
): Promise<ReadonlyMap<BlockType, unknown>> {
  const sources = createBlockSources(locale, services);
  const types = [...new Set(blocks.map(({ type }) => type))];
  return new Map(
    await Promise.all(
      types.map(async (type) => {
        const ofType = blocks.filter((block) => block.type === type);
        return [type, await definitionOf(type)?.load?.(ofType, sources)] as const;
      }),
    ),
  );
}

interface SourceServices {
  settings: Pick<SettingsService, 'all'>;
  catalogue: CatalogueService;
  stores: Pick<StoresService, 'open' | 'locations'>;
  media: MediaService;
  films: Videos;
  blog: Pick<BlogService, 'excerpts'>;
  feeds: FeedReader;
  social: PhotographsService;
}

/** Feeds and photos are the last stored ones: a page never waits for another site. */
function createBlockSources(
  locale: Locale,
  { catalogue, stores, films, blog, feeds, social }: SourceServices,
): BlockSources {
  return {
    products: (filter, list) => catalogue.summaries(filter, list, locale).catch(emptyIfMissing),
    posts: (collection) => blog.excerpts(collection, locale).catch(emptyIfMissing),
    cards: (ids) => catalogue.cards(ids, locale),
    menu: (category) => menuOf(catalogue, category, locale).catch(emptyIfMissing),
    stores: () => stores.open(locale),
    locations: () => stores.locations(locale),
    feeds: (urls) => feeds.known(urls, locale),
    photos: (count) => social.recent(locale, count),
    videoAddress: (file) => films.address(file),
  };
}

/** @throws {AppError} 404 if there is no such category */
async function menuOf(catalogue: CatalogueService, name: string, locale: Locale): Promise<MenuSection[]> {
  const category = await catalogue.category(name, locale);
  const lists = menuCategories(category).map((categoryName) =>
    catalogue.summaries({ categoryName }, { numberToLoad: mostListed }, locale),
  );
  return menuSections(category, await Promise.all(lists), locale);
}

function emptyIfMissing(error: unknown): never[] {
  if (error instanceof AppError && error.errorType === 'NOT_FOUND') return [];
  throw error;
}
