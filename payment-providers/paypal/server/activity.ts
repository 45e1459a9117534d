/**
 * Converts refunds and disputes of an order from PayPal. https://developer.paypal.com/docs/api/orders/v2/ ·
 * https://developer.paypal.com/docs/api/customer-disputes/v1/
 */
import type { Order, Refund } from '@paypal/paypal-server-sdk';
import type { ProviderActivity, ProviderDispute, ProviderRefund } from '#server/modules/payments/provider.ts';
import type { PayPalClient, PayPalDispute } from './client.ts';

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

/** Converts decimal text to cents. */
function hundredths(value: string): number {
  return Math.round(Number(value) * 100);
}
