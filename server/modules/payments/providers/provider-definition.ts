/** The interface of a payment provider's server part, which `payment-providers/server-registry.ts` lists. */
import type { FastifyInstance } from 'fastify';
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import type { AddressInput, Order } from '#contract/schemas/order.ts';
import type { Paid } from '#contract/schemas/payment.ts';
import type { Database } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { PaymentProvider } from './provider.ts';
import type { EnvSource, KeysRead } from './provider-keys.ts';

/** Test keys take no money, live keys take real money. */
export type KeyMode = 'test' | 'live';

export interface ProviderDeps {
  db: Database;
  now: () => number;
}

/** A customer's request to pay, as the routes of providers create it. */
export interface PayRequest {
  /** Passed to the provider and never stored. */
  input: unknown;
  /** The bill the customer saw, or the `dueVersion` of an order; left out, the last bill that they were given. */
  billVersion?: string | undefined;
  billingAddress?: AddressInput | undefined;
  /** Errors of `input` by the rules of its form. */
  errors?: FieldErrors;
  /** The client's address: after too many declined cards, a network is rate limited. */
  address: string;
}

/** Which attempt a customer goes on with: of their cart, or of the order with this `dueVersion`; the newest, or the one with this id. */
export interface AttemptWanted {
  dueVersion?: string | undefined;
  providerId?: string | undefined;
}

/** The tools for a provider's routes. `paying` is described in `checkout/paying/pay.ts`. */
export interface ProviderRouteTools {
  paying: {
    pay(session: SessionHandle, providerName: string, request: PayRequest, locale: Locale): Promise<Paid>;
    resume(session: SessionHandle, providerName: string, address: string, attempt: AttemptWanted): Promise<Paid>;
    /** `billVersion` as in `PayRequest`. */
    cancel(session: SessionHandle, locale: Locale, billVersion?: string): Promise<Order>;
  };
  /** The shop's currency, ISO 4217. */
  currency(): Promise<string>;
  now: () => number;
}

export interface ProviderDefinition<Provider extends PaymentProvider = PaymentProvider, Config = unknown> {
  /** The last part of the URL of its webhook: /api/webhooks/<path>. */
  readonly webhookPath: string;
  /** Reads its keys from the environment. Null: a simulator without keys, which runs only where `env.simulatedPayments` is set. */
  readonly readConfig: ((source: EnvSource) => KeysRead<Config>) | null;
  create(config: Config, deps: ProviderDeps): Provider;
  /** Null for a simulator. */
  keyMode(config: Config): KeyMode | null;
  /**
   * The URL of a payment in the provider's dashboard, null if it has none. `transactionId`: see `PaymentProvider.transactionId`.
   */
  dashboardUrl(config: Config, providerId: string, transactionId: string | null): string | null;
  /** Registers the provider's calls of SPEC §7. `provider` is null if it is not set up; then the calls answer 404. */
  registerRoutes(app: FastifyInstance, provider: Provider | null, tools: ProviderRouteTools): void;
}

export const gatewayNotSetUp = () => new AppError('NOT_FOUND', { errorKey: 'rule.gatewayNotSetUp' });

/** The error if a provider does not deliver what its own form needs. */
export const paymentFormUnavailable = () => new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });
