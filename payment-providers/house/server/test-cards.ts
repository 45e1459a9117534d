/** The house gateway's test cards (docs/how-to/payments.md). Any other number with a valid check digit is approved. */
import { cardDigits } from '#contract/rules/payment.ts';
import { attemptEnded, type PaymentFailure } from '#server/modules/payments/providers/provider.ts';
import { houseCards } from '../values.ts';

export type HouseError =
  | 'declined'
  | 'numberInvalid'
  | 'codeInvalid'
  | 'expired'
  | 'notAuthorized'
  | 'notVerified'
  | 'unavailable'
  | 'cancelled';

/** `answerLost`: charged, but the answer does not arrive. `challenge`: the bank asks the customer for a code first. */
export type TestCardOutcome =
  | { approved: true; how: 'atOnce' | 'answerLost' | 'slow' | 'challenge' }
  | { approved: false; error: HouseError };

const approved = (how: 'atOnce' | 'answerLost' | 'slow' | 'challenge'): TestCardOutcome => ({
  approved: true,
  how,
});
const refused = (error: HouseError): TestCardOutcome => ({ approved: false, error });

const outcomes: Readonly<Record<string, TestCardOutcome>> = {
  [houseCards.approve]: approved('atOnce'),
  [houseCards.answerLost]: approved('answerLost'),
  [houseCards.slow]: approved('slow'),
  [houseCards.challenge]: approved('challenge'),
  [houseCards.decline]: refused('declined'),
  [houseCards.expired]: refused('expired'),
  [houseCards.codeInvalid]: refused('codeInvalid'),
  [houseCards.unavailable]: refused('unavailable'),
  [houseCards.notAuthorized]: refused('notAuthorized'),
};

export function evaluateTestCard(number: string): TestCardOutcome {
  const digits = cardDigits(number);
  return outcomes[digits] ?? (hasCheckDigit(digits) ? approved('atOnce') : refused('numberInvalid'));
}

function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits !== '' && sum % 10 === 0;
}

const field = (name: string) => `paymentInstrucment.${name}`;

export const failures: Readonly<Record<HouseError, PaymentFailure>> = {
  declined: { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.declined' },
  numberInvalid: {
    errorType: 'VALIDATION_ERROR',
    errorKey: 'rule.cardNumberInvalid',
    errors: { [field('creditCardNumber')]: 'rule.cardNumberInvalid' },
  },
  codeInvalid: {
    errorType: 'VALIDATION_ERROR',
    errorKey: 'rule.cardCodeInvalid',
    errors: { [field('cardCode')]: 'rule.cardCodeInvalid' },
  },
  expired: {
    errorType: 'VALIDATION_ERROR',
    errorKey: 'rule.cardExpired',
    errors: { [field('expirationMonth')]: 'rule.cardExpired' },
  },
  notAuthorized: { errorType: 'AUTHORIZATION_ERROR', errorKey: 'payment.notAuthorized' },
  notVerified: { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.notVerified' },
  unavailable: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' },
  cancelled: attemptEnded,
};
