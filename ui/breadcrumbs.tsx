import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { Icon } from './icon.tsx';

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
      <ol className={crumbListClass}>
        {items.map(({ label, href }, index) => (
          <li key={href ?? label} className={crumbClass}>
            {index > 0 && <Icon name="chevron-right" size={14} />}
            {href ? (
              <Link href={href} className={crumbLinkClass}>
                {label}
              </Link>
            ) : (
              <span aria-current="page">{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
