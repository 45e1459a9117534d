import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';

/** The way to all of what a block shows a part of. Whoever hears the link alone is told of what. */
export function SeeMore({ href, title }: { href: string; title: string | null }) {
  const t = useT();
  return (
    <Link href={href} className="text-action">
      <span aria-hidden={title ? true : undefined}>{t('block.seeMore')}</span>
      {title && <span className="sr-only">{t('block.seeMoreOf', { name: title })}</span>}
    </Link>
  );
}
