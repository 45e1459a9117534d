import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { Icon } from './icon.tsx';

/** An active filter; the link removes it. `href` is the list without it. */
export function FilterChip({ href, children }: { href: string; children: string }) {
  const t = useT();
  return (
    <Link href={href} keepScroll className="filter-chip" aria-label={t('ui.filter.remove', { name: children })}>
      {children}
      <Icon name="close" size={16} />
    </Link>
  );
}
