import { type ComponentProps, type ComponentType, createContext, useContext } from 'react';
import type { BlockOf, BlockType } from '#contract/schemas/blocks.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Frame } from '#ui/layout.tsx';
import { isExternal } from '#ui/link.tsx';
import type { LazyView } from '#web/lib/lazy-view.tsx';

export interface BlockProps<T extends BlockType> {
  block: BlockOf<T>;
  /** The block is the first of the page, so its images load at once. */
  first: boolean;
}

export interface BlockView<T extends BlockType> {
  view: ComponentType<BlockProps<T>> | LazyView<BlockProps<T>>;
  previewPicture?(block: BlockOf<T>): ImageInfo | undefined;
}

/** Of the block that is drawn. Its outermost element says it, by which the office finds the block in a preview. */
export const BlockId = createContext<string | undefined>(undefined);

/** The outermost element of a block. */
export function BlockFrame(props: ComponentProps<typeof Frame>) {
  return <Frame data-block={useContext(BlockId)} {...props} />;
}

/** The text of a link from a merchant or an external source, with an icon if it leaves the shop (SPEC §2: starts with http). */
export function LinkText({ href, children }: { href: string; children: string }) {
  const t = useT();
  if (!isExternal(href) || !/^http/i.test(href)) return children;
  return (
    <>
      {children}
      <span className="ml-[0.25em] inline-flex align-[-0.1em]">
        <Icon name="external" size={16} />
        <span className="sr-only"> {t('link.external')}</span>
      </span>
    </>
  );
}
