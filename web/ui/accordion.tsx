import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

export interface AccordionProps {
  summary: ReactNode;
  /** At the end of the line, before the arrow: a total, a count. */
  aside?: ReactNode;
  defaultOpen?: boolean;
  /** From this breakpoint up there is no fold: its content always shows, its summary never. */
  unfoldFrom?: 'product' | 'form' | 'menu';
  className?: string;
  children: ReactNode;
}

/** A line that opens to more: the order summary on phones, a product's details, a footer's columns. */
export function Accordion({ summary, aside, defaultOpen = false, unfoldFrom, className, children }: AccordionProps) {
  return (
    <details className={cx('fold', unfoldFrom && `unfold-${unfoldFrom}`, className)} open={defaultOpen}>
      <summary>
        <span>{summary}</span>
        {aside && <span className="fold-aside">{aside}</span>}
        <Icon name="chevron" size={20} />
      </summary>
      <div className="fold-body">{children}</div>
    </details>
  );
}
