import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

interface AccordionProps {
  summary: ReactNode;
  /** At the end of the line, before the arrow: a total, a count. */
  aside?: ReactNode;
  defaultOpen?: boolean;
  /** From 768 px on it does not collapse: its content always shows, its summary never. */
  unfoldFrom?: 'product';
  className?: string;
  children: ReactNode;
}

const unfolded = 'product:details-content:h-auto product:details-content:[content-visibility:visible]';

export function Accordion({
  summary,
  aside,
  defaultOpen = false,
  unfoldFrom,
  className,
  children,
}: AccordionProps) {
  return (
    <details className={cx('accordion', unfoldFrom && unfolded, className)} open={defaultOpen}>
      <summary className={unfoldFrom && 'product:hidden'}>
        <span>{summary}</span>
        {aside && <span className="ml-auto font-normal">{aside}</span>}
        <Icon name="chevron" size={20} className="print:hidden" />
      </summary>
      <div className={'pt-1 pb-6'}>{children}</div>
    </details>
  );
}
