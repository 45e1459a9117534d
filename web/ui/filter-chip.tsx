import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';

const chipClass =
  'inline-flex min-h-[max(2.25rem,var(--finger))] items-center gap-1.5 rounded-full bg-action-tint py-1 pr-2 pl-3.5 text-sm/tight hover:[box-shadow:inset_0_0_0_1px_var(--color-action)]';

/** An active filter; the link removes it. `href` is the list without it. */
export function FilterChip({ href, children }: { href: string; children: string }) {
  const t = useT();
  return (
    <Link href={href} keepScroll className={chipClass} aria-label={t('ui.filter.remove', { name: children })}>
      {children}
      <Icon name="close" size={16} />
    </Link>
  );
}
