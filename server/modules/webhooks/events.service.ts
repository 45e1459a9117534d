/** Records events in the transaction of their cause, with a delivery for each endpoint that receives them. */
import { randomBytes } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import { cachedByTopics } from '#server/platform/cached-by-topics.ts';
import { topics } from '#server/platform/topics.ts';
import { hasEvent, insertDelivery, insertEvent } from './deliveries.repository.ts';
import { hasReceivers, subscribersOf } from './endpoints.repository.ts';
import type { WebhookData, WebhookEventType } from './event-types.ts';
import { retryForMs } from './retry.ts';

export interface NewWebhookEvent<T extends WebhookEventType> {
  type: T;
  /** Identifies the cause within the type, such as the order's id. Of several events with the same one only the first is recorded. */
  cause: string;
  /** Called only if an endpoint receives the event. Awaits nothing but the transaction. */
  data(): Promise<WebhookData[T]> | WebhookData[T];
}

export type WebhookEvents = ReturnType<typeof createWebhookEvents>;

/** A new random id such as `evt_4f0c…`; without the full stop, which separates the parts of a signed text. */
export function randomId(prefix: string, bytes = 16): string {
  return `${prefix}_${randomBytes(bytes).toString('hex')}`;
}

export function createWebhookEvents({ db, now }: { db: Database; now: () => number }) {
  return {
    /**
     * Whether any endpoint receives events, as of the call. Known without a query until that changes, so that a shop without
     * endpoints reads nothing for them. Ask before a transaction, not inside one.
     */
    hasReceivers: cachedByTopics(db, [topics.webhookEndpoints], () => hasReceivers(db.read)),
    /** Whether an endpoint receives events of a type. */
    isSubscribed: async (trx: Trx, type: WebhookEventType): Promise<boolean> => (await subscribersOf(trx, type)).length > 0,
    /** Whether an event of this cause was recorded after `since`, epoch ms. */
    wasRecorded: (trx: Trx, type: WebhookEventType, cause: string, since: number): Promise<boolean> =>
      hasEvent(trx, `${type}:${cause}`, since),
    /** Records an event; does nothing if no endpoint receives it. */
    async record<T extends WebhookEventType>(trx: Trx, { type, cause, data }: NewWebhookEvent<T>): Promise<void> {
      const endpoints = await subscribersOf(trx, type);
      if (endpoints.length === 0) return;
      const [id, at] = [randomId('evt'), now()];
      const body = JSON.stringify({ id, type, createdAt: at, data: await data() });
      if (!(await insertEvent(trx, { id, type, reference: `${type}:${cause}`, body, createdAt: at }))) return;
      for (const endpointId of endpoints)
        await insertDelivery(trx, { id: randomId('dlv', 8), eventId: id, endpointId, at, giveUpAt: at + retryForMs });
    },
  };
}
