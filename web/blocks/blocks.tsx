import type { ComponentType } from 'react';
import type { Block, PageContent } from '#contract/schemas/blocks.ts';
import { Frame, PageHeading } from '#web/ui/layout.tsx';
import { type BlockProps, registry } from './registry.ts';

/**
 * A content page: its blocks, one under the other. `titled` sets the page's title above them; without,
 * it is there for screen readers, since every page has one h1.
 */
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

/** Blocks without a page around them. `below`: something else opens the page. */
export function BlockList({ blocks, below = false }: { blocks: readonly Block[]; below?: boolean }) {
  return blocks.map((block, index) => <BlockView key={block.id} block={block} first={index === 0 && !below} />);
}

function BlockView({ block, first }: { block: Block; first: boolean }) {
  // A block and its component agree by the registry's type, which a lookup by a union cannot show.
  const View = registry[block.type] as ComponentType<BlockProps<Block['type']>> | undefined;
  // A block of a newer shop than this page's program is left out.
  return View ? <View block={block} first={first} /> : null;
}
