import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { Icon } from './icon.tsx';

export interface Crumb {
  label: string;
  /** Left out for the page one is on. */
  href?: string | undefined;
}

/** The way here from the front door. */
export function Breadcrumbs({ items }: { items: Crumb[] }) {
  const t = useT();
  return (
    <nav className="breadcrumbs" aria-label={t('ui.breadcrumbs')}>
      <ol>
        {items.map(({ label, href }, index) => (
          <li key={href ?? label}>
            {index > 0 && <Icon name="chevron-right" size={14} />}
            {href ? <Link href={href}>{label}</Link> : <span aria-current="page">{label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
