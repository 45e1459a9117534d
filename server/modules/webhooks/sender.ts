/** And decides when deliveries are repeated or given up. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Database, Trx } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import type { Delivery, Outcome, Sender } from '#server/platform/deliveries/delivery-queue.ts';
import type { SafePost } from '#server/platform/safe-fetch/safe-fetch.ts';
import { dayMs, hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { isAgentEndpoint, type WebhookEvents } from './events.service.ts';
import {
  type EndpointRecord,
  failOpenDeliveries,
  findEndpoint,
  noteFailing,
  noteWorking,
  updateEndpoint,
} from './webhooks.repository.ts';

export interface WebhookFailure {
  /** 'warn': it will be retried. 'error': it was given up, or its endpoint disabled. */
  level: 'warn' | 'error';
  delivery: string;
  endpoint: string;
  type: string;
  attempts: number;
  /** A status or a code, without the answer's text. */
  problem: string;
}

interface WebhookSenderDeps {
  db: Database;
  now: () => number;
  post: SafePost;
  alerts: AlertsService;
  agentMessage: WebhookEvents['agentMessage'];
  report?: ((failure: WebhookFailure) => void) | undefined;
}

const pausesMs = [
  5000,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  12 * hourMs,
] as const;
const longestPauseMs = 12 * hourMs;
/** Pauses differ by up to this share, so that deliveries that failed together are not repeated together. */
const jitter = 0.2;
const gone = 410;

/** `random` is 0 to 1. A Retry-After header with a number of seconds makes the pause at least that long. */
export function retryPauseMs(attempts: number, random: number, retryAfter?: string): number {
  const pause = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? pausesMs[0];
  const asked = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : 0;
  return Math.round(Math.max(pause * (1 - jitter + 2 * jitter * random), Math.min(asked, longestPauseMs)));
}

export function createWebhookSender({
  db,
  now,
  post,
  alerts,
  agentMessage,
  report,
}: WebhookSenderDeps): Sender {
  function outcomeOf(delivery: Delivery, endpoint: EndpointRecord, result: AttemptResult): Outcome {
    const at = now();
    const { answer, status, retryAfter } = result;
    if (isAccepted(result))
      return { change: { state: 'delivered', answer }, record: (trx) => noteWorking(trx, endpoint.id) };
    const giveUpAt = delivery.give_up_at ?? 0;
    const isGone = status === gone;
    const isOver = isGone || at >= giveUpAt;
    const dueAt = Math.min(at + retryPauseMs(delivery.attempts, Math.random(), retryAfter), giveUpAt);
    const { id, kind: type, attempts } = delivery;
    const problem = status === null ? answer : `status ${status}`;
    report?.({
      level: isOver ? 'error' : 'warn',
      delivery: id,
      endpoint: endpoint.id,
      type,
      attempts,
      problem,
    });
    return {
      change: isOver ? { state: 'failed', answer } : { state: 'waiting', due_at: dueAt, answer },
      async record(trx) {
        await noteFailing(trx, endpoint.id, at);
        if (isGone) await disableEndpoint(trx, endpoint, at);
        // The merchant has no part in the endpoints of agents.
        else if (isOver && !isAgentEndpoint(endpoint.id)) {
          const values = { endpoint: endpoint.id, host: hostOf(endpoint.url), event: type };
          // At most one email for an endpoint and day: an endpoint that is away for long fails many deliveries.
          await alerts.raise(trx, {
            kind: 'webhookGivenUp',
            values,
            reference: `${endpoint.id}:${Math.floor(at / dayMs)}`,
          });
        }
      },
    };
  }

  async function disableEndpoint(trx: Trx, { id, url }: EndpointRecord, at: number): Promise<void> {
    if (!(await updateEndpoint(trx, id, { state: 'gone' }))) return;
    await failOpenDeliveries(trx, id, 'the endpoint answered 410 Gone');
    if (!isAgentEndpoint(id))
      await alerts.raise(trx, {
        kind: 'webhookGone',
        values: { endpoint: id, host: hostOf(url) },
        reference: `${id}:${at}`,
      });
  }

  return {
    atOnce: 4,
    claimMs: 4 * attemptTimeoutMs,
    async send(delivery, stopping) {
      const endpoint = await findEndpoint(db.read, delivery.endpoint_id ?? '');
      if (!endpoint) return { change: null };
      const at = now();
      const signed = isAgentEndpoint(endpoint.id)
        ? await agentMessage(delivery)
        : { body: delivery.body, headers: undefined };
      if (!signed) return { change: null };
      const message = { id: delivery.event_id ?? '', ...signed, at, signal: stopping };
      const result = await attemptDelivery(post, endpoint, message);
      // An attempt that the end of the process interrupted says nothing about the endpoint.
      if (stopping.aborted && result.status === null)
        return { change: { state: 'waiting', due_at: at, attempts: delivery.attempts - 1 } };
      return outcomeOf(delivery, endpoint, result);
    },
  };
}

/** Alerts are logged, and the path of a URL may contain a secret. */
function hostOf(url: string): string {
  return new URL(url).host;
}

/** Standard Webhooks (https://www.standardwebhooks.com), version 1, recommends 15 to 30 s. */
const attemptTimeoutMs = 15_000;
/** Of an answer's body. */
const answerBytes = 1000;
/** In characters. */
const answerLength = 200;

const prefix = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const keyBytes = 32;

interface Message {
  id: string;
  body: string;
  at: number;
  /** Of a message that is signed already. */
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal;
}

export interface AttemptResult {
  status: number | null;
  /** Such as `200` or `500 database is locked`, or why no response arrived. */
  answer: string;
  retryAfter?: string | undefined;
}

/** Redirects are not followed and count as failures. */
export function isAccepted({ status }: AttemptResult): boolean {
  return status !== null && status >= 200 && status < 300;
}

export async function attemptDelivery(
  post: SafePost,
  endpoint: Pick<EndpointRecord, 'url' | 'secret' | 'previousSecret' | 'previousUntil'>,
  { id, body, at, headers: ready, signal }: Message,
): Promise<AttemptResult> {
  const { url, secret, previousSecret, previousUntil } = endpoint;
  const secrets = previousSecret !== null && (previousUntil ?? 0) > at ? [secret, previousSecret] : [secret];
  const headers = ready ?? signedHeaders({ id, body, at }, secrets);
  try {
    const limits = { timeoutMs: attemptTimeoutMs, maxBytes: answerBytes, ...(signal ? { signal } : {}) };
    const response = await post({ url, headers, body, ...limits });
    return {
      status: response.status,
      answer: answerOf(response),
      retryAfter: response.headers['retry-after'],
    };
  } catch (error) {
    return { status: null, answer: error instanceof Error ? error.message : String(error) };
  }
}

function answerOf({ status, text }: { status: number; text: string }): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return `${status} ${line}`.slice(0, answerLength).trim();
}

/** `whsec_` and the key in base64. */
export function createSecret(): string {
  return prefix + randomBytes(keyBytes).toString('base64');
}

/** Signed with each of several secrets, so that receivers accept the message before and after a rotation. */
function signedHeaders({ id, body, at }: Message, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
