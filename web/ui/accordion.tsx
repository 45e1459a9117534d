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

/**
 * Opens slowly where the browser can animate to the content's own height; the clip margin is room for
 * the ring around a field at its edge.
 */
const accordionClass = cx(
  '[interpolate-size:allow-keywords] border-line border-y [&+&]:border-t-0',
  'details-content:h-0 details-content:overflow-clip open:details-content:h-auto open:details-content:[overflow-clip-margin:6px]',
  'details-content:transition-[height,content-visibility] details-content:transition-discrete details-content:duration-(--motion-calm)',
);
const summaryClass = 'flex min-h-14 list-none items-center justify-between gap-4 py-2 font-semibold leading-[1.35]';

const unfolded = {
  product: {
    details: 'product:details-content:h-auto product:details-content:[content-visibility:visible]',
    summary: 'product:hidden',
  },
  form: { details: 'form:details-content:h-auto form:details-content:[content-visibility:visible]', summary: 'form:hidden' },
  menu: { details: 'menu:details-content:h-auto menu:details-content:[content-visibility:visible]', summary: 'menu:hidden' },
};

/** A line that opens to more: the order summary on phones, a product's details, a footer's columns. */
export function Accordion({ summary, aside, defaultOpen = false, unfoldFrom, className, children }: AccordionProps) {
  return (
    <details
      className={cx('group/accordion', accordionClass, unfoldFrom && unfolded[unfoldFrom].details, className)}
      open={defaultOpen}
    >
      <summary className={cx(summaryClass, unfoldFrom && unfolded[unfoldFrom].summary)}>
        <span>{summary}</span>
        {aside && <span className="ml-auto font-normal">{aside}</span>}
        <Icon
          name="chevron"
          size={20}
          className="transition-[rotate] duration-(--motion-calm) group-open/accordion:rotate-180 print:hidden"
        />
      </summary>
      <div className={cx('pt-1 pb-6', unfoldFrom === 'menu' && 'menu:py-0')}>{children}</div>
    </details>
  );
}
