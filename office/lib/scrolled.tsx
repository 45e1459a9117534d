import type { ReactNode } from 'react';

/** A table that may be wider than the screen: what scrolls is reached by keyboard. */
export const Scrolled = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the arrow keys
  <section className="min-w-0 overflow-x-auto print:overflow-visible" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
