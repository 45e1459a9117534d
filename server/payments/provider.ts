/**
 * What a payment provider is. The shop names every attempt to pay by a `reference` of its own; a
 * provider must take the same reference for the same attempt however often it comes, so that asking
 * again after a lost answer charges nobody twice. `conformance.ts` holds every provider to this.
 */
import type { ErrorType, FieldErrors } from '#contract/errors.ts';
import type { MessageKey } from '#contract/locales.ts';

export interface Charge {
  reference: string;
  /** For the provider's own records. */
  orderId: string;
  /** Cents of `currency`. */
  amount: number;
  currency: string;
}

/** Why a payment failed, in the words of SPEC §8. Nothing was charged. */
export interface PaymentFailure {
  errorType: Extract<ErrorType, 'AUTHORIZATION_ERROR' | 'VALIDATION_ERROR' | 'TRANSACTION_ERROR' | 'SYSTEM_ERROR'>;
  errorKey: MessageKey;
  errors?: FieldErrors;
}

export type PaymentOutcome =
  /** The money is ours. Final. */
  | { state: 'succeeded' }
  /** Nothing was charged and by this reference nothing ever will be. Final. */
  | { state: 'failed'; failure: PaymentFailure }
  /** Not known yet: the provider did not answer, or waits for the shopper, or has never heard of it. */
  | { state: 'undecided' };

/** What a provider tells of by itself. */
export interface PaymentEvent {
  reference: string;
  outcome: PaymentOutcome;
}

export interface Webhook {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came, for checking its signature. */
  body: Buffer;
}

/** `Input` is what the browser sends along: card fields, a nonce, a payer's id. */
export interface PaymentProvider<Input = unknown> {
  readonly name: string;
  /** Asks for the money. Must not throw for a failure it understands; what it throws counts as undecided. */
  start(charge: Charge, input: Input): Promise<PaymentOutcome>;
  /** What became of a reference; after the shopper comes back, and after an answer was lost. */
  complete(reference: string): Promise<PaymentOutcome>;
  /**
   * Ends an attempt. Afterwards it is final: 'failed' if nothing had been charged, and a `start` that
   * comes late fails too; 'succeeded' if it was too late to cancel.
   */
  cancel(reference: string): Promise<PaymentOutcome>;
  /** Gives back `amount` cents of a charge that succeeded; asking again for the same is no second refund. Throws where it cannot. */
  refund(reference: string, amount: number): Promise<void>;
  /** Reads a webhook; null where it is not one of ours or not signed by the provider. */
  parseWebhook(webhook: Webhook): PaymentEvent | null;
}
