import type { ReactNode } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { Icon } from '#web/ui/icon.tsx';

interface TableChipProps {
  table: string;
  /** The store's name in the page's language. */
  store: string;
  children?: ReactNode;
}

/** The table that the order is for, which stays in view. */
export function TableChip({ table, store, children }: TableChipProps) {
  const t = useT();
  return (
    <div className="sticky top-2 z-10 mt-4 flex flex-wrap items-center gap-x-4">
      <p className="chip self-start border-action bg-action-tint font-semibold">
        <Icon name="cup" size={20} className="text-action" />
        {t('table.at', { table, store })}
      </p>
      {children}
    </div>
  );
}
