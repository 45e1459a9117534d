import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Accordion } from '#web/ui/accordion.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { AccountLink } from './account-link.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { shopLinks } from './shop-links.ts';

const linkClass = 'flex min-h-14 items-center border-line border-b font-serif text-lg';
const childClass = 'block py-2';

/** The menu below 960 px: a button, and the drawer that it opens. */
export function MenuDrawer({ content, signedIn }: { content: AppContent; signedIn: boolean | undefined }) {
  const t = useT();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  useEffect(() => router.subscribe('onBeforeNavigate', () => setOpen(false)), [router]);
  return (
    <>
      <IconButton
        icon="menu"
        label={t('shell.menu.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
      <Drawer side="start" open={open} onClose={() => setOpen(false)} title={t('shell.menu')}>
        <nav aria-label={t('shell.menu.drawer')} className="flex flex-col">
          {content.menu.map(({ name, label, children }) =>
            children.length === 0 ? (
              <Link key={name} href={urls.category(name)} className={linkClass} anySearch>
                {label}
              </Link>
            ) : (
              <Accordion
                key={name}
                summary={label}
                className="[&>summary]:font-normal [&>summary]:font-serif [&>summary]:text-lg"
              >
                <ul>
                  <li>
                    <Link href={urls.category(name)} className={childClass} anySearch>
                      {t('shell.menu.all', { name: label })}
                    </Link>
                  </li>
                  {children.map((child) => (
                    <li key={child.name}>
                      <Link href={urls.category(child.name)} className={childClass} anySearch>
                        {child.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </Accordion>
            ),
          )}
          {shopLinks(content).map(({ key, href }) => (
            <Link key={key} href={href} className={linkClass} anySearch>
              {t(key)}
            </Link>
          ))}
          <AccountLink signedIn={signedIn} className={linkClass} inWords />
          <p className="mt-2 flex min-h-14 items-center gap-3">
            <Icon name="globe" size={20} />
            <LanguageSwitch />
          </p>
        </nav>
      </Drawer>
    </>
  );
}
