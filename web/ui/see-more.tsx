import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';

/** A link to the full list of which a block shows a part. Its accessible name includes the subject. */
export function SeeMore({ href, title }: { href: string; title: string | null }) {
  const t = useT();
  return (
    <Link href={href} className="text-action">
      <span aria-hidden={title ? true : undefined}>{t('block.seeMore')}</span>
      {title && <span className="sr-only">{t('block.seeMoreOf', { name: title })}</span>}
    </Link>
  );
}
