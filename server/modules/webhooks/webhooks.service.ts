/** For merchants: endpoints, their secrets, and deliveries. */
import { isIP } from 'node:net';
import { type Problem, type ProblemKey, problem } from '#contract/problems.ts';
import type { WebhookDocument } from '#contract/schemas/webhook.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Change, noteDocument } from '#server/modules/changes/index.ts';
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
      const { state } =
        (await findEndpoint(trx, delivery.endpointId)) ?? unknownEndpoint(delivery.endpointId);
      if (state !== 'active')
        throw new OperationError('error.webhook.inactive', { id: delivery.endpointId, state });
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
      change: Change,
      url: string,
      events: readonly WebhookEventType[],
    ): Promise<{ id: string; url: string; secret: string }> {
      const endpoint = {
        id: randomId('we', 8),
        url: parseEndpointUrl(url, allowPrivate),
        secret: createSecret(),
      };
      await insertNew(change, { ...endpoint, events: [...new Set(events)] }, now());
      await recordCatalogueChange(change.trx, [topics.webhookEndpoints]);
      change.note('webhook', endpoint.id);
      return endpoint;
    },

    list: (): Promise<WebhookEndpoint[]> => countedEndpoints(db),

    /** As people edit them, in the order in which they were added. */
    contents: async (reader: Reader = db.read): Promise<WebhookDocument[]> =>
      (await allEndpoints(reader)).map(contentOf),

    /** What is wrong with one, by the path in it. `others`: those that will be there besides. */
    urlProblems(
      { id, url }: Pick<WebhookDocument, 'id' | 'url'>,
      others: readonly WebhookDocument[],
    ): Problem[] {
      try {
        const address = parseEndpointUrl(url, allowPrivate);
        const isRepeated = others.some((each) => each.id !== id && each.url === address);
        return isRepeated ? [problem(['url'], 'problem.webhook.repeated')] : [];
      } catch (error) {
        const key = error instanceof OperationError ? urlProblem[error.key] : undefined;
        if (!(error instanceof OperationError) || !key) throw error;
        return [problem(['url'], key, error.values)];
      }
    },

    /** What is wrong with the endpoints of a file, by their places in it. */
    async problemsOf(contents: readonly WebhookDocument[]): Promise<Problem[]> {
      const all = new Map((await this.contents()).map((each) => [each.id, each]));
      return contents.flatMap((content) => {
        const own = this.urlProblems(content, [...all.values()]);
        all.set(content.id, own.length > 0 ? content : { ...content, url: this.urlOf(content.url) });
        return own.map((each) => ({ ...each, path: ['webhooks', content.id, ...each.path] }));
      });
    },

    /** Those that are new are paused: a copy of a shop does not send to what the shop sends to. @throws {OperationError} as `add` */
    async putAll(change: Change, contents: readonly WebhookDocument[]): Promise<void> {
      for (const content of contents) {
        const isNew = (await findEndpoint(change.trx, content.id)) === null;
        await this.put(change, { ...content, paused: content.paused || isNew });
      }
    },

    /** As it is stored. @throws {OperationError} for a URL that may not be an endpoint */
    urlOf: (text: string): string => parseEndpointUrl(text, allowPrivate),

    /** One that is not there yet is made, with a secret that nobody has seen. @throws {OperationError} as `add` */
    async put(change: Change, content: WebhookDocument): Promise<void> {
      const { trx } = change;
      const [{ id, events }, url] = [content, parseEndpointUrl(content.url, allowPrivate)];
      const before = await findEndpoint(trx, id);
      if (!before) await insertNew(change, { id, url, secret: createSecret(), events }, now());
      else if (before.url !== url || JSON.stringify(before.events) !== JSON.stringify(events))
        await updateEndpoint(trx, id, { url, events: JSON.stringify(events) });
      const state = content.paused ? 'paused' : 'active';
      if (content.paused !== (before !== null && contentOf(before).paused)) await setState(trx, id, state);
      if (before && !content.paused && contentOf(before).paused)
        await restartWaiting(trx, id, now(), now() + retryForMs);
      await recordCatalogueChange(trx, [topics.webhookEndpoints]);
      const after: WebhookDocument = { ...content, url };
      noteDocument(change, 'webhook', before && contentOf(before), after);
    },

    /** With its deliveries. @throws {OperationError} if there is none */
    async remove({ trx, note }: Change, id: string): Promise<void> {
      if (!(await deleteEndpoint(trx, id))) unknownEndpoint(id);
      note('webhook', id);
    },

    /** In the transaction of the caller, who notes it. With its deliveries. */
    async drop(trx: Trx, id: string): Promise<void> {
      await deleteEndpoint(trx, id);
    },

    /** Events go on being recorded, and wait. @throws {OperationError} if there is none */
    async pause(change: Change, id: string): Promise<void> {
      await setNoted(change, id, 'paused');
    },

    /** Begins with what waits. Returns how many deliveries wait. @throws {OperationError} if there is none */
    async resume(change: Change, id: string): Promise<number> {
      await setNoted(change, id, 'active');
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

    /** As `rotate` has made it, for whoever lost its answer. @throws {OperationError} if there is none */
    async secretOf(id: string): Promise<{ secret: string; previousUntil: number }> {
      const { secret, previousUntil } = (await findEndpoint(db.read, id)) ?? unknownEndpoint(id);
      if (previousUntil === null) throw new Error(`${id} has its first secret`);
      return { secret, previousUntil };
    },
  };
}

/** What commands say in a sentence, at the field of a form or a file. */
const urlProblem: Readonly<Record<string, ProblemKey>> = {
  'error.webhook.https': 'problem.webhook.https',
  'error.webhook.private': 'problem.webhook.private',
  'error.webhook.long': 'problem.webhook.long',
  'error.webhook.url': 'problem.webhook.url',
};

/** As people edit it. One that is gone is sent nothing, as if it were paused. */
const contentOf = ({ id, url, events, state }: EndpointRecord): WebhookDocument => ({
  id,
  url,
  events,
  paused: state !== 'active',
});

/** @throws {OperationError} if there are too many, or one of this URL */
async function insertNew(
  { trx }: Pick<Change, 'trx'>,
  endpoint: Pick<EndpointRecord, 'id' | 'url' | 'secret' | 'events'>,
  createdAt: number,
): Promise<void> {
  if ((await allEndpoints(trx)).length >= mostEndpoints)
    throw new OperationError('error.webhook.tooMany', { most: mostEndpoints });
  if (!(await insertEndpoint(trx, { ...endpoint, createdAt })))
    throw new OperationError('error.webhook.repeated', { url: endpoint.url });
}

const setState = (trx: Trx, id: string, state: 'active' | 'paused') =>
  updateEndpoint(trx, id, { state, ...(state === 'active' ? { failing_since: null } : {}) });

async function setNoted(change: Change, id: string, state: 'active' | 'paused'): Promise<void> {
  const before = (await findEndpoint(change.trx, id)) ?? unknownEndpoint(id);
  await setState(change.trx, id, state);
  const after = { ...before, state };
  if (contentOf(before).paused === contentOf(after).paused) change.note('webhook', id, []);
  else noteDocument(change, 'webhook', contentOf(before), contentOf(after));
}

async function countedEndpoints(db: Database): Promise<WebhookEndpoint[]> {
  const counts = await countDeliveries(db.read);
  const count = (id: string, states: readonly string[]) =>
    counts.reduce(
      (sum, each) => (each.endpointId === id && states.includes(each.state) ? sum + each.count : sum),
      0,
    );
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
