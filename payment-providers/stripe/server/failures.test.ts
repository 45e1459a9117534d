import { describe, expect, it } from 'vitest';
import { failureOf } from './failures.ts';

describe('declines of Stripe', () => {
  it.each([
    [{ code: 'card_declined', decline_code: 'generic_decline' }, 'TRANSACTION_ERROR', 'payment.declined'],
    [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'TRANSACTION_ERROR', 'payment.insufficientFunds'],
    [{ code: 'card_declined', decline_code: 'card_velocity_exceeded' }, 'TRANSACTION_ERROR', 'payment.cardLimit'],
    [{ code: 'expired_card', decline_code: 'expired_card' }, 'VALIDATION_ERROR', 'rule.cardExpired'],
    [{ code: 'incorrect_cvc', decline_code: 'incorrect_cvc' }, 'VALIDATION_ERROR', 'rule.cardCodeInvalid'],
    [{ code: 'incorrect_number' }, 'VALIDATION_ERROR', 'rule.cardNumberInvalid'],
    [{ code: 'processing_error', decline_code: 'processing_error' }, 'SYSTEM_ERROR', 'payment.unavailable'],
    [{ code: 'card_declined', decline_code: 'authentication_required' }, 'TRANSACTION_ERROR', 'payment.authenticationFailed'],
    [{ code: 'payment_intent_authentication_failure' }, 'TRANSACTION_ERROR', 'payment.authenticationFailed'],
    [{ code: 'something_new' }, 'TRANSACTION_ERROR', 'payment.declined'],
    [{}, 'TRANSACTION_ERROR', 'payment.declined'],
  ] as const)('the decline %j becomes %s, %s', (refusal, errorType, errorKey) => {
    expect(failureOf(refusal)).toEqual({ errorType, errorKey });
  });

  it('a mismatch of the address marks its field', () => {
    expect(failureOf({ code: 'incorrect_zip' }).errors).toEqual({ 'billingAddress.postCode': 'payment.postCodeMismatch' });
  });

  it('a decline does not tell a thief what the bank knows', () => {
    for (const decline_code of ['lost_card', 'stolen_card', 'fraudulent', 'merchant_blacklist', 'pickup_card'])
      expect(failureOf({ code: 'card_declined', decline_code })).toEqual(failureOf({ code: 'card_declined' }));
  });
});
