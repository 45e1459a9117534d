import { queryOptions } from '@tanstack/react-query';
import { components } from '#blocks/components.tsx';
import type { Block, BlockType, PageContent } from '#contract/schemas/blocks.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { isMissing } from '#ui/errors.ts';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { type ApiClient, callQuery } from '#web/lib/api.ts';
import { BlockId, type BlockView } from './block-view.tsx';

export const pageContentQuery = (api: ApiClient, pageName: string) =>
  callQuery(api, 'pageContent', { query: { pageName } });

/** The same for an optional page: null if it does not exist. */
export function optionalPageQuery(api: ApiClient, pageName: string) {
  return queryOptions({
    queryKey: ['content', 'page', api.locale, pageName, 'optional'],
    queryFn: ({ signal }) =>
      api.call('pageContent', { query: { pageName }, signal }).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
  });
}

/** With `titled` the page's title is shown above the blocks; otherwise only screen readers get it, since every page has one h1. */
export function Blocks({ page, titled = false }: { page: PageContent; titled?: boolean }) {
  return (
    <>
      {titled ? (
        <Frame className="content-heading">
          <PageHeading>{page.title}</PageHeading>
        </Frame>
      ) : (
        <h1 className="sr-only" tabIndex={-1}>
          {page.title}
        </h1>
      )}
      <BlockList blocks={page.blocks} />
    </>
  );
}

/** Blocks without a page heading. `below`: other content comes before them. */
export function BlockList({ blocks, below = false }: { blocks: readonly Block[]; below?: boolean }) {
  return blocks.map((block, index) => (
    <OneBlock key={block.id} block={block} first={index === 0 && !below} />
  ));
}

function OneBlock({ block, first }: { block: Block; first: boolean }) {
  const View = viewOf(block)?.view;
  return View ? (
    <BlockId value={block.id}>
      <View block={block} first={first} />
    </BlockId>
  ) : null;
}

/** Undefined for a block of a newer version of the shop; the page leaves it out. */
function viewOf({ type }: Block): BlockView<BlockType> | undefined {
  // `components` pairs each block type with its component, but TypeScript cannot derive that from a lookup by a union.
  return (components as Partial<Record<BlockType, unknown>>)[type] as BlockView<BlockType> | undefined;
}

/** Loads the code of a page's blocks. Await it before the page renders. */
export async function loadBlocks(blocks: readonly Block[]): Promise<void> {
  const views = new Set(blocks.map((block) => viewOf(block)?.view));
  await Promise.all([...views].map((view) => (view && 'preload' in view ? view.preload() : undefined)));
}

export function firstPicture(blocks: readonly Block[]): ImageInfo | undefined {
  for (const block of blocks) {
    const picture = viewOf(block)?.previewPicture?.(block);
    if (picture) return picture;
  }
  return undefined;
}
