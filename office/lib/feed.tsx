/** The live feed: what the server hints at is asked for again, and what is shown says when it is not live. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { staffBase } from '#contract/limits.ts';
import type { FeedHint } from '#contract/staff/desk.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { formatDate } from '#ui/format.ts';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from './me.tsx';

/** The server says every 5 s that it is there. Longer silence is said within 10 s, ms. */
const silenceMs = 8500;
/** After an answer that ends an event source for good, such as a session that has ended, ms. */
const reopenMs = 5000;

/** The first parts of the query keys that a change of a kind outdates; the topic `*` outdates all of them. */
export const outdates: Readonly<Record<Kind, readonly string[]>> = {
  order: ['desk', 'orders', 'order', 'stock', 'stock-of'],
  refund: ['orders', 'order'],
  orderView: ['order-views'],
  message: ['messages'],
  customer: ['customers', 'customer'],
  guest: ['customers', 'customer'],
  staff: ['staff', 'me'],
  role: ['staff', 'roles', 'me'],
  agent: ['agents'],
  coupon: ['coupons', 'coupon'],
  connection: ['connections'],
  settlement: ['settlements', 'settlement-findings'],
  store: ['stores', 'store', 'me'],
  setting: ['settings'],
  modifierGroup: ['modifier-groups', 'modifier-group'],
  page: ['pages', 'page'],
  post: ['posts', 'post'],
  blog: ['posts', 'blogs', 'blog', 'post'],
  navigation: ['navigations', 'navigation'],
  redirect: ['redirects', 'redirect'],
  webhook: ['webhooks', 'webhook'],
  settings: ['more-settings', 'settings-choices'],
  look: ['looks', 'look'],
  email: ['emails', 'email'],
  brand: ['taxonomy', 'brand'],
  category: ['taxonomy', 'category'],
  tag: ['taxonomy', 'tag'],
  stock: ['stock', 'stock-of', 'stock-low'],
  soldOut: ['sold-out'],
  product: ['product'],
  image: ['media'],
  period: ['periods'],
  cash: ['cash'],
  handover: ['handed-files'],
  // No room shows them while others change them, or nobody hears of them.
  stockTake: [],
  tableCards: [],
  export: [],
  webhookDelivery: [],
  gallery: [],
};

/** When the feed was last heard, epoch ms, once it has been silent for too long; null while it is live. */
const SilentSince = createContext<number | null>(null);

/**
 * Of all tabs of a browser only one has a stream, since a browser opens six connections to a host; the others hear it from that one,
 * and another takes over when it closes.
 */
export function FeedProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [heardAt, setHeardAt] = useState(() => Date.now());
  const [now, setNow] = useState(heardAt);
  useEffect(() => {
    const tabs = new BroadcastChannel('office-feed');
    const askAgain = askerOf(queries);
    const hear = (hint: FeedHint | null) => {
      setHeardAt(Date.now());
      if (!hint) return;
      const shown = () =>
        new Set(
          queries
            .getQueryCache()
            .getAll()
            .map(({ queryKey: [first] }) => String(first)),
        );
      for (const key of hint.topic === '*' ? shown() : (outdates[hint.topic as Kind] ?? []))
        void askAgain(key);
    };
    tabs.onmessage = ({ data }: MessageEvent<FeedHint | null>) => hear(data);
    const over = new AbortController();
    void lead(over.signal, (hint) => {
      hear(hint);
      tabs.postMessage(hint);
    });
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => {
      over.abort();
      clearInterval(timer);
      tabs.close();
    };
  }, [queries]);
  return <SilentSince value={now - heardAt > silenceMs ? heardAt : null}>{children}</SilentSince>;
}

/**
 * Asks again for what queries show, by the first part of their keys. A hint that comes while an answer is on its way asks after it:
 * at a busy desk, one that began anew each time would never arrive.
 */
function askerOf(queries: QueryClient): (key: string) => Promise<void> {
  /** What is asked for, and whether it is outdated already. */
  const asked = new Map<string, boolean>();
  return async (key) => {
    const isUnderWay = asked.has(key);
    asked.set(key, isUnderWay);
    if (isUnderWay) return;
    do {
      asked.set(key, false);
      await queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => String(first) === key });
    } while (asked.get(key));
    asked.delete(key);
  };
}

/** Listens in the place of all tabs, as soon as no other one does. `hear` gets null for a sign of life. */
async function lead(over: AbortSignal, hear: (hint: FeedHint | null) => void): Promise<void> {
  // Without locks, as over plain http in a network, each tab listens for itself.
  const listenAlone = () => listen(over, hear);
  await (navigator.locks?.request('office-feed', { signal: over }, listenAlone) ?? listenAlone()).catch(
    () => undefined,
  );
}

function listen(over: AbortSignal, hear: (hint: FeedHint | null) => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined;
    const open = () => {
      source?.close();
      if (over.aborted) return;
      source = new EventSource(`${staffBase}feed`);
      source.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as FeedHint);
      source.addEventListener('alive', () => hear(null));
      source.onerror = () => source?.readyState === EventSource.CLOSED && setTimeout(open, reopenMs);
    };
    open();
    // A network that is back is noticed sooner than a stream that hangs.
    addEventListener('online', open, { signal: over });
    over.addEventListener('abort', () => {
      source?.close();
      resolve();
    });
  });
}

export const useIsLive = (): boolean => useContext(SilentSince) === null;

/** Says that what is shown may be old, and since when. */
export function LiveNotice() {
  const { t, locale, shop } = useOffice();
  const since = useContext(SilentSince);
  if (since === null) return null;
  return (
    <Notice
      tone="bad"
      title={t('desk.notLive', { time: formatDate(since, locale, shop.timeZone, 'time') })}
    />
  );
}
