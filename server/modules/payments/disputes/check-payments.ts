/** Asks providers about refunds and disputes that began there, for as long as there may be some. */
import { formatMerchantMoney } from '#contract/formatters.ts';
import type { Database, Trx } from '#db/database.ts';
import type { AlertsService } from '#server/modules/notifications/index.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import type { Attempts } from '../attempts/attempts.ts';
import {
  type Dispute,
  disputedCents,
  dropRefunds,
  type KnownRefund,
  latestRefundAt,
  lockPayment,
  lossesWithoutRefund,
  markProviderRefund,
  paymentsToCheck,
  planCheck,
  putDispute,
  recountRefunds,
  refundsOfPayment,
  releaseHeldRefunds,
} from '../payment/activity.repository.ts';
import type { Payables } from '../payment/payment.ts';
import { attemptOf, type Payment } from '../payment/payment.ts';
import { findPaymentById, transitionPayment } from '../payment/payments.repository.ts';
import { endRefund, findRefund, insertRefund, type Refund } from '../payment/refunds.repository.ts';
import { reportMissingRight } from '../providers/missing-right.ts';
import {
  AttemptUnknown,
  notCollected,
  type ProviderActivity,
  type ProviderDispute,
  type ProviderRefund,
  RightMissing,
} from '../providers/provider.ts';
import { disputeUrl, type PaymentRegistry } from '../providers/registry.ts';

const idOf = ({ provider }: Payment, id: string) => `${provider}:${id}`;
const isFromProvider = ({ provider }: Payment, id: string) => id.startsWith(`${provider}:`);

const atOnce = 20;
/** Providers refund for up to 180 days, and banks open disputes within 120. */
const watchedMs = 180 * dayMs;

export type PaymentChecks = ReturnType<typeof createPaymentChecks>;

export interface PaymentChecksDeps extends ActivityRecordDeps {
  db: Database;
  attempts: Attempts;
}

export function createPaymentChecks(deps: PaymentChecksDeps) {
  const { db, now, providers, attempts } = deps;

  /**
   * Asks the provider about a payment and records its report, as far as there is one.
   * @throws {RightMissing} if the shop's keys may not list its refunds; another error if the provider does not answer
   */
  async function check(payment: Payment): Promise<void> {
    const provider = providers.find(payment.provider);
    if (!provider?.activity) return;
    const activity = await provider.activity(attemptOf(payment)).catch((error: unknown) => {
      // The account or its mode was changed: the provider cannot report on this payment, now or later.
      if (error instanceof AttemptUnknown) return null;
      throw error;
    });
    if (!activity) return;
    await recordActivity(deps, payment, activity);
    if (activity.disputes instanceof RightMissing)
      await reportMissingRight(deps, payment.provider, activity.disputes);
    else if (activity.disputes instanceof Error) throw activity.disputes;
    if (activity.refunds instanceof Error) throw activity.refunds;
  }

  /** Asks once more about an attempt that failed with `askAgain`. Money that was taken after all is refunded. */
  async function askAgain(payment: Payment): Promise<void> {
    const { outcome } = await attempts.ask(payment);
    if (outcome.state === 'undecided')
      throw new Error(`${payment.provider} did not answer about an attempt that was given up`);
    await db.transaction((trx) => planCheck(trx, payment.id, null));
  }

  /**
   * Schedules the next check of a payment: hourly on its first day, and again after each refund, then less and less often, at least
   * weekly, for 180 days.
   */
  async function planNext({ id, createdAt }: Payment): Promise<void> {
    await db.transaction(async (trx) => {
      const moved = Math.max(createdAt, await latestRefundAt(trx, id));
      const pause = Math.min(7 * dayMs, Math.max(hourMs, (now() - moved) / 8));
      // One whose money does not come is not asked about again.
      const current = await findPaymentById(trx, id);
      if (current?.state === 'succeeded' || current?.failure?.errorKey !== notCollected.errorKey)
        await planCheck(trx, id, Math.round(now() + pause));
    });
  }

  return {
    check,
    /**
     * Checks the payments that are due, and failed attempts that have to be asked about once more. If a provider does not answer,
     * its other payments are skipped.
     * @throws {AggregateError} at the end, with each provider's failure
     */
    async checkDue(): Promise<void> {
      for (const { dispute, lostAt } of await lossesWithoutRefund(db.read))
        await db.transaction((trx) => recordPastLoss(trx, dispute, lostAt));
      const failures = new Map<string, unknown>();
      for (const id of await paymentsToCheck(db.read, now() - watchedMs, now(), atOnce)) {
        const payment = await findPaymentById(db.read, id);
        if (!payment || failures.has(payment.provider)) continue;
        const failed = payment.state === 'failed';
        await (failed ? askAgain(payment) : check(payment)).catch((error: unknown) =>
          failures.set(payment.provider, error),
        );
        // A failed check is repeated in an hour or more, so that it does not block the others.
        if (!failed || failures.has(payment.provider)) await planNext(payment);
      }
      if (failures.size > 0)
        throw new AggregateError(
          failures.values(),
          `Refunds and disputes not checked: ${[...failures.keys()].join(', ')}`,
        );
    },
  };
}

interface ActivityRecordDeps {
  db: Database;
  now: () => number;
  alerts: AlertsService;
  payables: Payables;
  providers: PaymentRegistry;
}

/**
 * Records refunds and disputes that begin at a payment provider: in its dashboard, or at the customer's bank. Each of the
 * provider's ids is recorded once, and the merchant is asked about the stock.
 * Records a provider's report on a payment. Idempotent.
 */
function recordActivity(deps: ActivityRecordDeps, asked: Payment, activity: ProviderActivity): Promise<void> {
  const { db, payables } = deps;
  const { uncollected, refunds, disputes } = activity;
  return db.transaction(async (trx) => {
    await lockPayment(trx, asked.id);
    const payment = await findPaymentById(trx, asked.id);
    if (!payment) return;
    if (uncollected !== null) await recordUncollected(deps, trx, payment, uncollected);
    const known = refunds instanceof Error ? [] : refunds;
    const { recorded, isPaidBack } = await recordRefunds(deps, trx, payment, known);
    if (known.length > 0) await recountRefunds(trx, payment);
    for (const refund of recorded) await payables.refunded(trx, refund, 'provider');
    const isLost = !(disputes instanceof Error) && (await recordDisputes(deps, trx, payment, disputes));
    if (isPaidBack || isLost) await payables.askAboutStock(trx, payment.orderId);
  });
}

/** The payment counts as failed, so that its amount is due again. The merchant is alerted, and the customer gets an email. */
async function recordUncollected(
  { now, alerts, payables }: ActivityRecordDeps,
  trx: Trx,
  payment: Payment,
  reason: string,
) {
  const { id, provider, amount, currency, orderNumber, orderId } = payment;
  if (!(await transitionPayment(trx, id, ['succeeded'], 'failed', now(), notCollected))) return;
  await planCheck(trx, id, null);
  // There is nothing that could be refunded.
  await dropRefunds(trx, id, ['due', 'held'], { note: reason, at: now() });
  await payables.uncollected(trx, payment);
  const values = {
    provider,
    amount: formatMerchantMoney(amount, currency),
    order: orderNumber ?? orderId,
    reason,
  };
  await alerts.raise(trx, { kind: 'paymentUncollected', values, reference: id });
}

/** Returns the refunds that were not known before, and whether any of those reported was not the shop's own. */
async function recordRefunds(
  deps: ActivityRecordDeps,
  trx: Trx,
  payment: Payment,
  refunds: readonly ProviderRefund[],
): Promise<{ recorded: Refund[]; isPaidBack: boolean }> {
  const known = await refundsOfPayment(trx, payment.id);
  const recorded: Refund[] = [];
  let isPaidBack = false;
  let { refunded, refundedTip } = payment;
  for (const refund of refunds) {
    const own = ownRefund(known, refund, refunds);
    if (own) {
      own.providerRefundId = refund.id;
      await markProviderRefund(trx, own.id, refund.id);
      if (refund.state === 'failed' && own.state === 'done')
        await recordFailedRefund(deps, trx, payment, own.id, refund.reason);
    } else if (refund.state === 'given') {
      const tip = tipIn(refund, payment, refunded, refundedTip);
      const row = rowOf(refund, payment, tip);
      if (await insertRefund(trx, row)) recorded.push(row);
      await markProviderRefund(trx, idOf(payment, refund.id), refund.id);
      refunded += refund.amount;
      refundedTip += tip;
      isPaidBack = true;
    }
  }
  return { recorded, isPaidBack };
}

/**
 * A refund that was sent has come back, or never arrived: its money is owed again. The merchant is alerted, and the customer, who
 * has the shop's receipt of it, gets an email.
 */
async function recordFailedRefund(
  { now, alerts, payables }: ActivityRecordDeps,
  trx: Trx,
  payment: Payment,
  id: string,
  reason: string,
): Promise<void> {
  const end = { state: 'refused', note: reason || null, attention: true } as const;
  if (!(await endRefund(trx, id, ['done'], end, now()))) return;
  await transitionPayment(trx, payment.id, ['refunded'], 'refundDue', now());
  const refund = await findRefund(trx, id);
  if (!refund) return;
  // Of one that began at the provider, the shop has sent no receipt.
  if (!isFromProvider(payment, id)) await payables.refundFailed(trx, refund);
  const { provider, orderNumber } = payment;
  const values = {
    provider,
    amount: formatMerchantMoney(refund.amount, refund.currency),
    order: orderNumber ?? '–',
  };
  await alerts.raise(trx, {
    kind: 'refundFailed',
    values: { ...values, reason: reason || '–' },
    reference: id,
  });
}

/**
 * Alerts the merchant to each dispute as it opens and as it is decided. What a lost one takes is a refund by the bank, and
 * refunds that waited for the decision are sent or dropped. Returns whether one has just been lost.
 */
async function recordDisputes(
  deps: ActivityRecordDeps,
  trx: Trx,
  payment: Payment,
  disputes: readonly ProviderDispute[],
): Promise<boolean> {
  if (disputes.length === 0) return false;
  let isLost = false;
  for (const dispute of disputes) {
    const row = { ...dispute, orderId: payment.orderId, paymentId: payment.id, currency: payment.currency };
    const before = await putDispute(trx, idOf(payment, dispute.id), row, deps.now());
    await recordLoss(deps, trx, payment, dispute);
    if (before === dispute.state || (before === null && dispute.state === 'won')) continue;
    await alertMerchant(deps, trx, payment, dispute);
    if (dispute.state === 'lost') isLost = true;
  }
  await recountRefunds(trx, payment);
  if ((await disputedCents(trx, payment.id)) === 0) await releaseHeldRefunds(trx, payment.id);
  return isLost;
}

/** A lost dispute is a refund that the bank made, until an appeal is won. */
async function recordLoss(
  { now, payables }: ActivityRecordDeps,
  trx: Trx,
  asked: Payment,
  { id: disputeId, amount, state, reason }: ProviderDispute,
): Promise<void> {
  const id = idOf(asked, disputeId);
  if (state !== 'lost') {
    await endRefund(trx, id, ['done'], { state: 'refused', note: null, attention: false }, now());
    return;
  }
  await dropRefunds(trx, asked.id, ['held'], { note: 'The bank has returned the money', at: now() });
  const refund = await lossOf(trx, asked, { id: disputeId, amount, reason, at: now() });
  if (!refund) return;
  const end = { state: 'done', note: null, attention: false } as const;
  // One that is there was lost before, and appealed.
  if (!(await insertRefund(trx, refund)) && !(await endRefund(trx, id, ['refused'], end, now()))) return;
  await markProviderRefund(trx, id, disputeId);
  await payables.refunded(trx, refund, 'provider');
}

/** What of a payment a lost dispute has taken, as a refund; null if nothing of it is left. */
async function lossOf(
  trx: Trx,
  asked: Payment,
  lost: Pick<ProviderDispute, 'id' | 'amount' | 'reason' | 'at'>,
) {
  await recountRefunds(trx, asked);
  const payment = await findPaymentById(trx, asked.id);
  const left = payment ? Math.min(lost.amount, payment.amount - payment.refunded) : 0;
  if (!payment || left <= 0) return null;
  const taken = { ...lost, key: null, amount: left, state: 'given' } as const;
  return rowOf(taken, payment, tipIn(taken, payment, payment.refunded, payment.refundedTip));
}

/** One that was lost under a version that wrote no refund of it. Everybody was told then. */
async function recordPastLoss(trx: Trx, dispute: Dispute, lostAt: number): Promise<void> {
  await lockPayment(trx, dispute.paymentId);
  const payment = await findPaymentById(trx, dispute.paymentId);
  const refund = payment && (await lossOf(trx, payment, { ...dispute, at: lostAt }));
  if (!refund || !(await insertRefund(trx, refund))) return;
  await markProviderRefund(trx, refund.id, dispute.id);
  await recountRefunds(trx, payment);
}

const alertKinds = { open: 'disputeOpened', won: 'disputeWon', lost: 'disputeLost' } as const;

async function alertMerchant(
  { alerts, providers }: ActivityRecordDeps,
  trx: Trx,
  payment: Payment,
  { id, amount, reason, state, respondBy }: ProviderDispute,
): Promise<void> {
  const values = {
    provider: payment.provider,
    amount: formatMerchantMoney(amount, payment.currency),
    order: payment.orderNumber ?? payment.orderId,
    dispute: id,
    reason: reason || '–',
    deadline:
      respondBy === null ? '–' : `${new Date(respondBy).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    url: disputeUrl(providers.keys(), payment.provider, id) ?? '–',
  };
  await alerts.raise(trx, { kind: alertKinds[state], values, reference: idOf(payment, id) });
}

/**
 * Finds the recorded refund that matches a reported one. One without the shop's key may be from a version that sent the provider
 * none: then it matches one of the same amount that was sent and that no reported refund names.
 */
function ownRefund(
  known: readonly KnownRefund[],
  refund: ProviderRefund,
  listed: readonly ProviderRefund[],
): KnownRefund | undefined {
  const named = known.find(({ id, providerRefundId }) => id === refund.key || providerRefundId === refund.id);
  if (named || refund.key !== null) return named;
  return known.find(
    ({ id, state, amount, providerRefundId }) =>
      state === 'done' &&
      amount === refund.amount &&
      providerRefundId === null &&
      !listed.some(({ key }) => key === id),
  );
}

function rowOf(refund: ProviderRefund, payment: Payment, tip: number) {
  const { id: paymentId, orderId, currency } = payment;
  const { amount, reason, at: createdAt } = refund;
  const done = {
    state: 'done',
    corrects: false,
    customerNote: '',
    providerNote: null,
    needsAttention: false,
  } as const;
  return {
    id: idOf(payment, refund.id),
    paymentId,
    orderId,
    amount,
    tip,
    currency,
    reason,
    createdAt,
    ...done,
  };
}

/** The part of a refund that exceeds the rest of the items, and so is tip, cents. */
function tipIn({ amount }: ProviderRefund, payment: Payment, refunded: number, refundedTip: number): number {
  const items = payment.amount - payment.tip - (refunded - refundedTip);
  return Math.max(0, Math.min(amount - Math.max(0, items), payment.tip - refundedTip));
}
