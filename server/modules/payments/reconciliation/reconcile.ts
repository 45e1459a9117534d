/** Settles what was left open: attempts whose answer was lost, refunds that are due, holds that have expired. */
import { type Attempts, type GivenUpAttempt, givenUp, givenUpWith, notSetUp } from '../attempts/attempts.ts';
import { attemptOf, holdMs, type Payables, type Payment, waitingHoldMs } from '../attempts/payment.ts';
import { AttemptUnknown, RefundRefused } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';
import type { RefundSender } from '../refunds/send-refund.ts';

/**
 * Queues questions to payment providers, one queue with time limits per provider, so that a slow or silent provider delays
 * neither the others nor the rest of the sweep.
 */
export interface QueueLimits {
  /** How long one question may take, ms. Longer than a provider's few calls of 10 s, whose answers may trickle in. */
  questionMs: number;
  /** No question to a provider starts later than this after its queue started, ms. */
  providerMs: number;
}

/** Together less than the minute between two sweeps. */
const queueLimits: QueueLimits = { questionMs: 25_000, providerMs: 25_000 };

interface Question {
  id: string;
  provider: string;
  ask(): Promise<void>;
}

type ProviderQueues = ReturnType<typeof createProviderQueues>;

/** Remembers between runs the questions still under way and when each was last asked. */
export function createProviderQueues({ questionMs, providerMs }: QueueLimits = queueLimits) {
  /** Questions that timed out: they still wait for their answer and are not asked a second time meanwhile. */
  const underWay = new Set<string>();
  let askedAt = new Map<string, number>();
  let count = 0;

  async function askOne({ id, provider, ask }: Question): Promise<void> {
    askedAt.set(id, ++count);
    underWay.add(id);
    const asking = ask().finally(() => underWay.delete(id));
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`${provider} did not answer within ${questionMs} ms`)), questionMs);
    await Promise.race([asking, late]).finally(() => clearTimeout(timer));
  }

  async function runQueue(questions: readonly Question[], failures: unknown[]): Promise<void> {
    const end = performance.now() + providerMs;
    const order = (question: Question) => askedAt.get(question.id) ?? 0;
    for (const question of questions.toSorted((a, b) => order(a) - order(b))) {
      if (performance.now() >= end) return;
      if (!underWay.has(question.id)) await askOne(question).catch((error: unknown) => void failures.push(error));
    }
  }

  return {
    /**
     * Asks one question at a time per provider, all providers in parallel; least recently asked questions come first. Questions cut
     * off by a time limit are asked the next time. Returns the errors and time-outs.
     */
    async run(questions: readonly Question[]): Promise<unknown[]> {
      const failures: unknown[] = [];
      const queues = Map.groupBy(questions, ({ provider }) => provider);
      await Promise.all([...queues.values()].map((each) => runQueue(each, failures)));
      const open = new Set(questions.map(({ id }) => id));
      askedAt = new Map([...askedAt].filter(([id]) => open.has(id)));
      return failures;
    },
  };
}

interface ReconciliationDeps {
  now: () => number;
  providers: PaymentRegistry;
  attempts: Attempts;
  refunds: RefundSender;
  payables: Payables;
}

/** An attempt younger than this may still be with a process that is asking the provider. */
const graceMs = 60_000;
/** An attempt that its provider does not know is given up when it is older than this. */
const goneMs = 24 * 60 * 60_000;

export interface ReconciliationResult {
  /** Orders placed by it. */
  placed: number;
  /** Attempts that failed. */
  ended: number;
  /** Attempts whose outcome is still unknown. */
  open: number;
  /** Of those that failed, the ones that their provider no longer knows. */
  givenUp: GivenUpAttempt[];
  refunded: number;
  /** Refunds that a provider refused for good. Each has alerted the merchant. */
  refused: number;
  /** Orders whose hold expired. */
  lapsed: number;
}

/** @throws {AggregateError} at the end, with every failure: one must not stop the others */
export async function reconcileAll(deps: ReconciliationDeps, queues: ProviderQueues): Promise<ReconciliationResult> {
  const { now, attempts, refunds, payables } = deps;
  const done: ReconciliationResult = { placed: 0, ended: 0, open: 0, givenUp: [], refunded: 0, refused: 0, lapsed: 0 };
  const undecided = await attempts.undecided();
  const askAll = undecided.map((payment) => ({
    id: payment.id,
    provider: payment.provider,
    ask: async () => {
      const left = await reconcilePayment(deps, payment, done);
      if (left !== 'open') done[left] += 1;
    },
  }));
  const sendAll = (await refunds.due()).map((due) => ({
    id: due.refund.id,
    provider: due.payment.provider,
    ask: async () => {
      const given = await refunds.send(due).catch((error: unknown) => {
        if (!(error instanceof RefundRefused)) throw error;
        done.refused += 1;
      });
      if (given) done.refunded += 1;
    },
  }));
  const failures = await queues.run([...askAll, ...sendAll]);
  done.open = undecided.length - done.placed - done.ended;
  const young = undecided.filter(({ createdAt }) => now() - createdAt < graceMs);
  done.lapsed += await payables.expireAll(new Set(young.map(({ orderId }) => orderId)));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} payments could not be settled: ${failures.map(messageOf).join('; ')}`);
  return done;
}

function waitedTooLong({ now, providers }: ReconciliationDeps, { provider, waitsSince }: Payment): boolean {
  // An attempt whose stock is taken when the customer agrees holds nothing.
  const holds = providers.find(provider)?.holdsAtApproval !== true;
  return holds && waitsSince !== null && now() - waitsSince >= waitingHoldMs;
}

/** Settles an attempt. One that is given up is added to `done`. */
async function reconcilePayment(
  deps: ReconciliationDeps,
  payment: Payment,
  done: ReconciliationResult,
): Promise<'placed' | 'ended' | 'open'> {
  const { now, attempts, providers, payables } = deps;
  const age = now() - payment.createdAt;
  if (!providers.find(payment.provider)) {
    // Another process may have it set up: during an update, when a provider is added.
    if (payment.state === 'pending' && age < holdMs) return 'open';
    await giveUp(deps, payment, notSetUp(payment), done);
    return 'ended';
  }
  // Its time is over: a later action of the customer must not take money.
  const over = payment.state === 'lapsed' || age >= holdMs || waitedTooLong(deps, payment);
  if (!over) {
    const { outcome, orderID } = await attempts.ask(payment);
    if (orderID) return 'placed';
    if (outcome.state === 'failed' && outcome.unknownAttempt) done.givenUp.push(givenUp(payment, outcome.unknownAttempt));
    if (outcome.state === 'action') return 'open';
    if (outcome.state !== 'undecided') return 'ended';
    if (age < graceMs) return 'open';
  }
  try {
    return (await attempts.end(payment)) ? 'placed' : 'ended';
  } catch {
    // Some attempts hold nothing, so no hold ends them, and their carts must not wait for an unreachable provider.
    if (payment.state === 'pending' && age >= holdMs && (await payables.expire(payment.orderId))) done.lapsed += 1;
    // The provider cannot be reached; it is asked again the next time, unless it no longer knows the attempt.
    const reason = age >= goneMs ? await whyGone(deps, payment) : null;
    if (reason === null) return 'open';
    await giveUp(deps, payment, reason, done);
    return 'ended';
  }
}

/** Why the outcome of an attempt can no longer be determined; null if it still may be. */
async function whyGone({ providers }: ReconciliationDeps, payment: Payment): Promise<string | null> {
  try {
    await providers.find(payment.provider)?.complete(attemptOf(payment));
    return null;
  } catch (error) {
    return error instanceof AttemptUnknown ? error.message : null;
  }
}

/** A later webhook about it still asks the provider once more, so that money that appears after all is refunded. */
async function giveUp(
  { attempts }: ReconciliationDeps,
  payment: Payment,
  reason: string,
  done: ReconciliationResult,
): Promise<void> {
  await attempts.settle(payment, givenUpWith(reason));
  done.givenUp.push(givenUp(payment, reason));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
