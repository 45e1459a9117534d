import type { ReactNode } from 'react';
import { cx } from '#ui/cx.ts';
import { BlockFrame } from './block-view.tsx';

interface TitleBesideProps {
  /** For links to the block. */
  id?: string;
  title: string | null;
  className?: string;
  children: ReactNode;
}

/** A block to read: its title beside it on wide screens, where it stays in view. */
export function TitleBeside({ id, title, className = '', children }: TitleBesideProps) {
  return (
    <BlockFrame id={id} className="section text-block menu:grid menu:grid-cols-12 menu:gap-x-6">
      {title && <h2 className="mb-4 menu:sticky menu:top-36 menu:col-span-4 menu:self-start">{title}</h2>}
      <div className={cx('menu:col-span-7 menu:col-start-5', className)}>{children}</div>
    </BlockFrame>
  );
}
