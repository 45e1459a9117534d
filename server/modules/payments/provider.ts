/**
 * What a payment provider is. The shop names every attempt to pay by a `reference` of its own; a
 * provider must take the same reference for the same attempt however often it comes, so that asking
 * again after a lost answer charges nobody twice. `conformance.ts` holds every provider to this.
 */

import type { Locale } from '#contract/locales.ts';
import type { PageOrigins } from '#server/http/security-headers.ts';
import type { Payment, PaymentFailure, ProviderActivity, ShipTo } from '#server/modules/orders/index.ts';

// Shared with orders. A provider's folder imports them from here.
export {
  attemptEnded,
  attemptUnknown,
  type PaymentFailure,
  type ProviderActivity,
  type ProviderDispute,
  type ProviderRefund,
  type ShipTo,
} from '#server/modules/orders/index.ts';

export interface Charge {
  reference: string;
  /** For the provider's own records. */
  orderId: string;
  /** Cents of `currency`. */
  amount: number;
  currency: string;
  /** The shopper's language. */
  locale: Locale;
  /** The order's number, as the merchant and the shopper know it, if it has one by now. */
  orderNumber?: string | null;
  /** Only if the order is shipped: for seller protection and methods that demand it. */
  shipTo?: ShipTo;
}

/** An attempt that has begun: the charge, and the provider's own id of it (null until the provider has given one). */
export interface Attempt extends Charge {
  providerId: string | null;
  /**
   * Holds the attempt's stock; false: it is sold out. A provider that `holdsAtApproval` calls it before the first charge and
   * fails the attempt without charging if it is false. Left out, there is nothing to hold.
   */
  hold?: () => Promise<boolean>;
}

/** The attempt of a payment on record, as its provider is asked about it. */
export function attemptOf({ reference, orderId, amount, currency, locale, providerId, orderNumber, shipTo }: Payment): Attempt {
  return { reference, orderId, amount, currency, locale, providerId, orderNumber, ...(shipTo ? { shipTo } : {}) };
}

/** What the shopper has to do in their browser before the provider decides; `token` is for the provider's own panel there. */
export interface PaymentAction {
  /** Known to the provider's own panel: 'challenge' … */
  type: string;
  token: string;
}

export type PaymentOutcome =
  /** Final. The money was taken. */
  | { state: 'succeeded' }
  /** Final. Nothing was charged, and this reference can never be charged. */
  | {
      state: 'failed';
      failure: PaymentFailure;
      /**
       * Why every payment fails until the merchant acts, such as a revoked key. It is logged and mailed to the
       * merchant, so it holds no secrets and no personal data.
       */
      merchantProblem?: string;
      /**
       * Why the provider knows nothing of an attempt that had begun there, for instance because its account was changed. If
       * money was taken, only the provider's dashboard shows it, so the merchant is alerted. No secrets, no personal data.
       */
      unknownAttempt?: string;
    }
  /** Waits for the shopper. */
  | { state: 'action'; action: PaymentAction }
  /** Not known yet: the provider did not answer, is still deciding, or has never heard of it. */
  | { state: 'undecided' };

export interface Webhook {
  /** By name in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came, for checking its signature. */
  body: Buffer;
}

/** What a signed webhook is about. */
export interface WebhookSubject {
  /** Of the attempt; '' for something that is none of this shop's, or if the webhook carries only `providerId`. */
  reference: string;
  /** The provider's own id of the attempt, which names it if the webhook carries no reference. */
  providerId?: string;
  /** The key of the refund that changed, where the webhook is about one that this shop asked for. */
  refundKey?: string;
  /** The shopper has done what was asked of them, so the attempt may be finished (`complete`). */
  shopperActed?: boolean;
}

/**
 * The provider will not give this money back, now or later. Anything else that `refund` throws is tried again.
 * The message is shown to the merchant and logged: no secrets, no personal data.
 */
export class RefundRefused extends Error {
  override name = 'RefundRefused';
}

/**
 * The provider gives this money back once it can, which is not yet; it is tried again. The message says what
 * it waits for, and is shown to the merchant: no secrets, no personal data.
 */
export class RefundPending extends Error {
  override name = 'RefundNotYet';
}

/**
 * The provider has answered and knows no attempt by the id that it gave: its account or mode was changed. The
 * message is logged and shown to the merchant: no secrets, no personal data.
 */
export class AttemptUnknown extends Error {
  override name = 'AttemptUnknown';
}

/**
 * `Input` is what the browser sends along: card fields, a nonce, a payer's id. Calls to a provider end
 * after 10 s; none is repeated but with its idempotency key (`reference`, `reference:capture`, a
 * refund's `key`).
 */
export interface PaymentProvider<Input = unknown> {
  /** As orders and the wire have it. */
  readonly name: string;
  /** Whether stock is held when the shopper has agreed, before the charge, instead of when the attempt begins. */
  readonly holdsAtApproval?: boolean;
  /** Origins that /payment may use for this provider's browser SDK. */
  readonly browser: PageOrigins;
  /**
   * Asks for the money. `keep(providerId)` stores the provider's own id with the attempt; call it as
   * soon as it is known, before money can move. Must not throw for a failure it understands; what it
   * throws counts as undecided. Two that come at once with one reference are one attempt.
   */
  start(charge: Charge, input: Input, keep: (providerId: string) => Promise<void>): Promise<PaymentOutcome>;
  /**
   * What became of an attempt: after the shopper's action, a webhook, a lost answer. Finishes what only
   * waits for us (an approved wallet order is captured). Where it comes at the same time as `cancel`, one
   * of the two stands. `shopperActed`: the shopper has just done what was asked of them, by their own request or by
   * the provider's webhook; otherwise that is unknown.
   * @throws AttemptUnknown if the provider knows no attempt by its id
   */
  complete(attempt: Attempt, shopperActed?: boolean): Promise<PaymentOutcome>;
  /**
   * Ends an attempt. Afterwards it is final: 'failed' if nothing had been charged, 'succeeded' if it was
   * too late. A `start` that comes late, or is under way, must not charge then. Throws, or says
   * 'undecided', where the provider cannot be reached.
   */
  cancel(attempt: Attempt): Promise<PaymentOutcome>;
  /**
   * Refunds `amount` cents of an attempt that succeeded; the same `key` never refunds twice.
   * It is never asked twice at once for one `key`.
   * @throws {RefundRefused} if it never will (more than was taken, too old); {@link RefundPending} if it has to
   * wait; anything else is tried again
   */
  refund(attempt: Attempt, amount: number, key: string): Promise<void>;
  /**
   * For providers whose refunds can fail after they were given: the reason if the refund of `key` has failed,
   * null if it stands. Reads only.
   */
  refundFailure?(attempt: Attempt, key: string): Promise<string | null>;
  /**
   * Which attempt a signed webhook is about; null if it is not signed by the provider for this shop.
   * What became of it is then asked by `complete`, never believed from the webhook. A signed webhook
   * about something else has the reference '', so that it is taken and not sent again.
   */
  parseWebhook(webhook: Webhook): Promise<WebhookSubject | null>;
  /**
   * The id by which the provider's dashboard shows an attempt, if it is not the stored one; null if there is none.
   * Throws if the provider cannot be reached.
   */
  transactionId?(attempt: Attempt): Promise<string | null>;
  /**
   * Every refund and dispute of an attempt that succeeded, whoever began it. Left out if the provider has
   * no dashboard. Throws if it cannot be reached.
   */
  activity?(attempt: Attempt): Promise<ProviderActivity>;
}
