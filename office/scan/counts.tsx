/**
 * What this device counted, and how it differs from what was expected. Each count is kept until the server has taken it, also when the
 * tab is closed; the server takes each once. The names of SKUs are kept too, so that they show without a network.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { countsAtOnce } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { gtinsOf } from '#contract/rules/gtin.ts';
import type { DeviceCount, StockTake, TakeLine } from '#contract/staff/stock.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ApiError } from '#ui/errors.ts';
import { newKey } from '#ui/new-key.ts';
import { Notice } from '#ui/notice.tsx';
import { type Call, useCall } from '../lib/api.ts';
import { useLanguage } from '../lib/i18n.tsx';
import { afterOf, MoreButton, usePages } from '../lib/lists.tsx';
import { useMe } from '../lib/me.tsx';
import { Problem } from '../lib/send-form.tsx';
import { skuLine } from '../lib/sku-line.ts';

const sendEveryMs = 2000;
const shownCounts = 100;

type Item = Pick<TakeLine, 'sku' | 'name' | 'optionContent'>;

/** A count of this device, the newest first. */
interface Counted extends DeviceCount {
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
    () =>
      new Map(
        data?.flatMap((item) => [item.sku, ...gtinsOf(item.gtin ?? '')].map((code) => [code, item] as const)),
      ),
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
  const { waiting, counted } = useMemo(
    () => ({ waiting: shelf.waiting(), counted: shelf.counted() }),
    [shelf, snapshot],
  );
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
      return {
        ...count,
        item,
        found: (item && known.found.get(item.sku)) ?? null,
        isSent: !isWaiting.has(count.id),
      };
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
        const { found } = await call('sendCounts', {
          params: { take },
          body: { now: Date.now(), counts: part },
        });
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

interface DifferencesProps {
  take: StockTake;
  /** Counts of this device that the server does not have yet. */
  waiting: number;
  onBack: () => void;
  onOver: (take: StockTake | 'ended') => void;
}

function useBooking({ take, onOver }: DifferencesProps) {
  const call = useCall();
  const params = { take: take.id };
  // As it was when the differences were asked for.
  const lines = usePages(
    ['take-lines', take.id, take.counts],
    (query) => call('takeLines', { params, query }),
    afterOf,
  );
  const book = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      let state = await call('bookTake', { params, body: { counts: take.counts } });
      while (state.state === 'booking')
        state = await call('bookTake', { params, body: { counts: take.counts } });
      return state;
    },
    onSuccess: onOver,
  });
  const end = useMutation({
    networkMode: 'always',
    mutationFn: () => call('endTake', { params }),
    onSuccess: () => onOver('ended'),
  });
  return { lines, book, end };
}

export function Differences(props: DifferencesProps) {
  const { take, waiting, onBack } = props;
  const { t } = useLanguage();
  const { lines, book, end } = useBooking(props);
  const [isEnding, setEnding] = useState(false);
  const known = lines.pages.flatMap((page) => page.lines);
  const different = known.filter(({ found, expected }) => found !== expected);
  const error = book.error ?? end.error ?? lines.error;
  return (
    <section className="flex flex-col gap-5">
      <h2 className="text-xl">{t('office.take.differences')}</h2>
      <Problem error={error} />
      {take.unknown.length > 0 && (
        <Notice title={t('office.take.unknown')}>
          <p className="break-words">
            {take.unknown.map(({ code, units }) => `${code} × ${units}`).join(t('office.listSeparator'))}
          </p>
          <p>{t('office.take.unknownHint')}</p>
        </Notice>
      )}
      {lines.isKnown && known.length === 0 && <p>{t('office.take.none')}</p>}
      {different.length > 0 && <Lines lines={different} />}
      {known.length > different.length && (
        <p>{t('office.take.same', { count: known.length - different.length })}</p>
      )}
      <MoreButton list={lines} label={t('office.take.more')} />
      <p className="text-ink-soft">{t('office.take.onlyCounted')}</p>
      <div className="flex flex-wrap gap-3">
        <Button
          busy={book.isPending}
          disabled={waiting > 0 || known.length === 0}
          onClick={() => book.mutate()}
        >
          {t(take.state === 'booking' ? 'office.take.booking' : 'office.take.book')}
        </Button>
        <Button label={t('office.take.goOn')} variant="secondary" onClick={onBack} />
        <Button label={t('office.take.end')} variant="quiet" onClick={() => setEnding(true)} />
      </div>
      <EndDialog
        open={isEnding}
        busy={end.isPending}
        onEnd={() => end.mutate()}
        onClose={() => setEnding(false)}
      />
    </section>
  );
}

function EndDialog({
  open,
  busy,
  onEnd,
  onClose,
}: {
  open: boolean;
  busy: boolean;
  onEnd: () => void;
  onClose: () => void;
}) {
  const { t } = useLanguage();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      title={t('office.take.end')}
      actions={
        <>
          <Button label={t('office.take.goOn')} variant="secondary" onClick={onClose} />
          <Button label={t('office.take.end')} busy={busy} onClick={onEnd} />
        </>
      }
    >
      <p>{t('office.take.endSure')}</p>
    </Dialog>
  );
}

function Lines({ lines }: { lines: readonly TakeLine[] }) {
  const { t, locale } = useLanguage();
  return (
    <table className="w-full text-left">
      <thead className="text-ink-soft text-sm">
        <tr className="border-line border-b">
          <th className="py-2 font-normal">SKU</th>
          <th className="py-2 pl-3 text-right font-normal">{t('office.take.expected')}</th>
          <th className="py-2 pl-3 text-right font-normal">{t('office.take.found')}</th>
          <th className="py-2 pl-3 text-right font-normal">{t('office.take.difference')}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {lines.map(({ sku, name, optionContent, found, expected }) => (
          <tr key={sku}>
            <td className="min-w-0 break-words py-2">
              <span className="font-semibold">{inLocale(name, locale)}</span>
              <span className="block text-ink-soft text-sm">{skuLine({ sku, optionContent }, locale)}</span>
            </td>
            <td className="py-2 pl-3 text-right tabular-nums">{expected}</td>
            <td className="py-2 pl-3 text-right tabular-nums">{found}</td>
            <td
              className={cx(
                'py-2 pl-3 text-right font-semibold tabular-nums',
                found < expected && 'text-clay',
              )}
            >
              {found > expected ? `+${found - expected}` : `−${expected - found}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
