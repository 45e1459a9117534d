import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { iconButtonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Frame } from '#web/ui/layout.tsx';
import { AccountLink } from './account-link.tsx';
import { CartLink } from './cart-link.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { MenuBar } from './menu-bar.tsx';
import { MenuDrawer } from './menu-drawer.tsx';
import { SearchBox } from './search-box.tsx';
import { wordmarkClass } from './wordmark.classes.ts';

/** From 960 px on the row holds the search box, and becomes lower once the page is scrolled. */
const rowClass = cx(
  'grid h-15 grid-cols-[1fr_auto_1fr] items-center gap-x-2 print:block print:h-auto',
  'group-data-searching/header:h-auto group-data-searching/header:grid-rows-[3.75rem_auto]',
  'menu:h-auto menu:grid-cols-[auto_minmax(16rem,32rem)_auto] menu:grid-rows-[4.5rem] menu:justify-between menu:gap-x-8',
  'menu:transition-[grid-template-rows] menu:duration-(--motion-calm) menu:group-data-scrolled/header:grid-rows-[3.5rem]',
);

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
    <header
      className="group/header fixed inset-x-0 top-0 z-30 border-transparent border-b bg-paper transition-[border-color] duration-(--motion-calm) [view-transition-name:site-header] data-scrolled:border-line print:static print:border-0"
      data-scrolled={scrolled || undefined}
      data-searching={searching || undefined}
    >
      <Frame className={rowClass}>
        <div className="-ml-2.5 menu:hidden print:hidden">
          <MenuDrawer content={content} signedIn={signedIn} />
        </div>
        <Link href={urls.home()} className={wordmarkClass}>
          {content.shopName}
        </Link>
        {/* On phones the search box is a second row, one tap away. */}
        <div className="col-span-full row-start-2 hidden pb-3 group-data-searching/header:block menu:col-[2] menu:row-start-1 menu:block menu:pb-0 print:hidden">
          <SearchBox input={input} onDone={close} />
        </div>
        <div className="-mr-2.5 flex items-center justify-end gap-0.5 menu:col-start-3 menu:gap-2 print:hidden">
          <LanguageSwitch className="hidden min-h-11 items-center px-2 text-sm hover:underline menu:inline-flex" />
          <Link
            href={urls.search()}
            className={cx(iconButtonClass, 'menu:hidden')}
            aria-label={t(searching ? 'shell.search.close' : 'shell.search.open')}
            aria-expanded={searching}
            onClick={toggle}
          >
            <Icon name={searching ? 'close' : 'search'} />
          </Link>
          <AccountLink signedIn={signedIn} className={cx(iconButtonClass, 'max-menu:hidden')} />
          <CartLink count={cartCount} />
        </div>
      </Frame>
      <Frame className="max-menu:hidden print:hidden">
        <MenuBar content={content} />
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
