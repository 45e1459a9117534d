/**
 * Defines the test nonces and the outcome of a sale with each, as the sandbox's test values do by amount and card.
 * https://developer.paypal.com/braintree/docs/reference/general/testing
 */
import type { GatewayRejectionReason, TransactionStatus } from 'braintree';
import { errorCode } from './sdk.ts';

export type NonceKind =
  | 'good'
  /** Valid, and the bank has confirmed its holder by 3-D Secure. */
  | 'verified'
  | 'declined'
  | 'expired'
  | 'code wrong'
  | 'network down'
  | 'fraud'
  /** The bank asked its holder, who failed. */
  | 'not verified'
  | 'address wrong'
  | 'number wrong';

export interface SaleVerdict {
  status: Extract<
    TransactionStatus,
    'submitted_for_settlement' | 'processor_declined' | 'gateway_rejected' | 'failed'
  >;
  code?: string;
  reason?: GatewayRejectionReason;
}

/** The outcome of a sale with the nonce; a code alone is a validation error, without a transaction. */
export const verdicts: Readonly<
  Record<NonceKind, SaleVerdict | { validation: string; attribute: string; message: string }>
> = {
  good: { status: 'submitted_for_settlement', code: '1000' },
  verified: { status: 'submitted_for_settlement', code: '1000' },
  declined: { status: 'processor_declined', code: '2000' },
  expired: { status: 'processor_declined', code: '2004' },
  'code wrong': { status: 'gateway_rejected', reason: 'cvv' },
  'network down': { status: 'failed', code: '3000' },
  fraud: { status: 'gateway_rejected', reason: 'fraud' },
  'not verified': { status: 'gateway_rejected', reason: 'three_d_secure' },
  'address wrong': { status: 'gateway_rejected', reason: 'avs' },
  'number wrong': {
    validation: errorCode('CreditCard', 'NumberIsInvalid'),
    attribute: 'number',
    message: 'Credit card number is invalid.',
  },
};
