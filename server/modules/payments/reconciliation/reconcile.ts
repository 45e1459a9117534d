/**
 * Settles what was left open: attempts whose answer was lost, refunds that are due, holds that have expired. Finds money that no
 * order accounts for.
 */
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Database } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import { type Attempts, type GivenUpAttempt, givenUp, givenUpWith, notSetUp } from '../attempts/attempts.ts';
import type { PaymentChecks } from '../disputes/check-payments.ts';
import { refundsAtProvider } from '../payment/activity.repository.ts';
import { attemptOf, holdMs, type Payables, type Payment, waitingHoldMs } from '../payment/payment.ts';
import { paymentsKept } from '../payment/payments.repository.ts';
import {
  AttemptUnknown,
  type ListedPayment,
  type PaymentProvider,
  RefundRefused,
  type WebhookSubject,
} from '../providers/provider.ts';
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
    const timer = setTimeout(
      () => reject(new Error(`${provider} did not answer within ${questionMs} ms`)),
      questionMs,
    );
    await Promise.race([asking, late]).finally(() => clearTimeout(timer));
  }

  async function runQueue(questions: readonly Question[], failures: unknown[]): Promise<void> {
    const end = performance.now() + providerMs;
    const order = (question: Question) => askedAt.get(question.id) ?? 0;
    for (const question of questions.toSorted((a, b) => order(a) - order(b))) {
      if (performance.now() >= end) return;
      if (!underWay.has(question.id))
        await askOne(question).catch((error: unknown) => void failures.push(error));
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
export async function reconcileAll(
  deps: ReconciliationDeps,
  queues: ProviderQueues,
): Promise<ReconciliationResult> {
  const { now, attempts, refunds, payables } = deps;
  const done: ReconciliationResult = {
    placed: 0,
    ended: 0,
    open: 0,
    givenUp: [],
    refunded: 0,
    refused: 0,
    lapsed: 0,
  };
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
    throw new AggregateError(
      failures,
      `${failures.length} payments could not be settled: ${failures.map(messageOf).join('; ')}`,
    );
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
    if (outcome.state === 'failed' && outcome.unknownAttempt)
      done.givenUp.push(givenUp(payment, outcome.unknownAttempt));
    if (outcome.state === 'action') return 'open';
    if (outcome.state !== 'undecided') return 'ended';
    if (age < graceMs) return 'open';
  }
  try {
    return (await attempts.end(payment)) ? 'placed' : 'ended';
  } catch {
    // Some attempts hold nothing, so no hold ends them, and their carts must not wait for an unreachable provider.
    if (payment.state === 'pending' && age >= holdMs && (await payables.expire(payment.orderId)))
      done.lapsed += 1;
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

export interface UnknownMoneyDeps {
  db: Database;
  alerts: AlertsService;
}

/** References of the shop's own attempts; a provider's account may serve other systems too. */
const ownReference = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Alerts the merchant to a signed report of money whose payment the database does not know; once for each payment. */
export async function reportUnknownMoney(
  { db, alerts }: UnknownMoneyDeps,
  provider: string,
  { reference, money }: WebhookSubject,
): Promise<void> {
  if (!money || !ownReference.test(reference)) return;
  const values = { provider, amount: formatMerchantMoney(money.amount, money.currency), payment: reference };
  await db.transaction((trx) =>
    alerts.raiseOnce(trx, { kind: 'unknownPayment', values, reference: `${provider}:${reference}` }),
  );
}

/**
 * - `noOrder`: the provider has money that no order accounts for.
 * - `amount`: amount or currency differ.
 * - `refunds`: the provider has refunded another amount than the shop has booked.
 * - `notTaken`: the shop counts a payment as paid whose money the provider does not have.
 */
export interface MoneyFinding {
  kind: 'noOrder' | 'amount' | 'refunds' | 'notTaken';
  provider: string;
  /** Null if the provider lists no such money. */
  taken: ListedPayment | null;
  /** Null if no order accounts for the money. */
  payment: Payment | null;
}

export interface MoneyComparison {
  findings: MoneyFinding[];
  /** By provider: how many payments were compared, or why they could not be. */
  compared: { provider: string; count: number; problem: string | null }[];
}

interface ComparisonDeps {
  db: Database;
  providers: PaymentRegistry;
  attempts: Attempts;
  checks: Pick<PaymentChecks, 'check'>;
}

/**
 * Compares the payments that each provider has taken since a time (epoch ms) with those of the database, and those of the database
 * with the provider's. A payment that the database has as open or failed is settled first, which places its order or refunds it;
 * of one that differs, what the provider reports is recorded first.
 */
export async function compareMoney(deps: ComparisonDeps, since: number): Promise<MoneyComparison> {
  const done: MoneyComparison = { findings: [], compared: [] };
  for (const provider of deps.providers.all()) {
    const { name } = provider;
    try {
      if (!provider.takenSince) throw new Error('its payments cannot be listed');
      const listed = await provider.takenSince(since);
      for (const taken of listed) {
        const found = await findDifference(deps, provider, taken);
        if (found) done.findings.push({ provider: name, taken, ...found });
      }
      const references = new Set(listed.map(({ reference }) => reference));
      const missing = (await paymentsKept(deps.db.read, name, since)).filter(
        ({ reference }) => !references.has(reference),
      );
      for (const payment of missing)
        if (!(await isTaken(deps, provider, payment)))
          done.findings.push({ kind: 'notTaken', provider: name, taken: null, payment });
      done.compared.push({ provider: name, count: listed.length + missing.length, problem: null });
    } catch (error) {
      done.compared.push({ provider: name, count: 0, problem: messageOf(error) });
    }
  }
  return done;
}

/** Null if the books agree. */
async function findDifference(
  { db, attempts, checks }: ComparisonDeps,
  provider: PaymentProvider,
  { reference, amount, currency, refunded }: ListedPayment,
): Promise<Pick<MoneyFinding, 'kind' | 'payment'> | null> {
  const find = () => attempts.find(provider.name, reference);
  let payment = await find();
  if (payment && isUnpaid(payment)) {
    await attempts.ask(payment);
    payment = await find();
  }
  if (!payment || isUnpaid(payment)) return refunded >= amount ? null : { kind: 'noOrder', payment: null };
  if (payment.amount !== amount || payment.currency !== currency) return { kind: 'amount', payment };
  const agrees = async ({ id }: Payment, back: number) => {
    const { sent, waiting } = await refundsAtProvider(db.read, id);
    return back >= sent && back <= sent + waiting;
  };
  if (await agrees(payment, refunded)) return null;
  // The list may be older than the shop's last refund.
  await checks.check(payment);
  const refunds = (await provider.activity?.(attemptOf(payment)))?.refunds;
  if (refunds instanceof Error) throw refunds;
  const back =
    refunds?.reduce((sum, { state, amount: part }) => sum + (state === 'given' ? part : 0), 0) ?? refunded;
  return (await agrees(payment, back)) ? null : { kind: 'refunds', payment };
}

/** Whether the provider still says so of a payment that it did not list: lists may lag behind. */
async function isTaken(
  { attempts, checks }: ComparisonDeps,
  provider: PaymentProvider,
  asked: Payment,
): Promise<boolean> {
  await checks.check(asked);
  const payment = await attempts.find(asked.provider, asked.reference);
  // All of it was refunded meanwhile, and with it what the provider had.
  if (payment?.state === 'succeeded' && payment.refunded >= payment.amount) return true;
  if (payment?.state !== 'succeeded') return false;
  const outcome = await provider.complete(attemptOf(payment)).catch((error: unknown) => {
    if (error instanceof AttemptUnknown) return null;
    throw error;
  });
  // Money that is still on its way is no difference.
  return outcome?.state === 'succeeded' || outcome?.state === 'undecided';
}

const isUnpaid = ({ state }: Payment) => state === 'pending' || state === 'lapsed' || state === 'failed';
