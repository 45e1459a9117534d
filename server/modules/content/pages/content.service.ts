/** Content pages (SPEC §2), made of blocks. */
import { isDeepStrictEqual } from 'node:util';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { PageContent } from '#contract/schemas/blocks.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { type Change, changedFields } from '#server/modules/changes/index.ts';
import { InputError, notFound } from '#server/platform/errors.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import { findPage, listPages, type PageRow, putPage } from '../blocks/pages.repository.ts';
import { parsed, publishedFacts } from '../blocks/published-blocks.ts';
import { type ValidatedBlocks, validateBlocks } from '../blocks/validate-blocks.ts';
import { type PageInput, pageNameProblems } from './page-problems.ts';
import { presentBlocks, type SourceServices } from './present-blocks.ts';

export type PageReport = Pick<ValidatedBlocks, 'problems'> & { page: string };

export type ContentService = ReturnType<typeof createContentService>;

export interface ContentDeps extends SourceServices {
  db: Database;
  now: () => number;
  /** Called for pages in the database that have blocks which cannot be shown. */
  onBadBlocks?: ((report: PageReport) => void) | undefined;
}

export function createContentService({ db, now, onBadBlocks = () => {}, ...sources }: ContentDeps) {
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
    async pages(): Promise<{ name: string; updatedAt: number }[]> {
      recordReads(topics.pages);
      return (await listPages(db.read)).map((row) => ({ name: row.name, updatedAt: row.updated_at }));
    },
    /** Reports the pages of which blocks were left out. @throws {InputError} for a name that a page cannot have; nothing is written then */
    async upsertPages({ trx, note }: Change, pages: readonly PageInput[]): Promise<PageReport[]> {
      const problems = pages.flatMap(({ name }) => pageNameProblems(name));
      if (problems.length > 0) throw new InputError(problems);
      const validated = pages.map((page) => ({ page, ...validateBlocks(page.blocks) }));
      const touched: string[] = [topics.pages];
      for (const { page, blocks } of validated) {
        touched.push(topics.page(page.name));
        const before = await findPage(trx, page.name);
        if (
          !isDeepStrictEqual(publishedFacts(blocks), before ? publishedFacts(validateBlocks(parsed(before.blocks)).blocks) : [])
        )
          touched.push(topics.publishedBlocks);
        const row = {
          name: page.name,
          title: JSON.stringify(page.title),
          meta_description: JSON.stringify(page.metaDescription),
          blocks: JSON.stringify(blocks),
        };
        await putPage(trx, { ...row, updated_at: now() });
        note('page', page.name, before && changedFields(contentOf(before), contentOf(row)));
      }
      await recordCatalogueChange(trx, touched);
      return validated.flatMap(({ page, problems: left }) => (left.length > 0 ? [{ page: page.name, problems: left }] : []));
    },
  };
}

function contentOf({ title, meta_description, blocks }: Pick<PageRow, 'title' | 'meta_description' | 'blocks'>) {
  return { title: JSON.parse(title), metaDescription: JSON.parse(meta_description), blocks: parsed(blocks) };
}
