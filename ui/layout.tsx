import type { ComponentProps, ReactNode } from 'react';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

interface FrameProps extends ComponentProps<'div'> {
  /** `page` 1312 px, `prose` one column of text, `form` one column of fields. */
  width?: 'page' | 'prose' | 'form';
}

const frameWidths = { page: 'max-w-frame', prose: 'max-w-frame-text', form: 'max-w-frame-form' };

export function Frame({ width = 'page', className, ...rest }: FrameProps) {
  return <div {...rest} className={cx('mx-auto w-full px-gutter', frameWidths[width], className)} />;
}

interface PageHeadingProps {
  children: ReactNode;
  lead?: ReactNode;
  /** Beside it on wide screens, under it on phones: a count, a toggle. */
  aside?: ReactNode;
  className?: string;
}

/** The one h1 of a page. Focus moves here after navigation. */
export function PageHeading({ children, lead, aside, className }: PageHeadingProps) {
  return (
    <div className={cx('grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-6 gap-y-2 py-8', className)}>
      <h1 tabIndex={-1}>{children}</h1>
      {aside && (
        <div className="text-ink-soft max-product:col-span-full max-product:row-start-3">{aside}</div>
      )}
      {lead && <p className="col-span-full max-w-text text-ink-soft">{lead}</p>}
    </div>
  );
}

interface SectionProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  /** The accessible name of a part without a title, whose items have headings of their own. */
  unseenTitle?: string;
  more?: ReactNode;
}

export function Section({ title, unseenTitle, more, className, children, ...rest }: SectionProps) {
  return (
    <section {...rest} className={cx('section', className)}>
      {!title && unseenTitle && <h2 className="sr-only">{unseenTitle}</h2>}
      {(title || more) && (
        <header className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          {title && <h2>{title}</h2>}
          {more}
        </header>
      )}
      {children}
    </section>
  );
}

/** The first tab stop: skips to the main content. */
export function SkipLink({ children, href = '#main' }: { children: ReactNode; href?: string }) {
  return (
    <a className="skip-link print:hidden" href={href}>
      {children}
    </a>
  );
}

/** A placeholder for a block; give it its size by class (`aspect-square`, `h-12 w-40`). Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cx('skeleton', className)} aria-hidden="true" />;
}

export function SkeletonText({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <span className={cx('block', className)} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
          key={line}
          className={cx('skeleton skeleton-line', line === lines - 1 && lines > 1 && 'w-2/5')}
        />
      ))}
    </span>
  );
}

export interface Crumb {
  label: string;
  href?: string | undefined;
}

export const crumbListClass = 'flex flex-wrap items-center gap-x-2 text-ink-soft text-sm/[1.4]';
export const crumbClass = 'inline-flex items-center gap-2';
export const crumbLinkClass = 'py-1.5 hover:text-ink hover:underline';

export function Breadcrumbs({ items }: { items: Crumb[] }) {
  const t = useT();
  return (
    <nav aria-label={t('ui.breadcrumbs')}>
      {/* On a phone one row, so that nothing below moves as the row fills: the page's own name is cut, and its heading says it. */}
      <ol className={cx(crumbListClass, 'max-product:flex-nowrap')}>
        {items.map(({ label, href }, index) => (
          <li
            key={href ?? label}
            className={cx(crumbClass, !href && 'max-product:min-w-0 max-product:shrink-999')}
          >
            {index > 0 && <Icon name="chevron-right" size={14} />}
            {href ? (
              <Link href={href} className={crumbLinkClass}>
                {label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate py-1.5">
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
