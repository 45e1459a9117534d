import type { ReactNode } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
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

/** The frame of every page (SPEC §2: all routes sit under one main shell). */
export function Shell({ content, cartCount, signedIn, children }: ShellProps) {
  const t = useT();
  usePageChange();
  useScrollAfterSwitch();
  return (
    <>
      <SkipLink>{t('shell.skip')}</SkipLink>
      <ProgressBar />
      <Header content={content} cartCount={cartCount} signedIn={signedIn} />
      <OfflineNotice />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer content={content} />
      <LiveRegion />
    </>
  );
}
