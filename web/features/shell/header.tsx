import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Frame } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { useBeforeNavigate } from '#web/lib/use-before-navigate.ts';
import { AccountLink } from './account-link.tsx';
import { CartLink } from './cart-link.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { MenuBar } from './menu-bar.tsx';
import { MenuDrawer } from './menu-drawer.tsx';
import { SearchBox } from './search-box.tsx';

interface HeaderProps {
  content: AppContent;
  cartCount: number | undefined;
  /** Undefined while unknown. */
  signedIn: boolean | undefined;
}

/** SPEC §2: the menu is expanded from 960 px; after 20 px of scrolling the header has another style. */
export function Header({ content, cartCount, signedIn }: HeaderProps) {
  const t = useT();
  const scrolled = useScrolled();
  const input = useRef<HTMLInputElement>(null);
  const [searching, setSearching] = useState(false);
  const close = () => setSearching(false);
  useBeforeNavigate(close);
  useEffect(() => {
    if (searching) input.current?.focus();
  }, [searching]);
  const toggle = (event: MouseEvent) => {
    event.preventDefault();
    setSearching(!searching);
  };

  return (
    <header
      className="site-header print:static print:border-0"
      data-scrolled={scrolled || undefined}
      data-searching={searching || undefined}
    >
      <Frame className="site-header-row print:block print:h-auto">
        <div className="-ml-2.5 menu:hidden print:hidden">
          <MenuDrawer content={content} signedIn={signedIn} />
        </div>
        <Link href={urls.home()} className="wordmark">
          {content.shopName}
        </Link>
        <MenuBar content={content} />
        <div className="site-header-search wide:text-sm print:hidden">
          <SearchBox input={input} onDone={close} />
        </div>
        <div className="-mr-2.5 flex items-center justify-end gap-0.5 print:hidden">
          <LanguageSwitch className="hidden min-h-11 items-center px-1 text-sm hover:underline menu:inline-flex" />
          <Link
            href={urls.search()}
            className="icon-btn wide:hidden"
            aria-label={t(searching ? 'shell.search.close' : 'shell.search.open')}
            aria-expanded={searching}
            onClick={toggle}
          >
            <Icon name={searching ? 'close' : 'search'} />
          </Link>
          <AccountLink signedIn={signedIn} className="icon-btn max-menu:hidden" />
          <CartLink count={cartCount} />
        </div>
      </Frame>
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
