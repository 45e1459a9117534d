import { useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { SkipLink } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { announce, focusPage, LiveRegion } from '#ui/page.tsx';
import { lazyOnView, lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { Header } from './header.tsx';
import { useScrollAfterSwitch } from './menu-bar.tsx';

interface ShellProps {
  content: AppContent;
  cartCount: number | undefined;
  signedIn: boolean | undefined;
  children: ReactNode;
}

const Footer = lazyOnView(async () => (await import('./footer.tsx')).Footer);
const CheckoutHeader = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutHeader);
const CheckoutFooter = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutFooter);

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
      {checkout ? <CheckoutHeader content={content} /> : <Header content={content} cartCount={cartCount} signedIn={signedIn} />}
      <OfflineNotice />
      {choosing && content.seasonNote && <SeasonNote {...content.seasonNote} />}
      <main id="main" tabIndex={-1}>
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
