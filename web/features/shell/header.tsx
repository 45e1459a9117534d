import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Icon } from '#web/ui/icon.tsx';
import { AccountLink } from './account-link.tsx';
import { CartLink } from './cart-link.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { MenuBar } from './menu-bar.tsx';
import { MenuDrawer } from './menu-drawer.tsx';
import { SearchBox } from './search-box.tsx';

interface HeaderProps {
  content: AppContent;
  cartCount: number | undefined;
  /** Undefined while that is not known. */
  signedIn: boolean | undefined;
}

/** SPEC §2: the menu is expanded from 960 px on; after 20 px of scroll the header has another style. */
export function Header({ content, cartCount, signedIn }: HeaderProps) {
  const t = useT();
  const router = useRouter();
  const scrolled = useScrolled();
  const input = useRef<HTMLInputElement>(null);
  const [searching, setSearching] = useState(false);
  const close = () => setSearching(false);
  useEffect(() => router.subscribe('onBeforeNavigate', () => setSearching(false)), [router]);
  useEffect(() => {
    if (searching) input.current?.focus();
  }, [searching]);
  const toggle = (event: MouseEvent) => {
    event.preventDefault();
    setSearching(!searching);
  };

  return (
    <header className="site-header" data-scrolled={scrolled || undefined} data-searching={searching || undefined}>
      <div className="frame site-header-row">
        <div className="site-header-menu">
          <MenuDrawer content={content} signedIn={signedIn} />
        </div>
        <Link href={urls.home()} className="wordmark">
          {content.shopName}
        </Link>
        <div className="site-header-search">
          <SearchBox input={input} onDone={close} />
        </div>
        <div className="site-header-tools">
          <LanguageSwitch className="site-header-language" />
          <Link
            href={urls.search()}
            className="icon-btn site-header-search-toggle"
            aria-label={t(searching ? 'shell.search.close' : 'shell.search.open')}
            aria-expanded={searching}
            onClick={toggle}
          >
            <Icon name={searching ? 'close' : 'search'} />
          </Link>
          <AccountLink signedIn={signedIn} className="icon-btn site-header-account" />
          <CartLink count={cartCount} />
        </div>
      </div>
      <div className="frame site-header-bar">
        <MenuBar content={content} />
      </div>
    </header>
  );
}

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(scrollY > limits.headerScrolledPx);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return scrolled;
}
