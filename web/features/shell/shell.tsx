import { useRouter, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { limits } from '#contract/limits.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Drawer } from '#ui/dialog.tsx';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Frame, SkipLink } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { announce, focusPage, LiveRegion } from '#ui/page.tsx';
import { lazyOnView, lazyWithPreload, whenLikely } from '#web/lib/lazy-view.tsx';
import { urls } from '#web/lib/urls.ts';
import {
  AccountLink,
  LanguageSwitch,
  MenuBar,
  useBeforeNavigate,
  useScrollAfterSwitch,
} from './menu-bar.tsx';
import { SearchBox } from './search-box.tsx';
import { Wordmark } from './wordmark.tsx';

interface ShellProps {
  content: AppContent;
  cartCount: number | undefined;
  signedIn: boolean | undefined;
  children: ReactNode;
}

const Footer = lazyOnView(async () => (await import('./footer.tsx')).Footer);
const CheckoutHeader = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutHeader);
const CheckoutFooter = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutFooter);

export const preloadMenu = () => DrawerMenu.preload();
export const preloadFooter = () => Footer.preload();

/** Checkout and payment await this, so that their own header and footer are part of the page. */
export async function preloadCheckoutFrame(): Promise<void> {
  await Promise.all([CheckoutHeader.preload(), CheckoutFooter.preload()]);
}

/** Whether a page (its path without language, or its route) has a header and a footer of its own, from which little leads away. */
export function isCheckout(path: string): boolean {
  return path === '/checkout' || path === '/payment' || path.startsWith('/table/');
}

/** Routes on which a customer looks for something to drink: the line of the season names one. */
const lists = ['/', '/products/$cat', '/productlist', '/brand/$brandName', '/tag/$tagName', '/clearance'];
const isList = (route: string) => lists.includes(route);

function useOnRoute(kind: (route: string) => boolean): boolean {
  return useRouterState({ select: ({ matches }) => matches.some(({ routeId }) => kind(routeId)) });
}

/** The frame of every page (SPEC §2: all routes sit under one main shell). */
export function Shell({ content, cartCount, signedIn, children }: ShellProps) {
  const t = useT();
  usePageChange();
  useScrollAfterSwitch();
  const checkout = useOnRoute(isCheckout);
  const choosing = useOnRoute(isList);
  return (
    <>
      <SkipLink>{t('shell.skip')}</SkipLink>
      <ProgressBar />
      {checkout ? (
        <CheckoutHeader content={content} />
      ) : (
        <Header content={content} cartCount={cartCount} signedIn={signedIn} />
      )}
      <OfflineNotice />
      <main id="main" tabIndex={-1}>
        {/* Inside, because the whole content would move with it from a list to a page. */}
        {choosing && content.seasonNote && <SeasonNote {...content.seasonNote} />}
        {children}
      </main>
      {checkout ? <CheckoutFooter content={content} /> : <Footer content={content} />}
      <LiveRegion />
    </>
  );
}

const seasonClass =
  'flex h-10 items-center justify-center truncate bg-surface-inset px-gutter text-ink-soft text-sm print:hidden';

/** The line of the season, directly under the header. It is a landmark, so that nothing of the page lies outside of one. */
function SeasonNote({ text, link }: { text: string; link: string }) {
  return (
    <section aria-label={useT()('shell.season')}>
      {link ? (
        <Link href={link} className={`${seasonClass} hover:text-ink`}>
          {text}
        </Link>
      ) : (
        <p className={seasonClass}>{text}</p>
      )}
    </section>
  );
}

/** A notice while the network is unavailable. Pages visited before stay readable. */
function OfflineNotice() {
  const t = useT();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="sticky top-(--sticky-top,0px) z-21">
      {!online && (
        <p className="flex items-center justify-center gap-3 bg-ink px-gutter py-2.5 text-paper text-sm print:hidden">
          <Icon name="offline" size={20} />
          {t('shell.offline')}
        </p>
      )}
    </div>
  );
}

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

function ProgressBar() {
  const pending = useRouterState({ select: (state) => state.status === 'pending' });
  return pending ? <div className="progress-bar" aria-hidden /> : null;
}

/** Does what a browser does for a new document: moves focus to its start and announces its title. */
function usePageChange(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        focusPage();
        announce(document.title);
      }),
    [router],
  );
}

interface HeaderProps {
  content: AppContent;
  cartCount: number | undefined;
  signedIn: boolean | undefined;
}

/** SPEC §2: the menu is expanded from 960 px; after 20 px of scrolling the header has another style. */
function Header({ content, cartCount, signedIn }: HeaderProps) {
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
        <Wordmark content={content} />
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
          {content.header.parts.includes('account') && (
            <AccountLink signedIn={signedIn} className="icon-btn max-menu:hidden" />
          )}
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

/** In a file of its own: the menu's links are in every page already, as the expanded menu. */
const DrawerMenu = lazyWithPreload(async () => (await import('./drawer-menu.tsx')).DrawerMenu);

function MenuDrawer({ content, signedIn }: { content: AppContent; signedIn: boolean | undefined }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  // The office shows it open.
  const [filled, setFilled] = useState(useRouter().options.context.drawsMenu);
  const close = () => setOpen(false);
  useBeforeNavigate(close);
  return (
    <>
      <IconButton
        icon="menu"
        label={t('shell.menu.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        {...whenLikely(DrawerMenu)}
        onClick={() => {
          setFilled(true);
          setOpen(true);
        }}
      />
      <Drawer side="start" open={open} onClose={close} title={t('shell.menu')}>
        {filled && <DrawerMenu content={content} signedIn={signedIn} />}
      </Drawer>
    </>
  );
}

function CartLink({ count }: { count: number | undefined }) {
  const t = useT();
  const label = count ? t('shell.cart.count', { count }) : t('shell.cart');
  const changed = useAnnouncedChange(count, label);
  return (
    <Link href={urls.cart()} className="icon-btn relative" aria-label={label}>
      <Icon name="bag" />
      {count ? (
        <span
          key={count}
          className={cx(
            'absolute top-0.5 right-0 min-w-5 rounded-full bg-action px-[0.3125rem] text-center font-semibold text-[0.75rem]/5 text-on-action',
            changed && 'animate-tick',
          )}
          aria-hidden
        >
          {count > 99 ? '99+' : count}
        </span>
      ) : null}
    </Link>
  );
}

/** Whether the count differs from the first known one; every change is announced. */
function useAnnouncedChange(count: number | undefined, label: string): boolean {
  const first = useRef(count);
  const announced = useRef(count);
  first.current ??= count;
  useEffect(() => {
    if (announced.current !== undefined && count !== undefined && announced.current !== count)
      announce(label);
    if (count !== undefined) announced.current = count;
  }, [count, label]);
  return count !== first.current;
}
