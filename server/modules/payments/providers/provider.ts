/**
 * The interface of payment providers. The shop identifies every attempt to pay by its own `reference`; a provider must treat the
 * same reference as the same attempt however often it arrives, so that a retry after a lost answer never charges twice.
 * `conformance.ts` tests every provider against this.
 */
import type { ErrorType, FieldErrors } from '#contract/errors.ts';
import type { Locale, MessageKey } from '#contract/locales.ts';
import type { PageOrigins } from '#server/http/security-headers.ts';
import type { Settlements } from './settlement.ts';

/** How long a provider may take to answer, ms. After that the answer counts as lost and the outcome is requested again. */
export const providerTimeoutMs = 10_000;

export interface ShipTo {
  name: string;
  /** '' if none was given. */
  phone: string;
  line1: string;
  /** Apartment, floor and the like; '' if none. */
  line2: string;
  city: string;
  /** The province's code such as 'ON', or its name if it has none. */
  province: string;
  postCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** Why a payment failed, in the terms of SPEC §8. Nothing was charged. */
export interface PaymentFailure {
  errorType: Extract<
    ErrorType,
    'AUTHORIZATION_ERROR' | 'VALIDATION_ERROR' | 'TRANSACTION_ERROR' | 'SYSTEM_ERROR'
  >;
  errorKey: MessageKey;
  errors?: FieldErrors;
}

/** The failure of an attempt that ended before any money moved. */
export const attemptEnded = {
  errorType: 'TRANSACTION_ERROR',
  errorKey: 'payment.attemptEnded',
} as const satisfies PaymentFailure;

/** The failure of an attempt that its provider does not know. Whether money was taken is unknown. */
export const attemptUnknown = {
  errorType: 'SYSTEM_ERROR',
  errorKey: 'payment.attemptUnknown',
} as const satisfies PaymentFailure;

/** The failure of a payment that had succeeded, and whose money does not come after all. */
export const notCollected = {
  errorType: 'TRANSACTION_ERROR',
  errorKey: 'payment.notCollected',
} as const satisfies PaymentFailure;

/** As the provider reports it, whether it began in the shop or in the provider's dashboard. */
export interface ProviderRefund {
  id: string;
  /** The id of the shop's own refund that requested it; null if it began elsewhere. */
  key: string | null;
  /** Cents. */
  amount: number;
  /** `given` includes refunds on their way: the money has left the account. */
  state: 'given' | 'failed';
  /** Epoch ms. */
  at: number;
  /** The provider's reason for it, or, of one that failed, for that; '' if it gave none. */
  reason: string;
}

export interface ProviderDispute {
  id: string;
  /** Cents. */
  amount: number;
  /** `open` until the bank or the provider has decided; `won`: the merchant keeps the money. */
  state: 'open' | 'won' | 'lost';
  /** The provider's reason; '' if it gave none. */
  reason: string;
  /** Epoch ms. */
  at: number;
  /** The deadline for the merchant's response, epoch ms; null if none is needed. */
  respondBy: number | null;
  /** Whether the provider still refunds what it is about, by its own rule: an inquiry has taken no money. */
  refundable: boolean;
}

export interface ProviderActivity {
  /**
   * Why the money of a payment that had succeeded does not come after all, such as a bank that declined to settle it days later;
   * null otherwise. Final. Shown to the merchant: no secrets, no personal data.
   */
  uncollected: string | null;
  /** Or why the provider did not list them: each list by itself, since an error is not an empty answer. */
  refunds: readonly ProviderRefund[] | Error;
  disputes: readonly ProviderDispute[] | Error;
}

export const noActivity: ProviderActivity = { uncollected: null, refunds: [], disputes: [] };

export interface Charge {
  reference: string;
  /** For the provider's own records. */
  orderId: string;
  /** Cents of `currency`. */
  amount: number;
  currency: string;
  locale: Locale;
  /** The order's number, as merchant and customer know it, if assigned. */
  orderNumber?: string | null;
  /** Only if the order is shipped: for seller protection and for methods that require it. */
  shipTo?: ShipTo;
}

/** An attempt that has begun: the charge, and the provider's own id (null until the provider has given one). */
export interface Attempt extends Charge {
  providerId: string | null;
  /**
   * Holds the attempt's stock; returns false if it is sold out. A provider that `holdsAtApproval` calls it before the first
   * charge and fails the attempt without charging if it is false. Left out, there is nothing to hold.
   */
  hold?: () => Promise<boolean>;
}

/**
 * An action that the customer has to complete in the browser before the provider decides; `token` is for the provider's own panel
 * there.
 */
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
       * Why every payment fails until the merchant acts, such as a revoked key. It is logged and emailed to the merchant, so it
       * contains no secrets and no personal data.
       */
      merchantProblem?: string;
      /**
       * Why the provider does not know an attempt that had begun there, for instance because its account was changed. If money
       * was taken, only the provider's dashboard shows it, so the merchant is alerted. No secrets, no personal data.
       */
      unknownAttempt?: string;
      /**
       * A request that takes money may still have been on its way from a process that was suspended: the provider is asked once
       * more a day later, and what it took is refunded.
       */
      askAgain?: true;
    }
  /** Waits for the customer. */
  | { state: 'action'; action: PaymentAction }
  /** Not known yet: the provider did not answer, is still deciding, or has no record of it. */
  | {
      state: 'undecided';
      /** Why the provider waits for the merchant, who has to act there; shown to them: no secrets, no personal data. */
      waitsForMerchant?: string;
    };

export interface Webhook {
  /** By name in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The raw body, for verifying its signature. */
  body: Buffer;
}

export interface WebhookSubject {
  /** The attempt's reference; '' if the webhook is not about this shop, or contains only `providerId`. */
  reference: string;
  /** The provider's own id of the attempt, if the webhook contains no reference. */
  providerId?: string;
  /** The key of the refund that changed, if this shop requested it. */
  refundKey?: string;
  /** The customer has completed the required action, so the attempt may be finished (`complete`). */
  shopperActed?: boolean;
  /** The money that it says was taken, or refunded later; absent if it says so of none. */
  money?: ProviderMoney;
}

export interface ProviderMoney {
  /** Cents of `currency`. */
  amount: number;
  /** ISO 4217. */
  currency: string;
}

export interface ListedPayment extends ProviderMoney {
  reference: string;
  /** The id that finds it in the provider's dashboard. */
  id: string;
  /** The order's number as the provider knows it; '' if it does not. */
  orderNumber: string;
  /** Cents refunded since. */
  refunded: number;
  /** When it began, epoch ms. */
  at: number;
}

/**
 * The provider will never send this refund. Any other error of `refund` is retried. The message is shown to the merchant and
 * logged: no secrets, no personal data.
 */
export class RefundRefused extends Error {
  override name = 'RefundRefused';
}

/**
 * The provider cannot send this refund yet; it is retried. The message states the reason and is shown to the merchant: no
 * secrets, no personal data.
 */
export class RefundPending extends Error {
  override name = 'RefundPending';
}

/**
 * The provider has answered and knows no attempt with the id that it gave: its account or mode was changed. The message is logged
 * and shown to the merchant: no secrets, no personal data.
 */
export class AttemptUnknown extends Error {
  override name = 'AttemptUnknown';
}

/**
 * The shop's keys lack a right at the provider, so it did not do what it was asked. The message says which right, and where it is
 * given; it is logged and shown to the merchant: no secrets, no personal data.
 */
export class RightMissing extends Error {
  override name = 'RightMissing';
}

/** Something that the shop needs to do at a provider, tried without an effect. */
export interface RightCheck {
  /** Such as 'list disputes'. */
  right: string;
  /** @throws {RightMissing} if the keys may not do it; any other error if the provider did not say */
  attempt(): Promise<void>;
}

/** A payment handler of the Universal Commerce Protocol. */
export interface AgentPayments<Input = unknown> {
  /** Its name as a reversed domain; left out, the shop's own domain with the provider's name. */
  readonly handler?: string;
  /** The kinds of instruments that it takes. */
  readonly instruments: readonly string[];
  /** What agents need to know to get a token; public. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What `start` takes for an agent's token; null for anything else, such as the number of a card. */
  inputOf(credential: { type: string; token: string }): Input | null;
}

/**
 * `Input` is what the browser sends: card fields, a nonce, a payer's id. Calls to a provider time out after 10 s; none is
 * repeated without its idempotency key (`reference`, `reference:capture`, a refund's `key`).
 */
export interface PaymentProvider<Input = unknown> {
  /** The name in orders and on the wire. */
  readonly name: string;
  /** Whether stock is held when the customer has agreed, before the charge, instead of when the attempt begins. */
  readonly holdsAtApproval?: boolean;
  /** How agents pay by it without a person; left out, they send the person to checkout. */
  readonly agents?: AgentPayments<Input>;
  /** Origins that /payment may use for this provider's browser SDK. */
  readonly browser: PageOrigins;
  /**
   * Requests the charge. `keep(providerId)` stores the provider's own id with the attempt; call it as soon as it is known, before
   * money can move. Must not throw for a failure it recognises; an error counts as undecided. Parallel calls with one reference
   * are one attempt.
   */
  start(charge: Charge, input: Input, keep: (providerId: string) => Promise<void>): Promise<PaymentOutcome>;
  /**
   * Determines the outcome of an attempt: after the customer's action, a webhook, or a lost answer. Finishes an attempt that only
   * waits for the shop (captures an approved wallet order). If it runs in parallel with `cancel`, one of the two wins.
   * `shopperActed`: the customer has just completed the required action, according to their own request or the provider's
   * webhook; otherwise that is unknown.
   * @throws {AttemptUnknown} if the provider knows no attempt by its id
   */
  complete(attempt: Attempt, shopperActed?: boolean): Promise<PaymentOutcome>;
  /**
   * Ends an attempt. The result is final: 'failed' if nothing had been charged, 'succeeded' if it was too late. A `start` that
   * arrives later, or is under way, must not charge. Throws, or returns 'undecided', if the provider cannot be reached.
   */
  cancel(attempt: Attempt): Promise<PaymentOutcome>;
  /**
   * Refunds `amount` cents of an attempt that succeeded; the same `key` never refunds twice. Calls with one `key` never run in
   * parallel.
   * @throws {RefundRefused} if it never will (more than was taken, too old); {@link RefundPending} if it has to wait; any other
   * error is retried
   */
  refund(attempt: Attempt, amount: number, key: string): Promise<void>;
  /**
   * Identifies the attempt of a signed webhook; null if it is not signed by the provider for this shop. The outcome is then
   * requested with `complete`, never taken from the webhook. A signed webhook about something else has the reference '', so that
   * it is accepted and not sent again.
   */
  parseWebhook(webhook: Webhook): Promise<WebhookSubject | null>;
  /**
   * The id by which the provider's dashboard shows an attempt, if it is not the stored one; null if there is none.
   * Throws if the provider cannot be reached.
   */
  transactionId?(attempt: Attempt): Promise<string | null>;
  /**
   * All payments begun since a time (epoch ms) whose money the provider has taken for this shop, by their references. Left out if
   * the provider's API cannot list them. Throws if it does not: the message says why and is shown to the merchant.
   */
  takenSince?(since: number): Promise<ListedPayment[]>;
  /**
   * What became of an attempt that succeeded: every refund and dispute, wherever it began, and whether its money came. Left out if the provider has no dashboard. Throws
   * if it cannot be reached.
   */
  activity?(attempt: Attempt): Promise<ProviderActivity>;
  /** The provider's own books. Left out if its API does not give them. */
  readonly settlements?: Settlements;
  /** All that the keys have to allow, for `doctor`. Left out if there are no keys. */
  rights?(): Promise<readonly RightCheck[]>;
}
