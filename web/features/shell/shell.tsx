import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { LiveRegion } from '#ui/announce.tsx';
import { useT } from '#ui/i18n.tsx';
import { SkipLink } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { lazyOnView } from '#web/lib/lazy-on-view.tsx';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import { Header } from './header.tsx';
import { useScrollAfterSwitch } from './language-switch.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { usePageChange } from './use-page-change.ts';

interface ShellProps {
  content: AppContent;
  /** Units in the cart; undefined while unknown. */
  cartCount: number | undefined;
  /** Undefined while unknown. */
  signedIn: boolean | undefined;
  children: ReactNode;
}

const Footer = lazyOnView(async () => (await import('./footer.tsx')).Footer);
const CheckoutHeader = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutHeader);
const CheckoutFooter = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutFooter);

/** The server awaits this, so that the footer is part of its pages. */
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

/** Whether the page has a route of this kind. */
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
