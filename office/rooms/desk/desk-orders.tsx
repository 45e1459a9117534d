/**
 * The orders of the desk and the kitchen, what is done to them, and how a device tells of new ones. What is known and what is done are
 * kept on the device until somebody signs out: a reload without a network shows what was known, and what is done meanwhile is sent when
 * the network is back. The server takes each step once.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { CheckoutMethod, CounterKind } from '#contract/limits.ts';
import type { DeskOrder, MoveTarget, Unprinted } from '#contract/staff/desk.ts';
import { ApiError } from '#ui/errors.ts';
import { Checkbox } from '#ui/inputs.tsx';
import { type Call, Once } from '../../lib/api.ts';
import { useIsLive } from '../../lib/feed.tsx';
import { keptForMe, keptSteps, useOffice } from '../../lib/me.tsx';

type Step =
  | { kind: 'move'; number: string; version: number; to: MoveTarget; paid?: CounterKind }
  | { kind: 'tick'; number: string; line: string; ticked: boolean }
  | { kind: 'undo'; number: string; version: number }
  | { kind: 'takeBack'; number: string; version: number; reason: string };
type Waiting = Step & { id: string };
interface Refused {
  id: string;
  number: string;
  error: unknown;
}

type Hidden = readonly { method: CheckoutMethod; count: number }[];

interface Known {
  at: number;
  orders: DeskOrder[];
  hidden: Hidden;
  unprinted: readonly Unprinted[];
}

/** The number is that of the shape: what an older version kept is not read. */
const ordersKey = (store: string) => `${keptForMe}:4:${store}`;
const waitingKey = keptSteps;

function stored<T>(key: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** A key for each step, so that tabs of one device cannot overwrite each other's; in the order in which they were made. */
const storedQueue = (): readonly Waiting[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(waitingKey))
    .sort()
    .flatMap((key) => stored<Waiting>(key) ?? []);

/** What waits to be sent, from all tabs, and what the server did not take of what this tab sent. */
let queue = storedQueue();
let refusals: readonly Refused[] = [];
let taken = 0;
const listeners = new Set<() => void>();
function changed(): void {
  queue = storedQueue();
  for (const listener of listeners) listener();
}
function keep(step: Waiting): void {
  localStorage.setItem(waitingKey + step.id, JSON.stringify(step));
  changed();
}
function drop({ id }: Waiting): void {
  localStorage.removeItem(waitingKey + id);
  changed();
}
function refuse(next: readonly Refused[]): void {
  refusals = next;
  changed();
}
addEventListener('storage', ({ key }) => (key === null || key.startsWith(waitingKey)) && changed());
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

let sending = false;
/** Sends what waits, in its order; of several tabs, one does. Stops where there is no network, and goes on at the next call. */
async function sendAll(call: Call, onTaken: (order: DeskOrder) => void): Promise<void> {
  if (sending) return;
  sending = true;
  const sendEach = () => sendWaiting(call, onTaken);
  // Without locks, as over plain http in a network, each tab sends; the server takes each step once.
  const locked = navigator.locks?.request(waitingKey, { ifAvailable: true }, (lock) => lock && sendEach());
  await (locked ?? sendEach()).finally(() => {
    sending = false;
  });
}

/** Sends what the desk kept, from another room. */
export const sendKeptSteps = (call: Call): Promise<void> => sendAll(call, () => {});

async function sendWaiting(call: Call, onTaken: (order: DeskOrder) => void): Promise<void> {
  for (let [step] = storedQueue(); step; [step] = storedQueue()) {
    const { id, number } = step;
    try {
      const order = await send(call, step);
      onTaken(order);
      // Later steps of this order follow this one.
      for (const each of storedQueue())
        if (each.id !== id && each.number === number && 'version' in each)
          keep({ ...each, version: order.version });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return;
      refuse([...refusals, { id, number, error }]);
    }
    drop(step);
  }
}

function send(call: Call, step: Waiting): Promise<DeskOrder> {
  const params = { number: step.number };
  // Its id is its key, for as long as the device keeps it. Ids of devices before had other signs.
  const once = new Once(() => step.id.replaceAll(/[^\w-]/g, '-'));
  switch (step.kind) {
    case 'move':
      return call('moveOrder', {
        params,
        body: { to: step.to, version: step.version, ...(step.paid ? { paid: step.paid } : {}) },
        once,
      });
    case 'tick':
      return call('tickLine', { params, body: { line: step.line, ticked: step.ticked }, once });
    case 'undo':
      return call('undoMove', { params, body: { version: step.version }, once });
    case 'takeBack':
      return call('takeBackMove', { params, body: { version: step.version, reason: step.reason }, once });
  }
}

function withStep(order: DeskOrder, step: Waiting): DeskOrder {
  if (order.number !== step.number) return order;
  if (step.kind === 'move')
    return { ...order, state: step.to, next: step.to === 'ready' ? ['completed'] : [] };
  if (step.kind !== 'tick') return order;
  return {
    ...order,
    lines: order.lines.map((line) => (line.id === step.line ? { ...line, ticked: step.ticked } : line)),
  };
}

export interface DeskOrders {
  orders: readonly DeskOrder[] | undefined;
  error: unknown;
  /** How many open orders the desk does not show, by their delivery method. */
  hidden: Hidden;
  unprinted: readonly Unprinted[];
  /** Takes a step: at once on the screen, and on the server as soon as it can be reached. Returns its id. */
  take(step: Step): string;
  /** Undoes a move that the server has just taken. */
  undo(number: string): void;
  /** Whether the server has taken a step. */
  isTaken(id: string): boolean;
  refusals: readonly Refused[];
  dismiss(): void;
}

/** The open orders of a store, or, with `number`, that order alone, whatever its state; what is kept on the device is the store's. */
export function useDeskOrders(store: string, number?: string): DeskOrders {
  const { call, queries, locale } = useOffice();
  const live = useIsLive();
  const waiting = useSyncExternalStore(subscribe, () => queue);
  const refused = useSyncExternalStore(subscribe, () => refusals);
  const { data, error } = useQuery({
    queryKey: ['desk', locale, store, number],
    queryFn: async () => {
      if (number !== undefined) return call('deskOrders', { query: { numbers: number } });
      const known = await call('deskOrders', { query: store === '' ? {} : { store } });
      localStorage.setItem(ordersKey(store), JSON.stringify(known));
      return known;
    },
    // Stays when the server cannot be reached.
    initialData: () => (number === undefined ? stored<Known>(ordersKey(store)) : undefined),
    initialDataUpdatedAt: 0,
    // What the feed does not tell, such as an order that leaves the desk after two hours.
    refetchInterval: 60_000,
  });
  const sendNow = useCallback(
    () =>
      void sendAll(call, (order) =>
        queries.setQueriesData<Known>({ queryKey: ['desk'] }, (known) =>
          known
            ? { ...known, orders: known.orders.map((each) => (each.number === order.number ? order : each)) }
            : known,
        ),
      ),
    [call, queries],
  );
  // Again when the connection is back, and when this page opens.
  useEffect(() => {
    if (live) sendNow();
    const timer = setInterval(sendNow, 2000);
    return () => clearInterval(timer);
  }, [live, sendNow]);
  const take = useCallback(
    (step: Step) => {
      taken += 1;
      // There is no randomUUID on plain http.
      const id = `${Date.now()}-${String(taken).padStart(6, '0')}-${Math.random()}`;
      keep({ ...step, id });
      sendNow();
      return id;
    },
    [sendNow],
  );
  const undo = (number: string) => {
    const version = data?.orders.find((order) => order.number === number)?.version ?? 0;
    take({ kind: 'undo', number, version });
  };
  return {
    orders: data?.orders.map((order) => waiting.reduce(withStep, order)),
    error: data ? null : error,
    hidden: data?.hidden ?? [],
    unprinted: data?.unprinted ?? [],
    take,
    undo,
    isTaken: (id) => ![...waiting, ...refused].some((step) => step.id === id),
    refusals: refused,
    dismiss: () => refuse([]),
  };
}

const offKey = 'office-sound-off';
const everyMs = 4000;

interface Bell {
  on: boolean;
  turn(on: boolean): void;
  /** The browser lets a page make sounds only once it has been touched. */
  isMuted: boolean;
}

/**
 * Tells of new orders by a sound that repeats until somebody touches the screen.
 * @param known what new orders are known by; undefined until it is
 */
export function useBell(known: readonly string[] | undefined): Bell {
  const numbers = known ?? [];
  const [on, setOn] = useState(() => localStorage.getItem(offKey) === null);
  const [isMuted, setMuted] = useState(false);
  const audio = useRef<AudioContext>(undefined);
  /** What was there when the screen was last touched, or when it opened. */
  const seen = useRef<Set<string>>(undefined);
  const current = useRef(numbers);
  current.current = numbers;
  seen.current ??= known && new Set(known);
  useEffect(() => {
    const touch = () => {
      seen.current = new Set(current.current);
      audio.current ??= new AudioContext();
      void audio.current.resume().then(() => setMuted(false));
    };
    // Once the pointer is up: what then moves is not under the finger any more.
    for (const press of ['pointerup', 'keydown']) addEventListener(press, touch);
    return () => {
      for (const press of ['pointerup', 'keydown']) removeEventListener(press, touch);
      void audio.current?.close();
      audio.current = undefined;
    };
  }, []);
  const rings = on && seen.current !== undefined && numbers.some((number) => !seen.current?.has(number));
  useEffect(() => {
    if (!rings) return;
    const strike = () => {
      if (audio.current?.state === 'running') ring(audio.current);
      else setMuted(true);
    };
    strike();
    const timer = setInterval(strike, everyMs);
    return () => clearInterval(timer);
  }, [rings]);
  const turn = (wanted: boolean) => {
    if (wanted) localStorage.removeItem(offKey);
    else localStorage.setItem(offKey, '1');
    setOn(wanted);
  };
  return { on, turn, isMuted: on && isMuted };
}

/** Two strokes, a third apart. */
function ring(audio: AudioContext): void {
  for (const [index, pitch] of [880, 1108.7].entries()) {
    const at = audio.currentTime + index * 0.18;
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.6);
  }
}

/** Null where the browser or the shop has no notices. */
const current = async () =>
  (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;

function usePush() {
  const { call } = useOffice();
  const isAble = 'serviceWorker' in navigator && 'PushManager' in window;
  const { data: key } = useQuery({
    queryKey: ['push'],
    queryFn: async () => (await call('push')).key,
    enabled: isAble,
  });
  const { data: on = false, refetch } = useQuery({
    queryKey: ['push-on'],
    queryFn: async () => (await current()) !== null,
    enabled: isAble,
  });
  const turn = useMutation({
    mutationFn: async (wanted: boolean) => {
      if (!wanted) {
        await (await current())?.unsubscribe();
        return call('stopPush');
      }
      const { pushManager } = await navigator.serviceWorker.ready;
      const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key ?? '' });
      const { endpoint = '', keys = {} } = made.toJSON();
      return call('startPush', { body: { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } });
    },
    onSettled: () => refetch(),
  });
  return { isOffered: typeof key === 'string', on, turn: turn.mutate, failed: turn.isError };
}

/** Whether new orders ring, and whether the device is notified of them while the tab sleeps. */
export function Alerts({ bell }: { bell: Bell }) {
  const { t } = useOffice();
  const { isOffered, on, turn, failed } = usePush();
  return (
    <>
      <Checkbox
        className="min-h-11 pb-2"
        label={t('desk.sound')}
        checked={bell.on}
        onChange={(event) => bell.turn(event.target.checked)}
      />
      {isOffered && (
        <Checkbox
          className="min-h-11 pb-2"
          label={t('desk.notify')}
          checked={on}
          error={failed && t('desk.notifyRefused')}
          onChange={(event) => turn(event.target.checked)}
        />
      )}
    </>
  );
}
