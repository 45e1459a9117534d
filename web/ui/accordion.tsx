import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

export interface AccordionProps {
  summary: ReactNode;
  /** At the end of the line, before the arrow: a total, a count. */
  aside?: ReactNode;
  defaultOpen?: boolean;
  /** From this breakpoint up it does not collapse: its content always shows, its summary never. */
  unfoldFrom?: 'product' | 'form' | 'menu';
  className?: string;
  children: ReactNode;
}

const unfolded = {
  product: {
    details: 'product:details-content:h-auto product:details-content:[content-visibility:visible]',
    summary: 'product:hidden',
  },
  form: { details: 'form:details-content:h-auto form:details-content:[content-visibility:visible]', summary: 'form:hidden' },
  menu: { details: 'menu:details-content:h-auto menu:details-content:[content-visibility:visible]', summary: 'menu:hidden' },
};

/** A collapsible section: the order summary on phones, a product's details, a footer's columns. */
export function Accordion({ summary, aside, defaultOpen = false, unfoldFrom, className, children }: AccordionProps) {
  return (
    <details className={cx('accordion', unfoldFrom && unfolded[unfoldFrom].details, className)} open={defaultOpen}>
      <summary className={unfoldFrom && unfolded[unfoldFrom].summary}>
        <span>{summary}</span>
        {aside && <span className="ml-auto font-normal">{aside}</span>}
        <Icon name="chevron" size={20} className="print:hidden" />
      </summary>
      <div className={cx('pt-1 pb-6', unfoldFrom === 'menu' && 'menu:py-0')}>{children}</div>
    </details>
  );
}
