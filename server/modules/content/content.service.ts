/** Content pages (SPEC §2), made of blocks. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { PageContent, StoredBlock } from '#contract/schemas/blocks.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { bumpCatalogueVersion } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import { notFound, Refusal } from '#server/errors.ts';
import type { CatalogueService } from '../catalogue/catalogue.service.ts';
import type { MediaService } from '../media/media.service.ts';
import { collectionFilter, type JudgedBlocks, judgeBlocks, picturesOf, shownBlock } from './blocks.ts';
import { findPage, listPages, putPage } from './content.repository.ts';

export interface PageInput {
  /** As in the page's address. */
  name: string;
  title: LocalText;
  metaDescription: LocalText;
  /** Judged one by one: what cannot be shown is left out and reported. */
  blocks: readonly unknown[];
}

export type PageReport = Pick<JudgedBlocks, 'rejected' | 'unknown'> & { page: string };

export interface ContentService {
  /** Throws 404 for a page there is none of. */
  page(name: string, locale: Locale): Promise<PageContent>;
  /** Names of all pages, with the time of their last change in epoch ms. */
  pages(): Promise<{ name: string; updatedAt: number }[]>;
  /** Adds or replaces pages. Reports those of which blocks were left out. */
  upsertPages(pages: readonly PageInput[]): Promise<PageReport[]>;
}

export function createContentService(deps: {
  db: Database;
  now: () => number;
  catalogue: CatalogueService;
  media: MediaService;
}): ContentService {
  const { db, now, catalogue, media } = deps;

  /** The products of each list on a page; a collection that is gone has none. */
  async function productsOf(blocks: readonly StoredBlock[], locale: Locale): Promise<Map<StoredBlock, ProductSummary[]>> {
    const lists = blocks.filter((block) => block.type === 'productList');
    const loaded = await Promise.all(
      lists.map(async (block) => {
        const { number, sortby } = block.uiAttribute;
        const products = catalogue.summaries(collectionFilter(block.uiAttribute), { sortby, numberToLoad: number }, locale);
        return [block, await products.catch(noneWhereGone)] as const;
      }),
    );
    return new Map<StoredBlock, ProductSummary[]>(loaded);
  }

  return {
    async page(name, locale) {
      const row = await findPage(db.catalogue, name);
      if (!row) throw notFound();
      // Judged when written.
      const blocks: StoredBlock[] = JSON.parse(row.blocks);
      const [images, products] = await Promise.all([media.images(picturesOf(blocks)), productsOf(blocks, locale)]);
      const parts = {
        text: (text: LocalText) => inLocale(text, locale),
        image: (file: string) => images.get(file),
        products: (block: StoredBlock) => products.get(block) ?? [],
      };
      return {
        name,
        title: parts.text(JSON.parse(row.title)),
        metaDescription: parts.text(JSON.parse(row.meta_description)),
        blocks: blocks.map((block) => shownBlock(block, parts)),
      };
    },
    async pages() {
      return (await listPages(db.catalogue)).map((row) => ({ name: row.name, updatedAt: row.updated_at }));
    },
    async upsertPages(pages) {
      const judged = pages.map((page) => ({ page, ...judgeBlocks(page.blocks) }));
      await db.transaction(async (trx) => {
        for (const { page, blocks } of judged) {
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
      return judged.flatMap(({ page, rejected, unknown }) =>
        rejected.length + unknown.length > 0 ? [{ page: page.name, rejected, unknown }] : [],
      );
    },
  };
}

function noneWhereGone(error: unknown): ProductSummary[] {
  if (error instanceof Refusal && error.errorType === 'NOT_FOUND') return [];
  throw error;
}
