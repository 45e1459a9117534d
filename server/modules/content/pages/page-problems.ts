/** Says what is wrong with content pages, for imports and for the health check. */
import type { CollectionKind } from '#blocks/define-block.ts';
import { blockTypes, type StoredBlock } from '#contract/schemas/blocks.ts';
import { shown } from '#server/platform/schema-problems.ts';
import { definitionOf } from './block-definitions.ts';
import { type PageInput, pageNameProblems } from './page-input.ts';
import { blockRichText } from './rich-text.ts';
import { validateBlocks } from './validate-blocks.ts';

/** The ids of all brands, categories and tags of a shop. */
export type Collections = Readonly<Record<CollectionKind, ReadonlySet<string>>>;

export interface PageProblemOptions {
  collections: Collections;
  /** Whether an unknown field in a block is a problem. The database may have some from another version of the program. */
  closed: boolean;
}

/**
 * Lists what is wrong with a page's name and blocks: what was found and what is allowed, each without the page's name. Title and
 * description are not checked.
 */
export function pageProblems(
  { name, blocks }: Pick<PageInput, 'name' | 'blocks'>,
  { collections, closed }: PageProblemOptions,
): string[] {
  const { blocks: valid, rejected, unknown } = validateBlocks(blocks, { closed });
  return [
    ...pageNameProblems(name),
    ...rejected.map(({ id, problem }) => `block ${id} cannot be shown: ${problem}`),
    ...unknown.map(({ id, type }) => `block ${id} cannot be shown: its type is ${type}, allowed: ${blockTypes.join(', ')}`),
    ...valid.flatMap((block) => unknownCollections(block, collections).map((problem) => `block ${block.id}: ${problem}`)),
  ];
}

function unknownCollections(block: StoredBlock, collections: Collections): string[] {
  const named = definitionOf(block.type)?.collections?.(block) ?? [];
  return named
    .filter(({ kind, id }) => !collections[kind].has(id))
    .map(({ path, kind, id }) => `${path} must be the id of a ${kind} of the shop, found ${shown(id)}`);
}

/** File names of the images that blocks show. Blocks that cannot be shown name none. */
export function picturesOfBlocks(blocks: readonly unknown[]): string[] {
  const shownBlocks = validateBlocks(blocks).blocks;
  return [...new Set(shownBlocks.flatMap((block) => definitionOf(block.type)?.pictures?.(block, blockRichText) ?? []))];
}
