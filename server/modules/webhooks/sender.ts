/**
 * Sends the deliveries that are due. Each endpoint has a lane of its own, so that one that is slow or away holds up no other.
 * Several processes may send: a delivery is claimed by a conditional update before an attempt, and its result is written after.
 * If a process dies between the two, the delivery is sent again with the same id once its claim has expired.
 */
import type { Database, Trx } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import type { SafePost } from '#server/platform/safe-fetch/safe-post.ts';
import { type AttemptResult, attemptDelivery, attemptTimeoutMs, isAccepted } from './attempt.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  deliveriesDue,
  endClaim,
  endpointsDue,
  failOpenDeliveries,
} from './deliveries.repository.ts';
import { type EndpointRecord, findEndpoint, noteFailing, noteWorking, updateEndpoint } from './endpoints.repository.ts';
import { retryPauseMs } from './retry.ts';

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

export type WebhookSender = ReturnType<typeof createWebhookSender>;

export interface WebhookSenderDeps {
  db: Database;
  now: () => number;
  post: SafePost;
  alerts: AlertsService;
  report?: ((failure: WebhookFailure) => void) | undefined;
  /** From 0 to 1. */
  random?: () => number;
}

/** Longer than any attempt takes, so that only a dead process loses its claim. */
const claimMs = 4 * attemptTimeoutMs;
/** Attempts at once to one endpoint. */
const atOnce = 4;
const gone = 410;

export function createWebhookSender(deps: WebhookSenderDeps) {
  const { db, now } = deps;
  const lanes = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const errors: unknown[] = [];

  async function runLane(endpointId: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const due = await deliveriesDue(db.read, endpointId, now(), atOnce);
      if (due.length === 0) return;
      const ends = await Promise.allSettled(due.map((id) => sendDelivery(deps, id, stopping.signal)));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    }
  }

  async function start(): Promise<void> {
    for (const id of await endpointsDue(db.read, now())) {
      if (lanes.has(id) || stopping.signal.aborted) continue;
      const lane = runLane(id)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => lanes.delete(id));
      lanes.set(id, lane);
    }
    if (errors.length > 0) throw errors.splice(0)[0];
  }

  return {
    /**
     * Starts a lane for each endpoint that has deliveries due, and returns without waiting for them.
     * @throws the error of a lane that ended since the last call, such as a database that is away
     */
    start,
    /** Sends what is due, and what becomes due meanwhile. */
    async run(): Promise<void> {
      await start();
      await Promise.all(lanes.values());
      if (errors.length > 0) throw errors.splice(0)[0];
    },
    /** Ends the attempts under way; they are repeated by the next process. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(lanes.values());
    },
  };
}

async function sendDelivery(deps: WebhookSenderDeps, id: string, stopping: AbortSignal): Promise<void> {
  const { db, now, post } = deps;
  const at = now();
  const claimed = await db.transaction(async (trx) => {
    const delivery = await claimDelivery(trx, id, at, at + claimMs);
    const endpoint = delivery && (await findEndpoint(trx, delivery.endpointId));
    return delivery && endpoint ? { delivery, endpoint } : null;
  });
  if (!claimed) return;
  const { delivery, endpoint } = claimed;
  const message = { id: delivery.eventId, body: delivery.body };
  const result = await attemptDelivery(post, endpoint, message, at, stopping);
  // An attempt that the end of the process interrupted says nothing about the endpoint.
  if (stopping.aborted && result.status === null) await db.transaction((trx) => release(trx, delivery, at));
  else await recordResult(deps, delivery, endpoint, result);
}

function release(trx: Trx, delivery: ClaimedDelivery, at: number): Promise<boolean> {
  return endClaim(trx, delivery, { state: 'waiting', due_at: at, attempts: delivery.attempts - 1 });
}

/** Writes the result of an attempt: delivered, to be repeated, given up, or the endpoint is gone. */
async function recordResult(
  { db, now, alerts, report, random = Math.random }: WebhookSenderDeps,
  delivery: ClaimedDelivery,
  endpoint: EndpointRecord,
  result: AttemptResult,
): Promise<void> {
  const at = now();
  const { answer, retryAfter } = result;
  if (isAccepted(result)) {
    await db.transaction(async (trx) => {
      if (await endClaim(trx, delivery, { state: 'delivered', answer })) await noteWorking(trx, endpoint.id);
    });
    return;
  }
  const isGone = result.status === gone;
  const isOver = isGone || at >= delivery.giveUpAt;
  const dueAt = Math.min(at + retryPauseMs(delivery.attempts, random(), retryAfter), delivery.giveUpAt);
  await db.transaction(async (trx) => {
    const end = isOver ? ({ state: 'failed', answer } as const) : ({ state: 'waiting', due_at: dueAt, answer } as const);
    if (!(await endClaim(trx, delivery, end))) return;
    await noteFailing(trx, endpoint.id, at);
    if (isGone) await disableEndpoint(trx, alerts, endpoint, at);
    else if (isOver) await alertGivenUp(trx, alerts, endpoint, delivery, at);
  });
  const { id, endpointId, type, attempts } = delivery;
  const problem = result.status === null ? answer : `status ${result.status}`;
  report?.({ level: isOver ? 'error' : 'warn', delivery: id, endpoint: endpointId, type, attempts, problem });
}

async function disableEndpoint(trx: Trx, alerts: AlertsService, { id, url }: EndpointRecord, at: number): Promise<void> {
  if (!(await updateEndpoint(trx, id, { state: 'gone' }))) return;
  await failOpenDeliveries(trx, id, 'the endpoint answered 410 Gone');
  await alerts.raise(trx, { kind: 'webhookGone', values: { endpoint: id, host: hostOf(url) }, reference: `${id}:${at}` });
}

/** At most one email for an endpoint and day: an endpoint that is away for long fails many deliveries. */
function alertGivenUp(
  trx: Trx,
  alerts: AlertsService,
  { id, url }: EndpointRecord,
  { type }: ClaimedDelivery,
  at: number,
): Promise<void> {
  const values = { endpoint: id, host: hostOf(url), event: type };
  return alerts.raise(trx, { kind: 'webhookGivenUp', values, reference: `${id}:${Math.floor(at / dayMs)}` });
}

/** Alerts are logged, and the path of a URL may contain a secret. */
function hostOf(url: string): string {
  return new URL(url).host;
}
