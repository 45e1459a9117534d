/**
 * The house gateway's test cards (docs/reliability.md lists them). Any other number whose check digit
 * is right is approved.
 */
import { cardDigits } from '#contract/rules/card.ts';
import type { PaymentFailure } from '../provider.ts';

export type HouseError = 'declined' | 'numberInvalid' | 'codeInvalid' | 'expired' | 'notAuthorized' | 'unavailable' | 'cancelled';

/** What a card does. `answerLost`: it is charged, but the answer does not arrive. */
export type HouseVerdict = { approved: true; answerLost: boolean } | { approved: false; error: HouseError };

const verdicts: Readonly<Record<string, HouseVerdict>> = {
  '4242424242424242': { approved: true, answerLost: false },
  '4000000000000341': { approved: true, answerLost: true },
  '4000000000000002': { approved: false, error: 'declined' },
  '4000000000000069': { approved: false, error: 'expired' },
  '4000000000000127': { approved: false, error: 'codeInvalid' },
  '4000000000000119': { approved: false, error: 'unavailable' },
  '4000000000000101': { approved: false, error: 'notAuthorized' },
};

export function judgeCard(number: string): HouseVerdict {
  const digits = cardDigits(number);
  const verdict = verdicts[digits];
  if (verdict) return verdict;
  return hasCheckDigit(digits) ? { approved: true, answerLost: false } : { approved: false, error: 'numberInvalid' };
}

/** Luhn's check, which catches a mistyped digit. */
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
  unavailable: { errorType: 'SYSTEM_ERROR', errorKey: 'payment.unavailable' },
  cancelled: { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.attemptEnded' },
};
