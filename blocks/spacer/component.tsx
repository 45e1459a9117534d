import { cx } from '#ui/cx.ts';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';

/** Of the room that sections have between them, so that it follows the width of the window as they do. */
const heights = {
  small: 'h-[calc(var(--spacing-section)/4)]',
  medium: 'h-[calc(var(--spacing-section)/2)]',
  large: 'h-[var(--spacing-section)]',
};

/** Room between two blocks, which a line may part. Readers of screens hear of neither. */
export function SpacerBlock({ block: { size, line } }: BlockProps<'spacer'>) {
  return (
    <BlockFrame className={cx('flex items-end', heights[size])} aria-hidden>
      {line && <span className="w-full border-line border-b" />}
    </BlockFrame>
  );
}
