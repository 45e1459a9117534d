/**
 * What this device counted. Each count is kept until the server has taken it, also when the tab is closed; the server takes each once.
 * The names of SKUs are kept too, so that they show without a network.
 */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { countsAtOnce } from '#contract/limits.ts';
import type { LocalText } from '#contract/locales.ts';
import { gtinsOf } from '#contract/rules/gtin.ts';
import type { DeviceCount, StockTake } from '#contract/staff/stock.ts';
import { ApiError } from '#ui/errors.ts';
import { type Call, newKey, useCall } from '../lib/api.ts';
import { useMe } from '../lib/me.tsx';

const sendEveryMs = 2000;
const shownCounts = 100;

interface Item {
  sku: string;
  name: LocalText;
  options: string;
}

/** A count of this device, the newest first. */
export interface Counted extends DeviceCount {
  /** How many of it all devices found, as of the last answer; null before. */
  found: number | null;
  item: Item | null;
  isSent: boolean;
}

const listeners = new Set<() => void>();
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
const tell = () => {
  for (const listener of listeners) listener();
};

function stored<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Of a person and a stock-take: a key for each count that waits, so that tabs cannot overwrite each other's, and what was counted. */
function shelfOf(email: string, take: string) {
  const waitingKey = `office-count ${email} ${take} `;
  const countedKey = `office-counted ${email} ${take}`;
  const waiting = () => Object.keys(localStorage).filter((key) => key.startsWith(waitingKey));
  return {
    waitingKey,
    /** Changes with what is kept. */
    snapshot: () => `${waiting().sort().join()}|${localStorage.getItem(countedKey) ?? ''}`,
    waiting: () =>
      waiting()
        .flatMap((key) => stored<DeviceCount>(key) ?? [])
        .toSorted((a, b) => a.at - b.at),
    counted: () => stored<DeviceCount[]>(countedKey) ?? [],
    keep(count: DeviceCount) {
      localStorage.setItem(waitingKey + count.id, JSON.stringify(count));
      localStorage.setItem(
        countedKey,
        JSON.stringify([count, ...(stored<DeviceCount[]>(countedKey) ?? [])].slice(0, shownCounts)),
      );
      tell();
    },
    drop(counts: readonly DeviceCount[]) {
      for (const { id } of counts) localStorage.removeItem(waitingKey + id);
      tell();
    },
  };
}

interface Known {
  found: Map<string, number>;
  items: Map<string, Item>;
}

/** SKUs by every code that names one. */
function useItems(take: string) {
  const call = useCall();
  const key = 'office-take-items';
  const { data } = useQuery({
    queryKey: ['take-items', take],
    queryFn: async () => {
      const { items } = await call('takeItems', { params: { take } });
      try {
        localStorage.setItem(key, JSON.stringify(items));
      } catch {
        // Without room for them, codes show in place of names while there is no network.
      }
      return items;
    },
    initialData: () => stored<(Item & { gtin: string | null })[]>(key) ?? undefined,
    initialDataUpdatedAt: 0,
    staleTime: 10 * 60_000,
  });
  return useMemo(
    () => new Map(data?.flatMap((item) => [item.sku, ...gtinsOf(item.gtin ?? '')].map((code) => [code, item] as const))),
    [data],
  );
}

export function useCounts({ id: take, state }: Pick<StockTake, 'id' | 'state'>) {
  const call = useCall();
  const { email } = useMe();
  const items = useItems(take);
  const shelf = useMemo(() => shelfOf(email, take), [email, take]);
  const snapshot = useSyncExternalStore(subscribe, shelf.snapshot);
  const [known, setKnown] = useState<Known>(() => ({ found: new Map(), items: new Map() }));
  const [lost, setLost] = useState(0);
  const send = useCallback(
    () =>
      sendWaiting(call, take, shelf, {
        onTaken: (answer) =>
          setKnown(({ found, items: named }) => ({
            found: new Map([...found, ...answer.map(({ sku, found: units }) => [sku, units] as const)]),
            items: new Map([...named, ...answer.map(({ code, ...item }) => [code, item] as const)]),
          })),
        onLost: (counts) => setLost((before) => before + counts),
      }),
    [call, take, shelf],
  );
  useEffect(() => {
    void send();
    const timer = setInterval(() => void send(), sendEveryMs);
    const now = () => void send();
    addEventListener('online', now);
    return () => {
      clearInterval(timer);
      removeEventListener('online', now);
    };
  }, [send]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the snapshot says when what is kept has changed
  const { waiting, counted } = useMemo(() => ({ waiting: shelf.waiting(), counted: shelf.counted() }), [shelf, snapshot]);
  const itemOf = (code: string) =>
    known.items.get(code) ?? [code, ...gtinsOf(code)].flatMap((form) => items.get(form) ?? [])[0] ?? null;
  const isWaiting = new Set(waiting.map(({ id }) => id));
  return {
    /** Takes a count: on this device at once, on the server as soon as it can be reached. */
    add(code: string, units: number): void {
      if (state !== 'open') return;
      shelf.keep({ id: newKey(), code, units, at: Date.now() });
      void send();
    },
    itemOf,
    waiting,
    lost,
    counted: counted.map((count): Counted => {
      const item = itemOf(count.code);
      return { ...count, item, found: (item && known.found.get(item.sku)) ?? null, isSent: !isWaiting.has(count.id) };
    }),
  };
}

interface Answers {
  onTaken: (found: (Item & { code: string; found: number })[]) => void;
  /** Counts that came too late. */
  onLost: (counts: number) => void;
}

let sending = false;
/** In their order. Stops where there is no network, and goes on at the next call. */
async function sendWaiting(
  call: Call,
  take: string,
  shelf: ReturnType<typeof shelfOf>,
  { onTaken, onLost }: Answers,
): Promise<void> {
  if (sending) return;
  sending = true;
  try {
    for (let counts = shelf.waiting(); counts.length > 0; counts = shelf.waiting()) {
      const part = counts.slice(0, countsAtOnce);
      try {
        const { found } = await call('sendCounts', { params: { take }, body: { now: Date.now(), counts: part } });
        onTaken(found);
      } catch (error) {
        const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 409);
        if (!isRefused) return;
        onLost(part.length);
      }
      shelf.drop(part);
    }
  } finally {
    sending = false;
  }
}
