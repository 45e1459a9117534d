import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { Icon } from './icon.tsx';

export const filterChipClass =
  'inline-flex min-h-9 items-center gap-1.5 rounded-full bg-action-tint py-1 pr-2 pl-3.5 text-ink text-sm/tight hover:inset-ring hover:inset-ring-action pointer-coarse:min-h-11';

/** A filter that is on; following it takes the filter off. `href` is the list without it. */
export function FilterChip({ href, children }: { href: string; children: string }) {
  const t = useT();
  return (
    <Link href={href} keepScroll className={filterChipClass} aria-label={t('ui.filter.remove', { name: children })}>
      {children}
      <Icon name="close" size={16} />
    </Link>
  );
}
