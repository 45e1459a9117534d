/**
 * Converts refunds and disputes of an order from PayPal, and lists transactions. https://developer.paypal.com/docs/api/orders/v2/ ·
 * https://developer.paypal.com/docs/api/customer-disputes/v1/ · https://developer.paypal.com/docs/api/transaction-search/v1/
 */
import type { Order, Refund } from '@paypal/paypal-server-sdk';
import type {
  ListedPayment,
  ProviderActivity,
  ProviderDispute,
  ProviderRefund,
} from '#server/modules/payments/providers/provider.ts';
import { dayMs } from '#server/platform/durations.ts';
import type { PayPalClient, PayPalDispute, PayPalTransaction } from './client.ts';

/** Outcomes in which the seller keeps the money; all others take it. */
const kept: readonly string[] = ['RESOLVED_SELLER_FAVOUR', 'RESOLVED_WITH_PAYOUT', 'CANCELED_BY_BUYER', 'DENIED', 'NONE'];

/** The custom id of the shop's refunds at PayPal: the payment's reference, and the refund's key. Webhooks repeat it. */
export const refundCustomId = (reference: string, key: string) => `${reference}:${key}`;

/** @param mayNotAsk whether PayPal refused to list disputes because the app lacks that permission */
export async function activityOf(
  paypal: PayPalClient,
  order: Order,
  mayNotAsk: (error: unknown) => boolean,
): Promise<ProviderActivity> {
  const payments = (order.purchaseUnits ?? []).flatMap(({ payments }) => payments ?? []);
  const captures = payments.flatMap(({ captures = [] }) => captures).flatMap(({ id }) => id ?? []);
  const disputes = await Promise.all(
    captures.map((id) =>
      paypal.disputesOf(id).catch((error: unknown) => {
        if (mayNotAsk(error)) return [];
        throw error;
      }),
    ),
  );
  return {
    refunds: payments.flatMap(({ refunds = [] }) => refunds).map(refundOf),
    disputes: disputes.flat().map(disputeOf),
  };
}

/** How much PayPal is asked to list at once; it lists at most 31 days, and 10,000 transactions. */
const windowMs = 7 * dayMs;

/** Transactions without a custom field belong to another system of the account. */
export async function takenSince(
  paypal: PayPalClient,
  since: number,
  now: number,
  mayNotAsk: (error: unknown) => boolean,
): Promise<ListedPayment[]> {
  const listed: PayPalTransaction[] = [];
  for (let from = since; from < now; from += windowMs) {
    const part = await paypal.transactions(from, Math.min(now, from + windowMs)).catch((error: unknown) => {
      throw mayNotAsk(error)
        ? new Error('the app may not list transactions; allow Transaction search in its settings at developer.paypal.com')
        : error;
    });
    listed.push(...part);
  }
  const refunds = Map.groupBy(
    listed.filter(({ transaction_event_code: code }) => code.startsWith('T11')),
    ({ paypal_reference_id: id }) => id,
  );
  return listed.flatMap((each): ListedPayment[] => {
    const { transaction_id: id, transaction_amount, transaction_status: status, custom_field: reference } = each;
    const isPayment = each.transaction_event_code.startsWith('T00') && Number(transaction_amount.value) > 0;
    if (!isPayment || !reference || (status !== 'S' && status !== 'V')) return [];
    const amount = hundredths(transaction_amount.value);
    const back = (refunds.get(id) ?? []).reduce((sum, refund) => sum - hundredths(refund.transaction_amount.value), 0);
    return [
      {
        reference,
        id,
        orderNumber: each.invoice_id ?? '',
        amount,
        currency: transaction_amount.currency_code,
        refunded: status === 'V' ? amount : back,
        at: Date.parse(each.transaction_initiation_date),
      },
    ];
  });
}

function refundOf({ id = '', amount, customId = '', status, createTime = '', noteToPayer = '' }: Refund): ProviderRefund {
  return {
    id,
    // A refund in the dashboard has the custom id of its capture, which is the reference alone, or none.
    key: customId.split(':')[1] ?? null,
    amount: hundredths(amount?.value ?? '0'),
    state: status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'given',
    at: Date.parse(createTime),
    reason: noteToPayer,
  };
}

function disputeOf(dispute: PayPalDispute): ProviderDispute {
  const { dispute_id: id, status, dispute_outcome: outcome, seller_response_due_date: due } = dispute;
  const resolved = kept.includes(outcome?.outcome_code ?? 'NONE') ? 'won' : 'lost';
  return {
    id,
    amount: hundredths(dispute.dispute_amount.value),
    state: status === 'RESOLVED' ? resolved : 'open',
    reason: dispute.reason ?? '',
    at: Date.parse(dispute.create_time),
    respondBy: status !== 'RESOLVED' && due ? Date.parse(due) : null,
  };
}

function hundredths(value: string): number {
  return Math.round(Number(value) * 100);
}
