/** In the transaction of their cause, as a delivery for each endpoint that receives them. */
import { hash, randomBytes } from 'node:crypto';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Trx } from '#db/database.ts';
import type { Delivery, DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import { cachedByTopics, topics } from '#server/platform/recorded-reads.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import type { WebhookData, WebhookEventType } from './event-types.ts';
import { hasDelivery, hasReceivers, insertEndpoint, subscribersOf } from './webhooks.repository.ts';

export interface NewWebhookEvent<T extends WebhookEventType> {
  type: T;
  /** Within the type, such as the order's id. Of several events with the same one only the first is recorded. */
  cause: string;
  /** Of an event of an order, whose agent is told too. */
  orderId?: string;
  /** Called only if an endpoint receives the event. Awaits nothing but the transaction. */
  data(): Promise<WebhookData[T]> | WebhookData[T];
}

/** How agents are told of their orders. The agents module connects it. */
export interface AgentReceivers {
  /** Where the agent that brought an order wants to be told of it; null for nowhere. */
  urlOf(trx: Trx, orderId: string): Promise<string | null>;
  /** A delivery as it is signed and sent: the order as it is then. Null if there is nothing to tell any more. */
  message(
    delivery: Delivery,
    at: number,
  ): Promise<{ headers: Readonly<Record<string, string>>; body: string } | null>;
}

/** The endpoint of agents at an address. Merchants' endpoints have other ids. */
export const agentEndpoint = (url: string): string => `agent_${hash('sha256', url).slice(0, 24)}`;
export const isAgentEndpoint = (id: string): boolean => id.startsWith('agent_');

/** An agent is told of the order as a whole, so that of two events at once one is enough. */
const toldToAgents: readonly WebhookEventType[] = [
  'order.placed',
  'order.ready',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
];

export interface StockChange {
  sku: string;
  /** 'warehouse' or a store's id. */
  location: string;
  /** The change. */
  before: number;
  after: number;
  /** With this many or fewer, it is low. */
  threshold: number;
}

/** From the first attempt to the last. */
export const retryForMs = 2 * dayMs;

/** Such as `evt_4f0c…`; without the full stop, which separates the parts of a signed text. */
export function randomId(prefix: string, bytes = 16): string {
  return `${prefix}_${randomBytes(bytes).toString('hex')}`;
}

async function addAgentEndpoint(trx: Trx, url: string, at: number): Promise<void> {
  const added = await insertEndpoint(trx, {
    id: agentEndpoint(url),
    url,
    events: [],
    secret: '',
    createdAt: at,
  });
  if (added) await recordCatalogueChange(trx, [topics.webhookEndpoints]);
}

export type WebhookEvents = ReturnType<typeof createWebhookEvents>;

export function createWebhookEvents({
  db,
  now,
  deliveries,
}: {
  db: Database;
  now: () => number;
  deliveries: DeliveryQueue;
}) {
  const reference = (type: WebhookEventType, cause: string, endpointId: string) =>
    `${type}:${cause}@${endpointId}`;
  let agents: AgentReceivers | null = null;

  async function tellAgent(trx: Trx, type: WebhookEventType, cause: string, orderId: string): Promise<void> {
    const url = toldToAgents.includes(type) ? await agents?.urlOf(trx, orderId) : null;
    if (!url) return;
    const [endpointId, at] = [agentEndpoint(url), now()];
    const ids = { id: randomId('dlv', 8), endpoint_id: endpointId, event_id: randomId('evt') };
    const body = JSON.stringify({ orderId });
    await deliveries.enqueue(trx, [
      {
        ...ids,
        kind: type,
        reference: reference(type, cause, endpointId),
        body,
        give_up_at: at + retryForMs,
      },
    ]);
  }

  return {
    connectAgents(receivers: AgentReceivers): void {
      agents = receivers;
    },
    agentMessage: async (delivery: Delivery) => (await agents?.message(delivery, now())) ?? null,
    /** So that its agent can be told of orders. */
    addAgentEndpoint: (trx: Trx, url: string): Promise<void> => addAgentEndpoint(trx, url, now()),
    /** Known without a query until that changes. Ask before a transaction, not inside one. */
    hasReceivers: cachedByTopics(db, [topics.webhookEndpoints], () => hasReceivers(db.read)),
    isSubscribed: async (trx: Trx, type: WebhookEventType): Promise<boolean> =>
      (await subscribersOf(trx, type)).length > 0,
    /** For an endpoint that receives events of this cause, after `since` (epoch ms). */
    async wasRecorded(trx: Trx, type: WebhookEventType, cause: string, since: number): Promise<boolean> {
      const endpoints = await subscribersOf(trx, type);
      const references = endpoints.map((id) => reference(type, cause, id));
      return references.length > 0 && hasDelivery(trx, references, since);
    },
    /** Does nothing if no endpoint receives the event. */
    async record<T extends WebhookEventType>(
      trx: Trx,
      { type, cause, orderId, data }: NewWebhookEvent<T>,
    ): Promise<void> {
      if (orderId) await tellAgent(trx, type, cause, orderId);
      const endpoints = await subscribersOf(trx, type);
      if (endpoints.length === 0) return;
      const [id, at] = [randomId('evt'), now()];
      const body = JSON.stringify({ id, type, createdAt: at, data: await data() });
      const rows = endpoints.map((endpointId) => ({
        id: randomId('dlv', 8),
        endpoint_id: endpointId,
        event_id: id,
        kind: type,
        reference: reference(type, cause, endpointId),
        body,
        give_up_at: at + retryForMs,
      }));
      await deliveries.enqueue(trx, rows);
    },
  };
}

export type LowStockEvents = ReturnType<typeof createLowStockEvents>;

export function createLowStockEvents(events: WebhookEvents, now: () => number) {
  return {
    isWatched: (trx: Trx): Promise<boolean> => events.isSubscribed(trx, 'stock.low'),

    /** In the transaction that lowered stock. One event for each downward crossing, at most one an hour for a SKU and place. */
    async stockChanged(trx: Trx, changes: readonly StockChange[]): Promise<void> {
      const lowered = changes.filter(({ before, after }) => after < before);
      if (lowered.length === 0 || !(await events.isSubscribed(trx, 'stock.low'))) return;
      for (const { sku, location: store, before, after: left, threshold } of lowered) {
        if (before <= threshold || left > threshold) continue;
        const hour = Math.floor(now() / hourMs);
        const causeIn = (each: number) => `${sku}@${store}:${each}`;
        if (await events.wasRecorded(trx, 'stock.low', causeIn(hour - 1), now() - hourMs)) continue;
        const data = () => ({ sku, store, left, threshold });
        await events.record(trx, { type: 'stock.low', cause: causeIn(hour), data });
      }
    },
  };
}
