import { describe, expect, it } from 'vitest';
import { Webhooks } from '#tests/fakes/stripe/webhooks.ts';
import { failureOf, readWebhook } from './intents.ts';

const secret = 'whsec_one';
const stripe = new Webhooks(secret);

function received(sent: { body: string; headers: Record<string, string> }) {
  return readWebhook({ headers: sent.headers, body: Buffer.from(sent.body) }, secret);
}

function event(object: object): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.refunded', data: { object } });
}

describe('webhooks of Stripe', () => {
  it('a webhook about an intent or its charge names the attempt', () => {
    for (const object of ['payment_intent', 'charge'])
      expect(received(stripe.sign(event({ object, metadata: { reference: 'r-1' } })))).toEqual({
        reference: 'r-1',
      });
  });

  it('a webhook about a refund of this shop names its attempt and its key', () => {
    const metadata = { reference: 'r-1', key: 'k-1' };
    expect(received(stripe.sign(event({ object: 'refund', metadata })))).toEqual({
      reference: 'r-1',
      refundKey: 'k-1',
    });
    expect(received(stripe.sign(event({ object: 'refund', metadata: {} })))).toEqual({ reference: '' });
  });

  it('a webhook about a refund or dispute that began in the dashboard names the intent', () => {
    for (const object of ['refund', 'dispute'])
      for (const payment_intent of ['pi_1', { id: 'pi_1' }]) {
        const body = event({ object, metadata: {}, payment_intent });
        expect(received(stripe.sign(body))).toEqual({ reference: '', providerId: 'pi_1' });
      }
  });

  it('a webhook about something else is accepted and names no attempt', () => {
    expect(received(stripe.sign(event({ object: 'payment_intent', metadata: {} })))).toEqual({
      reference: '',
    });
    expect(received(stripe.sign(event({ object: 'customer', metadata: { reference: 'r-1' } })))).toEqual({
      reference: '',
    });
    expect(received(stripe.sign(event({ object: 'payout' })))).toEqual({ reference: '' });
  });

  it('a webhook signed by another secret, long ago or not at all is rejected', () => {
    const body = event({ object: 'charge', metadata: { reference: 'r-1' } });
    expect(received(stripe.sign(body, { secret: 'whsec_other' }))).toBeNull();
    expect(received(stripe.sign(body, { at: Date.now() - 301_000 }))).toBeNull();
    expect(received(stripe.sign(body, { at: Date.now() - 200_000 }))).toEqual({ reference: 'r-1' });
    expect(received({ body, headers: {} })).toBeNull();
    expect(received({ body, headers: { 'stripe-signature': 'nonsense' } })).toBeNull();
    expect(received(stripe.sign('no event'))).toBeNull();
    expect(received(stripe.sign('null'))).toBeNull();
  });
});

describe('declines of Stripe', () => {
  it.each([
    [{ code: 'card_declined', decline_code: 'generic_decline' }, 'TRANSACTION_ERROR', 'payment.declined'],
    [
      { code: 'card_declined', decline_code: 'insufficient_funds' },
      'TRANSACTION_ERROR',
      'payment.insufficientFunds',
    ],
    [
      { code: 'card_declined', decline_code: 'card_velocity_exceeded' },
      'TRANSACTION_ERROR',
      'payment.cardLimit',
    ],
    [{ code: 'expired_card', decline_code: 'expired_card' }, 'VALIDATION_ERROR', 'rule.cardExpired'],
    [{ code: 'incorrect_cvc', decline_code: 'incorrect_cvc' }, 'VALIDATION_ERROR', 'rule.cardCodeInvalid'],
    [{ code: 'incorrect_number' }, 'VALIDATION_ERROR', 'rule.cardNumberInvalid'],
    [{ code: 'processing_error', decline_code: 'processing_error' }, 'SYSTEM_ERROR', 'payment.unavailable'],
    [
      { code: 'card_declined', decline_code: 'authentication_required' },
      'TRANSACTION_ERROR',
      'payment.authenticationFailed',
    ],
    [{ code: 'payment_intent_authentication_failure' }, 'TRANSACTION_ERROR', 'payment.authenticationFailed'],
    [{ code: 'something_new' }, 'TRANSACTION_ERROR', 'payment.declined'],
    [{}, 'TRANSACTION_ERROR', 'payment.declined'],
  ] as const)('the decline %j becomes %s, %s', (refusal, errorType, errorKey) => {
    expect(failureOf(refusal)).toEqual({ errorType, errorKey });
  });

  it('a mismatch of the address marks its field', () => {
    expect(failureOf({ code: 'incorrect_zip' }).errors).toEqual({
      'billingAddress.postCode': 'payment.postCodeMismatch',
    });
  });

  it('a decline does not tell a thief what the bank knows', () => {
    for (const decline_code of [
      'lost_card',
      'stolen_card',
      'fraudulent',
      'merchant_blacklist',
      'pickup_card',
    ])
      expect(failureOf({ code: 'card_declined', decline_code })).toEqual(
        failureOf({ code: 'card_declined' }),
      );
  });
});
