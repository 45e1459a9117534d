import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { User } from '#contract/schemas/shop.ts';
import { Button } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { Breadcrumbs, Frame, PageHeading, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { Notice } from '#ui/notice.tsx';
import { Toast } from '#ui/toast.tsx';
import { clearTab, readTab, withKept, writeTab } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';
import { useSession } from './queries.ts';

interface AccountFrameProps {
  title: ReactNode;
  lead?: ReactNode;
  aside?: ReactNode;
  trail?: { label: string; href: string }[];
  name?: string;
  children: ReactNode;
}

export function AccountFrame({ title, lead, aside, trail = [], name, children }: AccountFrameProps) {
  const t = useT();
  return (
    <Frame className="min-h-dvh pt-4 pb-section">
      {name && (
        <Breadcrumbs
          items={[{ label: t('account.menu.title'), href: urls.account() }, ...trail, { label: name }]}
        />
      )}
      <PageHeading lead={lead} aside={aside} className="pt-2">
        {title}
      </PageHeading>
      <LastAlert />
      {children}
    </Frame>
  );
}

export function FieldsSkeleton({ fields = 3 }: { fields?: number }) {
  return (
    <div role="status" aria-label={useT()('ui.loading')} className="flex max-w-form flex-col gap-5">
      {Array.from({ length: fields }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
        <Skeleton key={field} className="h-18 rounded-md" />
      ))}
    </div>
  );
}

export function ListSkeleton() {
  return (
    <div role="status" aria-label={useT()('ui.loading')} className="flex max-w-prose flex-col gap-6">
      <SkeletonText lines={3} />
      <SkeletonText lines={3} />
      <SkeletonText lines={3} />
    </div>
  );
}

interface GuestFrameProps {
  title: ReactNode;
  lead?: ReactNode;
  first?: ReactNode;
  children: ReactNode;
  aside?: ReactNode;
}

export function GuestFrame({ title, lead, first, children, aside }: GuestFrameProps) {
  return (
    <Frame className="min-h-dvh pb-section">
      <div className="mx-auto flex max-w-104 flex-col">
        <PageHeading lead={lead}>{title}</PageHeading>
        <LastAlert />
        {first}
        {children}
        {aside && <aside className="mt-12 flex flex-col gap-8">{aside}</aside>}
      </div>
    </Frame>
  );
}

export function AlternativeLink({
  title,
  text,
  action,
}: {
  title: ReactNode;
  text: ReactNode;
  action: ReactNode;
}) {
  return (
    <section className="flex flex-col items-start gap-3 rounded-lg bg-surface-inset p-6">
      <h2 className="text-lg">{title}</h2>
      <p>{text}</p>
      {action}
    </section>
  );
}

interface CustomerOnlyProps {
  /** Shown until the session is known. The server renders it for every visitor. */
  skeleton: ReactNode;
  children: (user: User) => ReactNode;
}

/** SPEC §6: content that requires signing in. Guests are sent to the sign-in page and return afterwards. */
export function CustomerOnly({ skeleton, children }: CustomerOnlyProps) {
  const router = useRouter();
  const { session, failed, retry } = useSession();
  const signedOut = session?.user === null;
  useEffect(() => {
    if (!signedOut) return;
    // Read once: the location changes as soon as the navigation starts.
    const { pathname, searchStr } = router.state.location;
    // Signing in leads to the menu by default.
    const referFrom = pathname === urls.account() ? undefined : pathname + searchStr;
    void router.navigate({ href: urls.login(referFrom), replace: true });
  }, [signedOut, router]);
  if (session?.user) return children(session.user);
  return failed ? <LoadFailed onRetry={retry} /> : skeleton;
}

export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <Notice tone="bad" title={t('shell.error.text')}>
      <Button label={t('shell.error.retry')} variant="quiet" size="small" onClick={onRetry} />
    </Notice>
  );
}

interface Alert {
  tone: 'good' | 'bad';
  title: string;
  text?: string;
  /** A form field shows the same text, and continues to show it. */
  besideField?: boolean;
  /** Called after it closes, for instance to open another page, where `LastAlert` shows the text again. */
  onClosed?: () => void;
}

interface UsedAlert {
  show: (alert: Alert) => void;
  clear: () => void;
  /** The alert and its placeholder. Put it last in the form, so that nothing moves when it appears. */
  alert: ReactNode;
}

/** SPEC §5, §9: an alert that closes after 2000 ms, waits while the pointer or focus is on it, and leaves its text in the page (WCAG 2.2.1). */
export function useAlert(): UsedAlert {
  const [shown, setShown] = useState<Alert & { turn: number; open: boolean }>();
  const show = (alert: Alert) => setShown((old) => ({ ...alert, turn: (old?.turn ?? 0) + 1, open: true }));
  const close = () => {
    if (!shown) return;
    setShown({ ...shown, open: false });
    if (!shown.onClosed) return;
    writeTab(key, { tone: shown.tone, title: shown.title, text: shown.text ?? '' });
    shown.onClosed();
  };
  const alert = shown && (
    <>
      {shown.open && (
        <Toast key={shown.turn} tone={shown.tone} title={shown.title} onClose={close}>
          {shown.text}
        </Toast>
      )}
      {!shown.besideField && !shown.onClosed && (
        // The placeholder is always there, so that the page does not move when the alert closes.
        <Notice silent tone={shown.tone} title={shown.title} className={shown.open ? 'invisible' : ''}>
          {shown.text}
        </Notice>
      )}
    </>
  );
  return { show, clear: () => setShown((old) => (old?.open ? old : undefined)), alert };
}

const key = 'alert';
const none = { tone: '', title: '', text: '' };

/** The text of the alert that led to this page, until the next page. Nothing if no alert did. */
function LastAlert() {
  const [last, setLast] = useState(none);
  // Only after hydration: the server's page is the same for everybody.
  useEffect(() => {
    const stored = withKept(none, readTab(key));
    clearTab(key);
    if (stored.title) setLast(stored);
  }, []);
  if (!last.title) return null;
  return (
    <Notice silent tone={last.tone === 'bad' ? 'bad' : 'good'} title={last.title} className="mb-6">
      {last.text}
    </Notice>
  );
}
