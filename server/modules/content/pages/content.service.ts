/** Content pages (SPEC §2), made of blocks. */
import type { Locale, LocalText } from '#contract/locales.ts';
import type { PageContent } from '#contract/schemas/blocks.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { notFound } from '#server/platform/errors.ts';
import { presentBlock } from './blocks.ts';
import { findPage, listPages, putPage } from './content.repository.ts';
import { loadParts, type PartSources } from './page-parts.ts';
import { parsed } from './published-blocks.ts';
import { type ValidatedBlocks, validateBlocks } from './validate-blocks.ts';

export interface PageInput {
  /** As in the page's address. */
  name: string;
  title: LocalText;
  metaDescription: LocalText;
  /** Judged one by one: what cannot be shown is left out and reported. */
  blocks: readonly unknown[];
}

export type PageReport = Pick<ValidatedBlocks, 'rejected' | 'unknown'> & { page: string };

export interface ContentService {
  /** Throws 404 for a page there is none of. */
  page(name: string, locale: Locale): Promise<PageContent>;
  /** Names of all pages, with the time of their last change in epoch ms. */
  pages(): Promise<{ name: string; updatedAt: number }[]>;
  /** Adds or replaces pages. Reports those of which blocks were left out. */
  upsertPages(pages: readonly PageInput[]): Promise<PageReport[]>;
}

export interface ContentDeps extends PartSources {
  db: Database;
  now: () => number;
  /** Told of blocks that turn up in the database and cannot be shown. */
  onBadBlocks?: ((report: PageReport) => void) | undefined;
}

export function createContentService({ db, now, onBadBlocks = () => {}, ...sources }: ContentDeps): ContentService {
  return {
    async page(name, locale) {
      const row = await findPage(db.catalogue, name);
      if (!row) throw notFound();
      // Judged when written, but perhaps by another version of the program, or by hand.
      const { blocks, ...left } = validateBlocks(parsed(row.blocks));
      reportLeft(name, left, onBadBlocks);
      const parts = await loadParts(blocks, locale, sources);
      return {
        name,
        title: parts.text(JSON.parse(row.title)),
        metaDescription: parts.text(JSON.parse(row.meta_description)),
        blocks: blocks.flatMap((block) => presentBlock(block, parts) ?? []),
      };
    },
    async pages() {
      return (await listPages(db.catalogue)).map((row) => ({ name: row.name, updatedAt: row.updated_at }));
    },
    async upsertPages(pages) {
      const validated = pages.map((page) => ({ page, ...validateBlocks(page.blocks) }));
      await db.transaction(async (trx) => {
        for (const { page, blocks } of validated) {
          await putPage(trx, {
            name: page.name,
            title: JSON.stringify(page.title),
            meta_description: JSON.stringify(page.metaDescription),
            blocks: JSON.stringify(blocks),
            updated_at: now(),
          });
        }
        await bumpCatalogueVersion(trx);
      });
      const reports: PageReport[] = [];
      for (const { page, rejected, unknown } of validated) {
        reportLeft(page.name, { rejected, unknown }, (report) => reports.push(report));
      }
      return reports;
    },
  };
}

function reportLeft(page: string, left: Omit<ValidatedBlocks, 'blocks'>, report: (report: PageReport) => void): void {
  if (left.rejected.length + left.unknown.length > 0) report({ page, ...left });
}
