/** What the pages of the books share: the heading, and the links to each other. */
import type { ReactNode } from 'react';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { cx } from '#ui/cx.ts';
import { useStaffT } from '../../lib/i18n.tsx';
import { PlainLink } from '../../lib/text-link.tsx';

/** The pages by their path below `/books`, in their order. One is added here and in `rooms/index.ts`. */
const pages = [
  { path: '', name: 'office.books.report' },
  { path: '/returns', name: 'office.books.returns' },
  { path: '/owed', name: 'office.books.owed' },
  { path: '/stock', name: 'office.books.stock' },
  { path: '/cash', name: 'office.books.cash' },
  { path: '/close', name: 'office.books.close' },
  { path: '/files', name: 'office.books.files' },
] as const satisfies readonly { path: string; name: StaffMessageKey }[];

export type BooksPage = (typeof pages)[number]['path'];

interface BooksFrameProps {
  /** Null for one that they lead to and that none of the links is. */
  page: BooksPage | null;
  /** Beside the heading, such as the buttons that save and print. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A page of the books. */
export function BooksFrame({ page, aside, children }: BooksFrameProps) {
  const t = useStaffT();
  return (
    <div className="flex max-w-room flex-col gap-6 print:gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 print:hidden">
        <h1 className="text-2xl">{t('office.books')}</h1>
        {aside}
      </header>
      <nav aria-label={t('office.books.pages')} className="flex flex-wrap gap-2 print:hidden">
        {pages.map(({ path, name }) => (
          <PlainLink
            key={path}
            href={`/office/books${path}`}
            aria-current={path === page ? 'page' : undefined}
            className={cx(
              'inline-flex min-h-11 items-center rounded-full border px-4 text-sm',
              path === page
                ? 'border-action bg-action-tint font-semibold text-action'
                : 'border-line hover:bg-surface-inset',
            )}
          >
            {t(name)}
          </PlainLink>
        ))}
      </nav>
      {children}
    </div>
  );
}
