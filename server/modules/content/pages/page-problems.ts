/** Says what is wrong with content pages, for imports and for the health check. */
import Type from 'typebox';
import type { CollectionKind } from '#blocks/define-block.ts';
import { localeCodes } from '#contract/locales.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import type { StoredBlock } from '#contract/schemas/blocks.ts';
import { described, LocalText } from '#contract/schemas/common.ts';
import { PageDocument } from '#contract/schemas/page.ts';
import { blockRichText } from '#server/platform/html.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { definitionOf, validateBlocks } from '../blocks/published-blocks.ts';

export type Collections = Readonly<Record<CollectionKind, ReadonlySet<string>>>;

export interface PageProblemOptions {
  collections: Collections;
  /** Whether an unknown field in a block is a problem. The database may have some from another version of the program. */
  closed: boolean;
}

export function pageProblems(
  { name, blocks }: Pick<PageInput, 'name' | 'blocks'>,
  { collections, closed }: PageProblemOptions,
): Problem[] {
  const { blocks: valid, problems } = validateBlocks(blocks, { closed });
  return [
    ...pageNameProblems(name),
    ...[...problems, ...valid.flatMap((block) => unknownCollections(block, collections))].map((each) => ({
      ...each,
      path: ['pages', name, 'blocks', ...each.path],
    })),
  ];
}

function unknownCollections(block: StoredBlock, collections: Collections): Problem[] {
  const named = definitionOf(block.type)?.collections?.(block) ?? [];
  return named
    .filter(({ kind, id }) => !collections[kind].has(id))
    .map(({ path, kind, id }) =>
      problem([block.id, ...path.split('/').slice(1)], 'problem.reference', { kind, found: shown(id) }),
    );
}

/** File names of the images that blocks show. Blocks that cannot be shown name none. */
export function picturesOfBlocks(blocks: readonly unknown[]): string[] {
  const shownBlocks = validateBlocks(blocks).blocks;
  return [
    ...new Set(
      shownBlocks.flatMap((block) => definitionOf(block.type)?.pictures?.(block, blockRichText) ?? []),
    ),
  ];
}

/** Ids of the products that blocks name. */
export function productsOfBlocks(blocks: readonly unknown[]): string[] {
  const named = validateBlocks(blocks).blocks.flatMap(
    (block) => definitionOf(block.type)?.products?.(block) ?? [],
  );
  return [...new Set(named)];
}

/** First parts of addresses that the server or the storefront answers itself. A test compares them with the routes. */
export const takenPageNames: readonly string[] = [
  'account',
  'api',
  'assets',
  'blog',
  'brand',
  'brands',
  'buy',
  'cart',
  'checkout',
  'clearance',
  'feeds',
  'healthz',
  'media',
  'myFavorite',
  'office',
  'order',
  'page',
  'payment',
  'product',
  'productlist',
  'products',
  'readyz',
  'search',
  'sitemap',
  'table',
  'tag',
  ...localeCodes,
];

/** A page of this name appears below the stores on the contact page, which has a route of its own. */
const contactPage = 'contact';

const { id: name, metaDescription, blocks } = PageDocument.properties;
/** In files. */
export const PageInput = Type.Object({
  name,
  title: described('The title, for the browser and for search engines.', LocalText),
  metaDescription,
  blocks,
});
export type PageInput = Omit<PageDocument, 'id'> & { name: string };

/** What is wrong with a page's name. Routes are matched in any case, so names are, too. */
export function pageNameProblems(name: string): Problem[] {
  const path = ['pages', name, 'name'];
  const invalid = schemaProblems(PageInput.properties.name, name);
  if (invalid.length > 0) return invalid.map((each) => ({ ...each, path }));
  const lower = name.toLowerCase();
  const isTaken =
    takenPageNames.some((taken) => taken.toLowerCase() === lower) ||
    (lower === contactPage && name !== contactPage);
  return isTaken ? [problem(path, 'problem.page.taken', { taken: takenPageNames.join(', ') })] : [];
}
