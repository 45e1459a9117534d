import { cx } from './cx.ts';

/** A placeholder for a block; give it its size by class (`aspect-square`, `h-12 w-40`). Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cx('skeleton', className)} aria-hidden="true" />;
}

/** A placeholder for `lines` lines of text, in the text's own line height; the last is shorter. */
export function SkeletonText({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <span className={cx('block', className)} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
        <span key={line} className={cx('skeleton skeleton-line', line === lines - 1 && lines > 1 && 'w-2/5')} />
      ))}
    </span>
  );
}
