import { useT } from '#web/i18n/i18n.tsx';
import { isExternal } from '#web/lib/urls.ts';
import { Icon } from '#web/ui/icon.tsx';

/** The text of a link from a merchant or an external source, with an icon if it leaves the shop (SPEC §2: starts with http). */
export function LinkText({ href, children }: { href: string; children: string }) {
  const t = useT();
  if (!isExternal(href) || !/^http/i.test(href)) return children;
  return (
    <>
      {children}
      <span className="ml-[0.25em] inline-flex align-[-0.1em]">
        <Icon name="external" size={16} />
        <span className="sr-only"> {t('link.external')}</span>
      </span>
    </>
  );
}
