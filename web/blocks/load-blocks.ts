/** Finds the components of blocks and loads their code. */
import { components } from '#blocks/components.tsx';
import type { Block, BlockType } from '#contract/schemas/blocks.ts';
import type { BlockView } from './block-view.ts';

/** Undefined for a block of a newer version of the shop, which the page leaves out. */
export function viewOf({ type }: Block): BlockView<BlockType> | undefined {
  // A block and its component agree by the type of `components`, which a lookup by a union cannot show.
  return (components as Partial<Record<BlockType, unknown>>)[type] as BlockView<BlockType> | undefined;
}

/** Loads the code of a page's blocks. Await it before the page is shown. */
export async function loadBlocks(blocks: readonly Block[]): Promise<void> {
  const views = new Set(blocks.map((block) => viewOf(block)?.view));
  await Promise.all([...views].map((view) => (view && 'preload' in view ? view.preload() : undefined)));
}
