import type { ReactNode } from 'react';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';

interface TableChipProps {
  table: string;
  store: string;
  className?: string;
  children?: ReactNode;
}

export function TableChip({ table, store, className, children }: TableChipProps) {
  const t = useT();
  return (
    <div className={cx('flex flex-wrap items-center gap-x-4', className)}>
      <p className="chip border-action bg-action-tint font-semibold">
        <Icon name="cup" size={20} className="text-action" />
        {t('table.at', { table, store })}
      </p>
      {children}
    </div>
  );
}
