import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import { SkipLink } from '#web/ui/layout.tsx';
import { LiveRegion } from '#web/ui/live-region.tsx';
import { Footer } from './footer.tsx';
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

const CheckoutHeader = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutHeader);
const CheckoutFooter = lazyWithPreload(async () => (await import('./checkout-frame.tsx')).CheckoutFooter);

/** Checkout and payment await this, so that their own header and footer are part of the page. */
export async function preloadCheckoutFrame(): Promise<void> {
  await Promise.all([CheckoutHeader.preload(), CheckoutFooter.preload()]);
}

/** Whether a page (its path without language, or its route) has a header and a footer of its own, from which little leads away. */
export function isCheckout(path: string): boolean {
  return path === '/checkout' || path === '/payment';
}

/** The frame of every page (SPEC §2: all routes sit under one main shell). */
export function Shell({ content, cartCount, signedIn, children }: ShellProps) {
  const t = useT();
  usePageChange();
  useScrollAfterSwitch();
  const checkout = useRouterState({ select: ({ matches }) => matches.some(({ routeId }) => isCheckout(routeId)) });
  return (
    <>
      <SkipLink>{t('shell.skip')}</SkipLink>
      <ProgressBar />
      {checkout ? <CheckoutHeader content={content} /> : <Header content={content} cartCount={cartCount} signedIn={signedIn} />}
      <OfflineNotice />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {checkout ? <CheckoutFooter content={content} /> : <Footer content={content} />}
      <LiveRegion />
    </>
  );
}
