/**
 * Attempts to pay: found, asked about at their providers, ended, and settled by what a provider answers, whether the customer's
 * request, a webhook, reconciliation or a return to the cart asked for it. It is the only path from a payment to an order.
 */
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Database, Trx } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { Counter, type MetricSource } from '#server/platform/telemetry/metric.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { planCheck } from '../payment/activity.repository.ts';
import { attemptOf, type Payables, type Payment, waitingHoldMs } from '../payment/payment.ts';
import {
  countOpenPayments,
  deleteFailedPayments,
  findPayment,
  findPaymentByProviderId,
  findPaymentOf,
  type OpenPayments,
  paymentsFailedBy,
  paymentsIn,
  paymentsOf,
  saveWaitingSince,
  transitionPayment,
} from '../payment/payments.repository.ts';
import { forgetDecisions } from '../providers/decisions.ts';
import { attemptUnknown, type PaymentOutcome, type PaymentProvider } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';
import type { RefundSender } from '../refunds/send-refund.ts';

/** A payment is pending for the cart, so the cart cannot be changed until the payment has ended. */
export class PaymentInProgress extends AppError {
  constructor() {
    super('CONFLICT', { errorKey: 'payment.inProgress' });
  }
}

/** Older ones have been handled, or never will be. */
const givenUpShownMs = 30 * dayMs;
/** How long a failed attempt is stored, so that support can look it up, ms. */
const failedKeptMs = 30 * dayMs;
const deletedAtOnce = 500;

export interface SettledAnswer {
  outcome: PaymentOutcome;
  orderID: string | null;
  /** Why the attempt failed without a charge: its stock was gone when the customer agreed. Null otherwise. */
  soldOut: AppError | null;
}

interface AttemptsDeps {
  db: Database;
  now: () => number;
  providers: PaymentRegistry;
  payables: Payables;
  refunds: RefundSender;
  failureAlerts: FailureAlerts;
  metrics: AttemptMetrics;
}

export type Attempts = ReturnType<typeof createAttempts>;

export const undecided = (): PaymentOutcome => ({ state: 'undecided' });

/** The outcome of an attempt whose outcome can no longer be determined. */
export const givenUpWith = (reason: string): PaymentOutcome => ({
  state: 'failed',
  failure: attemptUnknown,
  unknownAttempt: reason,
});

export const notSetUp = ({ provider }: Payment) => `${provider} is no longer set up`;

/** Attempts of the last 30 days that were ended because their provider no longer knew them, oldest first. */
export function attemptsGivenUp({ read }: Database, now: number): Promise<Payment[]> {
  return paymentsFailedBy(read, attemptUnknown.errorKey, now - givenUpShownMs);
}

export function createAttempts(deps: AttemptsDeps) {
  const { db, now, providers } = deps;

  return {
    /** Finds an attempt by the provider's name and the shop's own reference; null if it is unknown. */
    find: (provider: string, reference: string): Promise<Payment | null> =>
      findPayment(db.read, provider, reference),
    findByProviderId: (provider: string, providerId: string): Promise<Payment | null> =>
      findPaymentByProviderId(db.read, provider, providerId),
    /** The newest payment of an order; null if nothing was paid. */
    succeededOf: (orderId: string): Promise<Payment | null> => findPaymentOf(db.read, orderId, 'succeeded'),
    /** Attempts with an unknown outcome, including those of expired orders, oldest first. */
    undecided: (): Promise<Payment[]> => paymentsIn(db.read, 'pending', 'lapsed'),
    of: (orderId: string): Promise<Payment[]> => paymentsOf(db.read, orderId),

    /** Records a provider's answer about an attempt. Returns the id of the order it placed, null if it placed none. */
    settle: (payment: Payment, outcome: PaymentOutcome): Promise<string | null> =>
      settle(deps, payment, outcome),

    /** Asks the provider (`PaymentProvider.complete`) and settles the outcome: undecided if the provider cannot be reached. */
    async ask(payment: Payment, shopperActed?: boolean): Promise<SettledAnswer> {
      const { outcome, soldOut } = await completeAtProvider(deps, payment, shopperActed);
      return { outcome, orderID: await settle(deps, payment, outcome), soldOut };
    },

    /**
     * Ends an attempt at its provider, and settles it. Returns the id of its order if it was too late to end it. If the provider
     * is no longer set up, the attempt is given up.
     * @throws {PaymentInProgress} if the provider cannot be reached: the attempt stands
     */
    async end(payment: Payment): Promise<string | null> {
      const outcome = providers.find(payment.provider)
        ? await askProvider(deps, payment, (provider) => provider.cancel(attemptOf(payment)))
        : givenUpWith(notSetUp(payment));
      if (outcome.state === 'undecided' || outcome.state === 'action') throw new PaymentInProgress();
      return settle(deps, payment, outcome);
    },

    /** Deletes old attempts that failed and took nothing, some at a time. */
    deleteOld: (): Promise<void> =>
      db.transaction(async (trx) =>
        forgetDecisions(trx, await deleteFailedPayments(trx, now() - failedKeptMs, deletedAtOnce)),
      ),
  };
}

async function settle(deps: AttemptsDeps, payment: Payment, outcome: PaymentOutcome): Promise<string | null> {
  const { db, now, payables, metrics } = deps;
  switch (outcome.state) {
    case 'undecided':
      if (outcome.waitsForMerchant) {
        const reason = outcome.waitsForMerchant;
        await db.transaction((trx) => deps.failureAlerts.waits(trx, payment, reason));
      }
      return null;
    case 'action':
      // Another request to pay then starts a new attempt instead of joining this one, and the hold ends sooner.
      if (payment.waitsSince === null)
        await db.transaction(async (trx) => {
          await saveWaitingSince(trx, payment.id, now());
          await payables.waits(trx, payment, now() + waitingHoldMs);
        });
      return null;
    case 'failed':
      if (await db.transaction((trx) => recordFailure(deps, trx, payment, outcome)))
        metrics.ended(payment.provider, 'failed');
      return null;
    case 'succeeded':
      return recordSuccess(deps, payment);
  }
}

/** Returns false if the attempt had ended before. */
async function recordFailure(
  { now, payables, failureAlerts }: AttemptsDeps,
  trx: Trx,
  payment: Payment,
  outcome: Extract<PaymentOutcome, { state: 'failed' }>,
): Promise<boolean> {
  if (!(await transitionPayment(trx, payment.id, ['pending', 'lapsed'], 'failed', now(), outcome.failure)))
    return false;
  await payables.failed(trx, payment);
  await failureAlerts.raise(trx, payment, outcome);
  if (outcome.askAgain) await planCheck(trx, payment.id, now() + dayMs);
  return true;
}

/** Returns the id of the order that it paid; null if the payment came too late. What came too late of it is refunded. */
async function recordSuccess(
  { payables, refunds, metrics }: AttemptsDeps,
  payment: Payment,
): Promise<string | null> {
  const paid = await payables.paid(payment);
  if (paid?.isNew) metrics.ended(payment.provider, paid.orderID === null ? 'late' : 'succeeded');
  if (!paid?.refund) return paid?.orderID ?? null;
  const due = await refunds.late(paid.refund);
  // Reconciliation tries again later; a refused refund has alerted the merchant.
  if (due) await refunds.send(due).catch(() => {});
  return paid.orderID;
}

/** Has the provider complete an attempt. Its stock is held before the charge, and released again if the charge is declined. */
async function completeAtProvider(
  deps: AttemptsDeps,
  payment: Payment,
  shopperActed?: boolean,
): Promise<Omit<SettledAnswer, 'orderID'>> {
  const held: { refusal?: AppError | null } = {};
  const hold = async () => {
    held.refusal = await deps.payables.hold(payment);
    return held.refusal === null;
  };
  const attempt = { ...attemptOf(payment), hold };
  const outcome = await askProvider(deps, payment, (provider) => provider.complete(attempt, shopperActed));
  // The customer has to agree again; then it is held again.
  if (held.refusal === null && outcome.state === 'action') await deps.payables.release(payment);
  return { outcome, soldOut: outcome.state === 'failed' ? (held.refusal ?? null) : null };
}

/** Undecided if the provider cannot be reached, or is no longer set up. */
async function askProvider(
  { providers }: AttemptsDeps,
  payment: Payment,
  ask: (provider: PaymentProvider) => Promise<PaymentOutcome>,
): Promise<PaymentOutcome> {
  const provider = providers.find(payment.provider);
  return provider ? ask(provider).catch(undecided) : undecided();
}

type AttemptMetrics = ReturnType<typeof createAttemptMetrics>;

export function createAttemptMetrics({ db, now }: { db: Database; now: () => number }) {
  const outcomes = new Counter({
    name: 'shopwright_payments_total',
    help: 'Attempts to pay that ended, by provider and outcome.',
    labels: ['provider', 'outcome'],
  });
  let open: OpenPayments[] = [];
  const age = ({ oldestAt }: OpenPayments) => Math.max(0, now() - oldestAt) / 1000;
  const openAttempts: MetricSource = {
    name: 'payments',
    wholeShop: true,
    async refresh() {
      open = await countOpenPayments(db.read);
    },
    metrics: [
      {
        type: 'gauge',
        name: 'shopwright_payments_open',
        help: 'Attempts to pay without a known outcome: "pending" at the provider, "action" by the customer, "lapsed" after the hold.',
        labels: ['provider', 'state'],
        samples: () =>
          open.map(({ provider, state, count }) => ({ labels: { provider, state }, value: count })),
      },
      {
        type: 'gauge',
        name: 'shopwright_payments_oldest_seconds',
        help: 'How long the oldest of these attempts has been open.',
        labels: ['provider', 'state'],
        samples: () =>
          open.map((each) => ({ labels: { provider: each.provider, state: each.state }, value: age(each) })),
      },
    ],
  };
  return {
    sources: [{ name: 'attempts', metrics: [outcomes] }, openAttempts] satisfies MetricSource[],

    /** Counts the end of an attempt. `late`: its order could no longer be placed, and it is refunded. */
    ended: (provider: string, outcome: 'succeeded' | 'failed' | 'late'): void =>
      outcomes.add(provider, outcome),
  };
}

/**
 * An attempt that was ended because its provider no longer knows it. If money was taken, only the provider's dashboard shows it.
 */
export interface GivenUpAttempt {
  provider: string;
  /** The shop's reference, and the provider's own id, which finds the attempt in its dashboard; null if it never gave one. */
  reference: string;
  providerId: string | null;
  orderId: string;
  /** Cents of `currency`. */
  amount: number;
  currency: string;
  reason: string;
}

interface FailureAlertsDeps {
  now: () => number;
  alerts: AlertsService;
  /** Called with attempts that were ended because their provider no longer knows them. */
  onAttemptGivenUp?: ((attempt: GivenUpAttempt) => void) | undefined;
}

type FailureAlerts = ReturnType<typeof createFailureAlerts>;

export function createFailureAlerts({ now, alerts, onAttemptGivenUp }: FailureAlertsDeps) {
  async function paymentsRefused(trx: Trx, { provider }: Payment, reason: string): Promise<void> {
    // One email per provider and day, however many payments it refuses.
    const reference = `${provider}:${new Date(now()).toISOString().slice(0, 10)}`;
    await alerts.raise(trx, { kind: 'paymentsRefused', values: { provider, reason }, reference });
  }

  async function attemptGivenUp(trx: Trx, payment: Payment, reason: string): Promise<void> {
    onAttemptGivenUp?.(givenUp(payment, reason));
    const { provider, providerId, reference, orderId, orderNumber, currency } = payment;
    const amount = formatMerchantMoney(payment.amount, currency);
    const values = {
      provider,
      amount,
      order: orderNumber ?? orderId,
      payment: providerId ?? reference,
      reason,
    };
    await alerts.raise(trx, { kind: 'attemptGivenUp', values, reference: `${provider}:${reference}` });
  }

  return {
    /** Alerts the merchant to an attempt for which their provider waits for them; once for each. */
    async waits(
      trx: Trx,
      { provider, reference, providerId, orderNumber, orderId, ...payment }: Payment,
      reason: string,
    ) {
      const amount = formatMerchantMoney(payment.amount, payment.currency);
      const values = {
        provider,
        amount,
        order: orderNumber ?? orderId,
        payment: providerId ?? reference,
        reason,
      };
      await alerts.raiseOnce(trx, { kind: 'paymentWaits', values, reference: `${provider}:${reference}` });
    },
    /** Alerts the merchant if an attempt has failed for a reason that only they can fix. Call it once per attempt. */
    async raise(
      trx: Trx,
      payment: Payment,
      { merchantProblem, unknownAttempt }: Extract<PaymentOutcome, { state: 'failed' }>,
    ): Promise<void> {
      if (merchantProblem) await paymentsRefused(trx, payment, merchantProblem);
      if (unknownAttempt) await attemptGivenUp(trx, payment, unknownAttempt);
    },
  };
}

export function givenUp(payment: Payment, reason: string): GivenUpAttempt {
  const { provider, reference, providerId, orderId, amount, currency } = payment;
  return { provider, reference, providerId, orderId, amount, currency, reason };
}
