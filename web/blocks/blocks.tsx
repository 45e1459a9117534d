import type { Block, PageContent } from '#contract/schemas/blocks.ts';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { viewOf } from './load-blocks.ts';

/**
 * The blocks of a content page in order. With `titled` the page's title is shown above them; otherwise only screen readers get
 * it, since every page has one h1.
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

/** Blocks without a page heading. `below`: other content comes before them. */
export function BlockList({ blocks, below = false }: { blocks: readonly Block[]; below?: boolean }) {
  return blocks.map((block, index) => <BlockView key={block.id} block={block} first={index === 0 && !below} />);
}

function BlockView({ block, first }: { block: Block; first: boolean }) {
  const View = viewOf(block)?.view;
  return View ? <View block={block} first={first} /> : null;
}
