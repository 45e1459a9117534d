import type { ReactNode } from 'react';
import { cx } from '#ui/cx.ts';
import { Icon } from '#ui/icon.tsx';
import { crumbClass, crumbLinkClass, crumbListClass } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';

interface BesideSummaryProps {
  /** Steps and heading. On phones they come first, then the summary, then the form. */
  heading: ReactNode;
  summary: ReactNode;
  children: ReactNode;
}

const gridClass =
  'mx-auto grid min-h-dvh w-full max-w-frame content-start gap-x-12 px-gutter pt-8 pb-section product:grid-cols-[minmax(0,36rem)_20rem] product:grid-rows-[auto_1fr] product:justify-center product:[reading-flow:grid-order] menu:grid-cols-[minmax(0,36rem)_25rem] menu:gap-x-24';

/** The surface of the summary reaches from the middle of the gap to the window's edge, and from header to footer. */
const surfaceClass =
  'relative product:order-1 product:col-start-2 product:row-span-2 product:row-start-1 product:before:absolute product:before:-top-8 product:before:bottom-[calc(-1*var(--spacing-section))] product:before:-left-6 product:before:w-screen product:before:bg-surface-inset menu:before:-left-12';

/** A form and, beside it from 768 px on, what it is about, which stays in sight. */
export function BesideSummary({ heading, summary, children }: BesideSummaryProps) {
  return (
    <div className="overflow-x-clip">
      <div className={gridClass}>
        <div>{heading}</div>
        {/* On wide screens the summary follows the form in the document, so Tab reaches it after the form. */}
        <aside className={surfaceClass}>
          <div className="relative mb-8 product:sticky product:top-8">{summary}</div>
        </aside>
        <div className="w-full max-w-prose">{children}</div>
      </div>
    </div>
  );
}

interface Step {
  label: string;
  href?: string;
}

export function Steps({ steps, current, label }: { steps: Step[]; current: number; label: string }) {
  return (
    <nav aria-label={label}>
      <ol className={crumbListClass}>
        {steps.map((step, index) => (
          <li key={step.label} className={crumbClass}>
            {index > 0 && <Icon name="chevron-right" size={14} />}
            {index < current && step.href ? (
              <Link href={step.href} className={crumbLinkClass}>
                {step.label}
              </Link>
            ) : (
              <span
                className={cx('py-1.5', index === current && 'font-semibold text-ink')}
                aria-current={index === current ? 'step' : undefined}
              >
                {step.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
