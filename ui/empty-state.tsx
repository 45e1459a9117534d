import type { ReactNode } from 'react';
import { Icon, type IconName } from '#ui/icon.tsx';

interface EmptyStateProps {
  icon?: IconName;
  title: ReactNode;
  /** The page's only heading is an h1; inside a page with one it is an h2. */
  as?: 'h1' | 'h2';
  children?: ReactNode;
  /** The next step: one or two `LinkButton`s, or links in a grid. Absent if the page has none to offer. */
  actions?: ReactNode;
}

export function EmptyState({ icon, title, as: Heading = 'h2', children, actions }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-text flex-col items-center gap-4 py-section text-center">
      {icon && <Icon name={icon} size={40} className="text-ink-soft" />}
      <Heading tabIndex={Heading === 'h1' ? -1 : undefined}>{title}</Heading>
      {children && (
        <div className="wrap-break-word max-w-full text-balance break-keep text-ink-soft *:text-balance">{children}</div>
      )}
      {actions && <div className="mt-2 flex w-full flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  );
}
