/**
 * Stripe's test cards and their outcomes, as https://docs.stripe.com/testing lists them: by number for the browser's form, by
 * ready-made payment method for tests without a browser.
 */
import type Stripe from 'stripe';

export interface CardBehaviour {
  /** The ready-made payment method. */
  method: string;
  number: string;
  /** Declined when it is charged; `decline_code` is the bank's reason. */
  refused?: { code: Stripe.PaymentIntent.LastPaymentError.Code; decline_code?: string; message: string };
  /** The bank asks the cardholder first. */
  asksHolder?: boolean;
}

const declined = (decline_code: string, message = 'Your card was declined.') => ({
  code: 'card_declined',
  decline_code,
  message,
});

export const testCards = {
  approve: { method: 'pm_card_visa', number: '4242424242424242' },
  declined: {
    method: 'pm_card_visa_chargeDeclined',
    number: '4000000000000002',
    refused: declined('generic_decline'),
  },
  noFunds: {
    method: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    number: '4000000000009995',
    refused: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  stolen: {
    method: 'pm_card_visa_chargeDeclinedStolenCard',
    number: '4000000000009979',
    refused: declined('stolen_card'),
  },
  expired: {
    method: 'pm_card_chargeDeclinedExpiredCard',
    number: '4000000000000069',
    refused: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  },
  wrongCode: {
    method: 'pm_card_chargeDeclinedIncorrectCvc',
    number: '4000000000000127',
    refused: {
      code: 'incorrect_cvc',
      decline_code: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
    },
  },
  notProcessed: {
    method: 'pm_card_chargeDeclinedProcessingError',
    number: '4000000000000119',
    refused: {
      code: 'processing_error',
      decline_code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  asksHolder: { method: 'pm_card_threeDSecure2Required', number: '4000000000003220', asksHolder: true },
  asksThenDeclines: {
    method: 'pm_card_threeDSecureRequiredChargeDeclined',
    number: '4000008400001629',
    asksHolder: true,
    refused: declined('generic_decline'),
  },
} as const satisfies Record<string, CardBehaviour>;

const all: readonly CardBehaviour[] = Object.values(testCards);

export function cardOfMethod(method: string): CardBehaviour | undefined {
  return all.find((card) => card.method === method);
}

export function cardOfNumber(number: string): CardBehaviour | undefined {
  const digits = number.replace(/\s/g, '');
  return all.find((card) => card.number === digits);
}
