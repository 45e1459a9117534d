/**
 * Builds PayPal's answers. Sources:
 * https://developer.paypal.com/docs/api/orders/v2/ (orders, captures)
 * https://developer.paypal.com/docs/api/payments/v2/ (refunds)
 * https://developer.paypal.com/api/rest/responses/ (errors: name, message, debug_id, details[].issue)
 * https://developer.paypal.com/api/rest/authentication/ (token)
 */
import type * as Sdk from '@paypal/paypal-server-sdk';
import type { FakeAnswer } from '../http.ts';
import type { OrderRequest } from './schema.ts';

export interface Money {
  currency_code: string;
  value: string;
}

export type CaptureStatus = `${Sdk.CaptureStatus}`;

export interface FakeRefund {
  id: string;
  amount: Money;
  /** PENDING while it is in transit, for instance for an eCheck. */
  status: `${Sdk.RefundStatus}`;
  customId: string;
}

/** As in https://github.com/paypal/paypal-rest-api-specifications, openapi/customer_disputes_v1.json: status, outcome_code. */
export const disputeStatuses = [
  'OPEN',
  'WAITING_FOR_BUYER_RESPONSE',
  'WAITING_FOR_SELLER_RESPONSE',
  'UNDER_REVIEW',
  'RESOLVED',
  'OTHER',
] as const;
export const disputeOutcomes = [
  'RESOLVED_BUYER_FAVOUR',
  'RESOLVED_SELLER_FAVOUR',
  'RESOLVED_WITH_PAYOUT',
  'CANCELED_BY_BUYER',
  'ACCEPTED',
  'DENIED',
  'NONE',
] as const;

export interface FakeDispute {
  id: string;
  /** The id of the capture. */
  transaction: string;
  custom: string;
  amount: Money;
  status: (typeof disputeStatuses)[number];
  /** The stage of its life cycle. */
  stage: 'INQUIRY' | 'CHARGEBACK' | 'PRE_ARBITRATION' | 'ARBITRATION';
  outcome: (typeof disputeOutcomes)[number] | null;
}

export interface FakeCapture {
  id: string;
  status: CaptureStatus;
  amount: Money;
  refunds: FakeRefund[];
}

export interface FakeOrder {
  id: string;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  amount: Money;
  customId: string;
  referenceId: string;
  /** The shop's request. */
  request: OrderRequest;
  /** The funding source that the customer chose; it decides the outcome of the capture. */
  funding: Funding;
  /** The customer may approve once more, because the chosen source was declined. */
  declined: boolean;
  capture: FakeCapture | null;
  /** Why its capture is pending. */
  waitsFor?: `${Sdk.CaptureIncompleteReason}`;
  /** When PayPal drops the order unless something happens; ms of the fake's own clock. */
  expiresAt: number;
}

/** The outcome of the customer's approval: 'good', 'pending', or the issue with which the capture is rejected. */
export type Funding = string;

const time = '2026-05-16T14:00:00Z';

export const json = (status: number, body: unknown): FakeAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

export function problem(
  status: number,
  name: string,
  issue?: string,
  description = 'See the documentation.',
): FakeAnswer {
  return json(status, {
    name,
    message: 'The requested action could not be performed.',
    debug_id: 'f0a1b2c3d4e5f',
    ...(issue ? { details: [{ issue, description }] } : {}),
    links: [
      {
        href: `https://developer.paypal.com/docs/api/orders/v2/#error-${issue ?? name}`,
        rel: 'information_link',
      },
    ],
  });
}

export function orderForm(order: FakeOrder): Record<string, unknown> {
  const { id, status, amount, customId, referenceId, capture } = order;
  return {
    id,
    intent: 'CAPTURE',
    status,
    purchase_units: [
      {
        reference_id: referenceId,
        amount,
        custom_id: customId,
        payee: { email_address: 'shop@business.example', merchant_id: 'FAKEMERCHANT1' },
        ...(capture
          ? {
              payments: { captures: [captureForm(order, capture)], refunds: capture.refunds.map(refundForm) },
            }
          : {}),
      },
    ],
    ...(status === 'PAYER_ACTION_REQUIRED'
      ? {}
      : {
          payer: {
            payer_id: 'QYR5Z8XDVJNXQ',
            email_address: 'buyer@personal.example',
            address: { country_code: 'CA' },
          },
        }),
    create_time: time,
    links: [
      { href: `https://api-m.sandbox.paypal.com/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' },
    ],
  };
}

export function captureForm(
  { id: orderId, customId, waitsFor = 'PENDING_REVIEW' }: FakeOrder,
  { id, status, amount }: FakeCapture,
): Record<string, unknown> {
  return {
    id,
    status,
    ...(status === 'PENDING' ? { status_details: { reason: waitsFor } } : {}),
    amount,
    custom_id: customId,
    final_capture: true,
    supplementary_data: { related_ids: { order_id: orderId } },
    links: [up(`checkout/orders/${orderId}`)],
    create_time: time,
    update_time: time,
  };
}

export function refundForm({ id, status, amount, customId }: FakeRefund): Record<string, unknown> {
  return {
    id,
    status,
    amount,
    ...(customId ? { custom_id: customId } : {}),
    create_time: time,
    update_time: time,
  };
}

/** A refund as in its webhook, which names the capture by a link only. */
export function refundNews(refund: FakeRefund, captureId: string): Record<string, unknown> {
  return { ...refundForm(refund), links: [up(`payments/captures/${captureId}`)] };
}

const up = (path: string) => ({
  href: `https://api.sandbox.paypal.com/v2/${path}`,
  rel: 'up',
  method: 'GET',
});

/** A dispute as in the list; its details also have the transaction and the outcome. */
export function disputeForm(dispute: FakeDispute, details: boolean): Record<string, unknown> {
  const { id, transaction, custom, amount, status, stage, outcome } = dispute;
  return {
    dispute_id: id,
    create_time: '2026-05-20T09:00:00.000Z',
    update_time: '2026-05-20T09:00:00.000Z',
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    status,
    dispute_life_cycle_stage: stage,
    dispute_amount: amount,
    ...(status === 'RESOLVED' ? {} : { seller_response_due_date: '2026-05-30T09:00:00.000Z' }),
    ...(details ? { disputed_transactions: [{ seller_transaction_id: transaction, custom }] } : {}),
    ...(details && outcome ? { dispute_outcome: { outcome_code: outcome } } : {}),
  };
}

/**
 * A capture and its refunds as PayPal's transaction search lists them. https://developer.paypal.com/docs/api/transaction-search/v1/
 * with the codes of https://developer.paypal.com/docs/reports/reference/tcodes/
 */
export function transactionForms(
  { request, customId }: FakeOrder,
  { id, status, amount, refunds }: FakeCapture,
): unknown[] {
  const [unit] = request.purchase_units;
  const states = {
    COMPLETED: 'S',
    PARTIALLY_REFUNDED: 'S',
    REFUNDED: 'V',
    PENDING: 'P',
    DECLINED: 'D',
    FAILED: 'D',
  } as const;
  const common = { transaction_initiation_date: time, transaction_updated_date: time };
  const payment = {
    ...common,
    transaction_id: id,
    transaction_event_code: 'T0006',
    transaction_amount: amount,
    transaction_status: states[status],
    fee_amount: {
      ...amount,
      value: `-${(Math.round(cents(amount) * 0.029 + 30) / (amount.currency_code === 'JPY' ? 1 : 100)).toFixed(amount.currency_code === 'JPY' ? 0 : 2)}`,
    },
    custom_field: customId,
    ...(unit?.invoice_id ? { invoice_id: unit.invoice_id } : {}),
  };
  const back = refunds.map((refund) => ({
    ...common,
    transaction_id: refund.id,
    paypal_reference_id: id,
    paypal_reference_id_type: 'TXN',
    transaction_event_code: 'T1107',
    transaction_amount: { ...refund.amount, value: `-${refund.amount.value}` },
    transaction_status: refund.status === 'COMPLETED' ? 'S' : refund.status === 'PENDING' ? 'P' : 'D',
  }));
  return [payment, ...back].map((each) => ({ transaction_info: each }));
}

/** When the fake's orders are created and captured. */
export const orderTime = Date.parse(time);

/** In the smallest unit by ISO 4217, though PayPal takes some currencies in whole units only. */
export const cents = ({ value, currency_code: currency }: Money): number =>
  Math.round(Number(value) * (currency === 'JPY' ? 1 : 100));
