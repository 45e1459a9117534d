/** Finds the components of blocks and loads their code. */
import { components } from '#blocks/components.tsx';
import type { Block, BlockType } from '#contract/schemas/blocks.ts';
import type { BlockView } from './block-view.ts';

/** Undefined for a block of a newer version of the shop; the page leaves it out. */
export function viewOf({ type }: Block): BlockView<BlockType> | undefined {
  // `components` pairs each block type with its component, but TypeScript cannot derive that from a lookup by a union.
  return (components as Partial<Record<BlockType, unknown>>)[type] as BlockView<BlockType> | undefined;
}

/** Loads the code of a page's blocks. Await it before the page renders. */
export async function loadBlocks(blocks: readonly Block[]): Promise<void> {
  const views = new Set(blocks.map((block) => viewOf(block)?.view));
  await Promise.all([...views].map((view) => (view && 'preload' in view ? view.preload() : undefined)));
}
