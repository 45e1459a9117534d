/** What becomes of payments at PayPal after the shop has placed their orders. */
import { CaptureStatus, RefundStatus } from '@paypal/paypal-server-sdk';
import { expect, it } from 'vitest';
import { followsAfterSuccess, type Row, refunded } from '#tests/after-success.ts';
import type { disputeOutcomes, disputeStatuses } from '#tests/fakes/paypal/forms.ts';
import type { PayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { startPayPalFake } from '#tests/fakes/paypal/paypal.ts';
import { isLong } from '#tests/long.ts';
import { testNow } from '#tests/test-app.ts';

/** What becomes of a payment, by each status of its capture that PayPal's SDK knows. */
const captures: Readonly<Record<`${CaptureStatus}`, Pick<Row, 'due' | 'alerts' | 'mails' | 'isOnItsWay'>>> = {
  COMPLETED: {},
  // Held again, such as for a review: the money is still on its way.
  PENDING: { isOnItsWay: true },
  // PayPal lists the refund or reversal beside it, which is what counts.
  PARTIALLY_REFUNDED: {},
  REFUNDED: {},
  DECLINED: { due: 'all', alerts: ['paymentUncollected'], mails: ['paymentUncollected'] },
  FAILED: { due: 'all', alerts: ['paymentUncollected'], mails: ['paymentUncollected'] },
};

const refunds: Readonly<Record<`${RefundStatus}`, Pick<Row, 'back' | 'alerts' | 'mails' | 'isOnItsWay'>>> = {
  COMPLETED: { back: refunded },
  PENDING: { back: refunded, isOnItsWay: true },
  FAILED: { alerts: ['refundFailed'], mails: ['refundFailed'] },
  CANCELLED: { alerts: ['refundFailed'], mails: ['refundFailed'] },
};

const opened = { disputes: ['open'], alerts: ['disputeOpened'] } as const;
const kept = { disputes: ['won'] } as const;
const lost = { disputes: ['lost'], alerts: ['disputeLost'], back: 'all' } as const;
type Disputed = Pick<Row, 'back' | 'alerts' | 'disputes'>;

/** A resolved dispute without an outcome counts as one with NONE. */
const disputes: Readonly<Record<(typeof disputeStatuses)[number], Disputed>> = {
  OPEN: opened,
  WAITING_FOR_BUYER_RESPONSE: opened,
  WAITING_FOR_SELLER_RESPONSE: opened,
  UNDER_REVIEW: opened,
  OTHER: opened,
  RESOLVED: kept,
};

const outcomes: Readonly<Record<(typeof disputeOutcomes)[number], Disputed>> = {
  RESOLVED_BUYER_FAVOUR: lost,
  RESOLVED_SELLER_FAVOUR: kept,
  RESOLVED_WITH_PAYOUT: kept,
  CANCELED_BY_BUYER: kept,
  ACCEPTED: lost,
  DENIED: kept,
  NONE: kept,
};

it('the tables have every status of PayPal’s SDK', () => {
  expect(Object.keys(captures).sort()).toEqual(Object.values(CaptureStatus).sort());
  expect(Object.keys(refunds).sort()).toEqual(Object.values(RefundStatus).sort());
});

const rows = (fake: () => PayPalFake): Row[] => [
  ...Object.entries(captures).map(
    ([status, outcome]): Row => ({
      title: `a capture that turns ${status}`,
      change: ({ providerId }) => fake().captureBecomes(providerId, status as CaptureStatus),
      webhooks: ({ providerId }) => [fake().webhook(providerId, 'PAYMENT.CAPTURE.COMPLETED')],
      ...outcome,
    }),
  ),
  ...Object.entries(refunds).map(
    ([status, outcome]): Row => ({
      title: `a refund that turns ${status}`,
      isRefunded: true,
      change: ({ providerId }) => fake().refundBecomes(providerId, status as RefundStatus),
      webhooks: ({ providerId }) => [fake().webhook(providerId, 'PAYMENT.CAPTURE.REFUNDED')],
      ...outcome,
    }),
  ),
  ...[
    ...Object.entries(disputes).map(([status, outcome]) => [status, null, outcome] as const),
    ...Object.entries(outcomes).map(([code, outcome]) => ['RESOLVED', code, outcome] as const),
  ].map(
    ([status, code, outcome]): Row => ({
      title: `a dispute that is ${status}, ${code ?? 'without an outcome'}`,
      change: ({ providerId }) => void Object.assign(fake().dispute(providerId), { status, outcome: code }),
      webhooks: ({ providerId }) => [
        fake().webhook(providerId, 'CUSTOMER.DISPUTE.CREATED'),
        fake().webhook(
          providerId,
          status === 'RESOLVED' ? 'CUSTOMER.DISPUTE.RESOLVED' : 'CUSTOMER.DISPUTE.UPDATED',
        ),
      ],
      ...outcome,
    }),
  ),
  {
    title: 'a capture that is reversed',
    change: ({ providerId }) => void fake().refundThere(providerId, '5.00', false),
    webhooks: ({ providerId }) => [fake().webhook(providerId, 'PAYMENT.CAPTURE.REVERSED')],
    back: 500,
  },
];

{
  let fake: PayPalFake;
  followsAfterSuccess(
    async () => {
      fake = await startPayPalFake();
      fake.now = () => testNow;
      return {
        name: 'PayPal',
        env: fake.env,
        async pay(testApp, session) {
          const { bill } = await testApp.call('myCart', { session });
          const { token } = await testApp.call('payPalToken', { session, query: { id: bill.billVersion } });
          fake.approve(token);
          const body = { paymentId: token, payerID: 'QYR5Z8XDVJNXQ' };
          return (await testApp.call('payPalPayment', { session, body })).orderID;
        },
        taken: (reference) => fake.taken(reference),
        close: () => fake.close(),
      };
    },
    rows(() => fake),
    isLong,
  );
}
