import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { AccountLink } from './account-link.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { shopLinks } from './shop-links.ts';

/** The menu below 960 px: a button, and the drawer it slides in. */
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
        <nav aria-label={t('shell.menu.drawer')} className="drawer-menu">
          {content.menu.map(({ name, label, children }) =>
            children.length === 0 ? (
              <Link key={name} href={urls.category(name)} className="drawer-link">
                {label}
              </Link>
            ) : (
              <details key={name} className="fold">
                <summary>
                  {label}
                  <Icon name="chevron" size={20} />
                </summary>
                <ul className="fold-body">
                  <li>
                    <Link href={urls.category(name)}>{t('shell.menu.all', { name: label })}</Link>
                  </li>
                  {children.map((child) => (
                    <li key={child.name}>
                      <Link href={urls.category(child.name)}>{child.label}</Link>
                    </li>
                  ))}
                </ul>
              </details>
            ),
          )}
          {shopLinks(content).map(({ key, href }) => (
            <Link key={key} href={href} className="drawer-link">
              {t(key)}
            </Link>
          ))}
          <AccountLink signedIn={signedIn} className="drawer-link" inWords />
          <p className="drawer-language">
            <Icon name="globe" size={20} />
            <LanguageSwitch />
          </p>
        </nav>
      </Drawer>
    </>
  );
}
