/** For merchants: endpoints, their secrets, and deliveries. */
import { isIP } from 'node:net';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { isPublicAddress, SafeFetchError, validateUrl } from '#server/platform/safe-fetch/pinned-request.ts';
import type { SafePost } from '#server/platform/safe-fetch/safe-fetch.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import type { WebhookEventType } from './event-types.ts';
import { randomId, retryForMs } from './events.service.ts';
import { type AttemptResult, attemptDelivery, createSecret, isAccepted } from './sender.ts';
import {
  allEndpoints,
  countDeliveries,
  type DeliveryFilter,
  type DeliveryRecord,
  deleteEndpoint,
  type EndpointRecord,
  findEndpoint,
  insertEndpoint,
  listDeliveries,
  restartDelivery,
  restartWaiting,
  updateEndpoint,
} from './webhooks.repository.ts';

/** With its deliveries counted. The secret is shown once, when it is made. */
export interface WebhookEndpoint extends Omit<EndpointRecord, 'secret' | 'previousSecret'> {
  waiting: number;
  delivered: number;
  failed: number;
}

export interface WebhooksDeps {
  db: Database;
  now: () => number;
  post: SafePost;
  /** And plain http. */
  allowPrivate: boolean;
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;

const mostEndpoints = 20;
const longestUrl = 1000;
/** Before an endpoint is a problem. */
const failingMs = 6 * hourMs;
/** After a rotation, the previous secret signs as well. */
const rotationMs = dayMs;

export function createWebhooksService(deps: WebhooksDeps) {
  const { db, now } = deps;

  async function find(id: string): Promise<EndpointRecord> {
    return (await findEndpoint(db.read, id)) ?? unknownEndpoint(id);
  }

  return {
    ...createEndpointOperations(deps),

    /** A signed message of type `webhook.test`, whatever the endpoint's state. Nothing is stored, and nothing repeated. */
    async test(id: string): Promise<AttemptResult & { accepted: boolean }> {
      const endpoint = await find(id);
      const [messageId, at] = [randomId('evt'), now()];
      const body = JSON.stringify({ id: messageId, type: 'webhook.test', createdAt: at, data: {} });
      const result = await attemptDelivery(deps.post, endpoint, { id: messageId, body, at });
      return { ...result, accepted: isAccepted(result) };
    },

    /** Newest first. @throws {OperationError} for an unknown endpoint */
    async deliveries(filter: DeliveryFilter): Promise<DeliveryRecord[]> {
      if (filter.endpointId !== undefined) await find(filter.endpointId);
      return listDeliveries(db.read, filter);
    },

    /** Under the same id, with as many attempts as a new one. @throws {OperationError} if it cannot be received */
    async resend({ trx, note }: Change, id: string): Promise<DeliveryRecord> {
      const [delivery] = await listDeliveries(trx, { id, most: 1 });
      if (!delivery) throw new OperationError('error.webhook.delivery', { id });
      const { state } = (await findEndpoint(trx, delivery.endpointId)) ?? unknownEndpoint(delivery.endpointId);
      if (state !== 'active') throw new OperationError('error.webhook.inactive', { id: delivery.endpointId, state });
      const isQueued = delivery.state === 'waiting' && delivery.attempts === 0 && delivery.dueAt <= now();
      if (!isQueued) await restartDelivery(trx, id, now(), now() + retryForMs);
      note('webhookDelivery', id, isQueued ? [] : undefined);
      return delivery;
    },
  };
}

function createEndpointOperations({ db, now, allowPrivate }: WebhooksDeps) {
  return {
    /** The secret is not shown again. @throws {OperationError} for a URL that is not allowed or exists */
    async add(
      { trx, note }: Change,
      url: string,
      events: readonly WebhookEventType[],
    ): Promise<{ id: string; url: string; secret: string }> {
      const endpoint = { id: randomId('we', 8), url: parseEndpointUrl(url, allowPrivate), secret: createSecret() };
      if ((await allEndpoints(trx)).length >= mostEndpoints)
        throw new OperationError('error.webhook.tooMany', { most: mostEndpoints });
      if (!(await insertEndpoint(trx, { ...endpoint, events: [...new Set(events)], createdAt: now() })))
        throw new OperationError('error.webhook.repeated', { url: endpoint.url });
      await recordCatalogueChange(trx, [topics.webhookEndpoints]);
      note('webhook', endpoint.id);
      return endpoint;
    },

    list: (): Promise<WebhookEndpoint[]> => countedEndpoints(db),

    /** With its deliveries. @throws {OperationError} if there is none */
    async remove({ trx, note }: Change, id: string): Promise<void> {
      if (!(await deleteEndpoint(trx, id))) unknownEndpoint(id);
      note('webhook', id);
    },

    /** Events go on being recorded, and wait. @throws {OperationError} if there is none */
    async pause(change: Change, id: string): Promise<void> {
      await setState(change, id, 'paused');
    },

    /** Begins with what waits. Returns how many deliveries wait. @throws {OperationError} if there is none */
    async resume(change: Change, id: string): Promise<number> {
      await setState(change, id, 'active');
      await recordCatalogueChange(change.trx, [topics.webhookEndpoints]);
      return restartWaiting(change.trx, id, now(), now() + retryForMs);
    },

    /**
     * Not shown again. Messages are signed with the previous one as well for 24 hours. @throws {OperationError} if there is none
     */
    async rotate({ trx, note }: Change, id: string): Promise<{ secret: string; previousUntil: number }> {
      const secret = createSecret();
      const previousUntil = now() + rotationMs;
      const { secret: previous } = (await findEndpoint(trx, id)) ?? unknownEndpoint(id);
      await updateEndpoint(trx, id, { secret, previous_secret: previous, previous_until: previousUntil });
      note('webhook', id, [{ field: 'secret' }]);
      return { secret, previousUntil };
    },
  };
}

async function setState({ trx, note }: Change, id: string, state: 'active' | 'paused'): Promise<void> {
  const before = (await findEndpoint(trx, id)) ?? unknownEndpoint(id);
  await updateEndpoint(trx, id, { state, ...(state === 'active' ? { failing_since: null } : {}) });
  note('webhook', id, before.state === state ? [] : [{ field: 'state', from: before.state, to: state }]);
}

async function countedEndpoints(db: Database): Promise<WebhookEndpoint[]> {
  const counts = await countDeliveries(db.read);
  const count = (id: string, states: readonly string[]) =>
    counts.reduce((sum, each) => (each.endpointId === id && states.includes(each.state) ? sum + each.count : sum), 0);
  return (await allEndpoints(db.read)).map(({ secret: _, previousSecret: __, ...endpoint }) => ({
    ...endpoint,
    waiting: count(endpoint.id, ['waiting', 'sending']),
    delivered: count(endpoint.id, ['delivered']),
    failed: count(endpoint.id, ['failed']),
  }));
}

function unknownEndpoint(id: string): never {
  throw new OperationError('error.webhook.unknown', { id });
}

export interface WebhookProblem extends Pick<EndpointRecord, 'id' | 'url' | 'state' | 'failingSince'> {
  failed: number;
}

/** Disabled because they are gone, or failing for six hours. */
export async function webhookProblems(db: Database, now: number): Promise<WebhookProblem[]> {
  return (await countedEndpoints(db)).filter(({ state, failingSince }) => {
    const fails = state === 'active' && failingSince !== null && failingSince <= now - failingMs;
    return state === 'gone' || fails;
  });
}

/** Names are resolved at each attempt, not here. @throws {OperationError} if the URL may not be an endpoint */
function parseEndpointUrl(text: string, allowPrivate: boolean): string {
  const url = parseUrl(text, allowPrivate);
  if (!allowPrivate && url.protocol !== 'https:') throw new OperationError('error.webhook.https');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && (host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host))))
    throw new OperationError('error.webhook.private');
  url.hash = '';
  if (url.href.length > longestUrl) throw new OperationError('error.webhook.long', { most: longestUrl });
  return url.href;
}

function parseUrl(text: string, anyPort: boolean): URL {
  try {
    return validateUrl(text, { anyPort });
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    throw new OperationError('error.webhook.url');
  }
}
