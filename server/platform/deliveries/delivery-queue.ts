/**
 * At least once: a delivery is a row written in the transaction of its cause, claimed by a conditional update before an attempt,
 * with the result written after. If a process dies between the two, it is repeated, recognisable by its id, once the claim has
 * expired. All emails share a lane; each endpoint of webhooks, each printer and each device has its own, so that a slow one holds up no
 * other.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Trx } from '#db/database.ts';
import type { MetricSource } from '#server/platform/telemetry/metric.ts';
import { dayMs } from '../time-zone.ts';
import {
  claimDelivery,
  countUndelivered,
  type Delivery,
  type DeliveryChange,
  type DeliveryCount,
  deleteOldDeliveries,
  deliveriesDue,
  endClaim,
  endpointsDue,
  insertDeliveries,
  type Lane,
  type NewDelivery,
  postponeDeliveries,
  recallDeliveries,
  settleDeliveries,
  ticketLanesDue,
} from './deliveries.repository.ts';

export { type Delivery, type DeliveryState, ticketKind, unfinished } from './deliveries.repository.ts';

export interface Outcome {
  /** Null if there is nothing to deliver any more. */
  change: DeliveryChange | null;
  /** In the same transaction, unless another process has taken the claim over. */
  record?(trx: Trx): Promise<void>;
}

export interface Sender {
  /** In a lane. */
  atOnce: number;
  /** Longer than any attempt takes, so that only a dead process loses its claim, ms. */
  claimMs: number;
  /** `stopping`: the process ends. */
  send(delivery: Delivery, stopping: AbortSignal): Promise<Outcome>;
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

/** Of what was delivered or given up. */
const keptMs = 30 * dayMs;
/**
 * Between two looks for what is due: at most 200 emails a second, and fewer where they take long because much else is done, so that a
 * thousand of them delay no request. As long as the quickest one took, ms.
 */
const [shortestPauseMs, longestPauseMs] = [25, 250];
/** While some of a lane are slow, what is due besides is looked for this often, ms. */
const lookAgainMs = 500;

interface QueueDeps {
  db: Database;
  now: () => number;
}

const byCause = {
  /** Makes deliveries of these causes wait until `at` (epoch ms), unless one was attempted. */
  postpone: postponeDeliveries,
  /** The causes were taken back: what waits is not delivered, and they can be told of again. */
  recall: recallDeliveries,
};

export function createDeliveryQueue({ db, now }: QueueDeps) {
  const senders: Partial<Record<Lane['of'], Sender>> = {};
  const lanes = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const errors: unknown[] = [];

  async function runLane(lane: Lane): Promise<void> {
    const sender = senders[lane.of];
    /** By delivery. A slow one keeps its place, and the others go on beside it. */
    const running = new Map<string, Promise<void>>();
    const problems: unknown[] = [];
    while (sender && !stopping.signal.aborted && problems.length === 0) {
      const due = await deliveriesDue(db.read, lane, now(), sender.atOnce + running.size);
      const next = due.filter((id) => !running.has(id)).slice(0, sender.atOnce - running.size);
      for (const id of next)
        running.set(
          id,
          attempt({ db, now }, sender, id, stopping.signal)
            .catch((error: unknown) => void problems.push(error))
            .finally(() => running.delete(id)),
        );
      if (running.size === 0) break;
      const begun = performance.now();
      if (running.size === sender.atOnce) await Promise.race(running.values());
      // Beside slow ones there is room for what comes meanwhile.
      else if (next.length === 0)
        await Promise.race([...running.values(), pause(lookAgainMs, undefined, { ref: false })]);
      await pause(Math.min(Math.max(shortestPauseMs, performance.now() - begun), longestPauseMs));
    }
    await Promise.all(running.values());
    if (problems.length > 0) throw problems[0];
  }

  async function start(): Promise<void> {
    const [endpoints, tickets] = await Promise.all([
      endpointsDue(db.read, now()),
      senders.ticket ? ticketLanesDue(db.read, now()) : [],
    ]);
    const all: Lane[] = [
      { of: 'mail', to: '' },
      ...endpoints.map((to) => ({ of: 'webhook' as const, to })),
      ...tickets.map((to) => ({ of: 'ticket' as const, to })),
    ];
    for (const lane of all) {
      const key = `${lane.of}:${lane.to}`;
      if (lanes.has(key)) continue;
      const running = runLane(lane).catch((error: unknown) => void errors.push(error));
      lanes.set(
        key,
        running.finally(() => lanes.delete(key)),
      );
    }
    if (errors.length > 0) throw errors.splice(0)[0];
  }

  return {
    register: (sender: Readonly<Partial<Record<Lane['of'], Sender>>>): void =>
      void Object.assign(senders, sender),
    /** Except those whose reference exists. Returns how many were queued. */
    enqueue: (trx: Trx, rows: readonly NewDelivery[]): Promise<number> => insertDeliveries(trx, rows, now()),
    ...byCause,
    /** Of a past that is made up, nobody is told: what was queued before `before` (epoch ms) counts as sent. */
    settle: settleDeliveries,
    /**
     * Does not wait for the lanes. @throws the error of a lane that ended since the last call, such as a database that is away
     */
    start,
    /** Also sends what was queued by what it sent. */
    async run(): Promise<void> {
      do {
        await start();
        await Promise.all(lanes.values());
        if (errors.length > 0) throw errors.splice(0)[0];
      } while (senders.ticket && (await ticketLanesDue(db.read, now())).length > 0);
    },
    /** What was not delivered, the next process repeats. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(lanes.values());
    },
    sweep: (): Promise<void> => db.transaction((trx) => deleteOldDeliveries(trx, now() - keptMs)),
    metrics: deliveryMetrics({ db, now }),
  };
}

async function attempt(
  { db, now }: QueueDeps,
  { claimMs, send }: Sender,
  id: string,
  stopping: AbortSignal,
): Promise<void> {
  const at = now();
  const delivery = await db.transaction((trx) => claimDelivery(trx, id, at, at + claimMs));
  if (!delivery) return;
  const { change, record } = await send(delivery, stopping);
  await db.transaction(async (trx) => {
    if (await endClaim(trx, delivery, change)) await record?.(trx);
  });
}

function deliveryMetrics({ db, now }: QueueDeps): MetricSource {
  let counts: DeliveryCount[] = [];
  const countOf = (of: Lane['of']) =>
    ['waiting', 'failed'].map((state) => {
      // What is being sent still waits.
      const counted = counts.filter(
        (each) => each.of === of && (each.state === 'failed') === (state === 'failed'),
      );
      return { labels: { state }, value: counted.reduce((sum, { count }) => sum + count, 0) };
    });
  const oldestMs = () => {
    const waiting = counts.filter(({ of, state }) => of === 'mail' && state !== 'failed');
    return Math.max(0, ...waiting.map(({ oldestAt }) => now() - oldestAt));
  };
  return {
    name: 'deliveries',
    wholeShop: true,
    async refresh() {
      counts = await countUndelivered(db.read);
    },
    metrics: [
      {
        type: 'gauge',
        name: 'shopwright_mail_outbox',
        help: 'Emails that wait to be sent, and emails of the last 30 days that were given up.',
        labels: ['state'],
        samples: () => countOf('mail'),
      },
      {
        type: 'gauge',
        name: 'shopwright_mail_oldest_seconds',
        help: 'How long the oldest unsent email has waited; 0 if none waits.',
        samples: () => [{ value: oldestMs() / 1000 }],
      },
      {
        type: 'gauge',
        name: 'shopwright_webhook_deliveries',
        help: 'Deliveries of webhooks that wait, and stored ones that were given up.',
        labels: ['state'],
        samples: () => countOf('webhook'),
      },
      {
        type: 'gauge',
        name: 'shopwright_kitchen_tickets',
        help: 'Tickets that wait for a printer, and tickets of the last 30 days that were given up.',
        labels: ['state'],
        samples: () => countOf('ticket'),
      },
    ],
  };
}
