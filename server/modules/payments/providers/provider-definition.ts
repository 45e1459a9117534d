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
interface ProviderRouteTools {
  paying: {
    pay(session: SessionHandle, providerName: string, request: PayRequest, locale: Locale): Promise<Paid>;
    resume(
      session: SessionHandle,
      providerName: string,
      address: string,
      attempt: AttemptWanted,
    ): Promise<Paid>;
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
  /** The URL at which a dispute is answered, null if the provider has none. */
  disputeUrl(config: Config, disputeId: string): string | null;
  /** Registers the provider's calls of SPEC §7. `provider` gives null while it is not set up; then the calls answer 404. */
  registerRoutes(
    app: FastifyInstance,
    provider: () => Promise<Provider | null>,
    tools: ProviderRouteTools,
  ): void;
}

export const gatewayNotSetUp = () => new AppError('NOT_FOUND', { errorKey: 'rule.gatewayNotSetUp' });

/** The error if a provider does not deliver what its own form needs. */
export const paymentFormUnavailable = () =>
  new AppError('SYSTEM_ERROR', { errorKey: 'payment.unavailable', status: 503 });

/** Reads a provider's keys from the environment: all of them or none. */
export type EnvSource = Readonly<Record<string, string | undefined>>;

/** `config` is null if nothing is set, or if `problems` (by key: 'must be …') lists errors. */
export interface KeysRead<Config> {
  config: Config | null;
  problems: Record<string, string>;
}

/** Returns the parsed value, undefined if it is invalid. `expected` completes 'must be …'. */
export interface KeyRule {
  expected: string;
  parse(text: string): string | undefined;
  /** The default; a key without one is required as soon as any other is set. */
  fallback?: string | null;
}

/** Reads the keys of one provider by their rules. An empty value counts as not set. Problems never repeat values. */
export function readKeys<K extends string>(
  source: EnvSource,
  rules: Readonly<Record<K, KeyRule>>,
): KeysRead<Record<K, string | null>> {
  const problems: Record<string, string> = {};
  const values = {} as Record<K, string | null>;
  const names = Object.keys(rules) as K[];
  const isSet = (name: K) => Boolean(source[name]?.trim());
  if (!names.some(isSet)) return { config: null, problems };
  for (const name of names) {
    const { expected, parse, fallback } = rules[name];
    const text = source[name]?.trim();
    const value = text ? parse(text) : fallback;
    if (value === undefined)
      problems[name] = text ? `must be ${expected}` : `is missing: it must be ${expected}`;
    else values[name] = value;
  }
  return { config: Object.keys(problems).length > 0 ? null : values, problems };
}

export function matching(pattern: RegExp, expected: string): KeyRule {
  return { expected, parse: (text) => (pattern.test(text) ? text : undefined) };
}

export function oneOf(choices: readonly string[], fallback: string): KeyRule {
  return {
    expected: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((each) => each === text),
    fallback,
  };
}

/** The URL of a fake of the provider's API; never another machine, which would receive the secrets. Null: the provider's own. */
export const testApiUrl: KeyRule = {
  expected: 'an http:// address of this machine (127.0.0.1, localhost); it is for tests',
  parse(text) {
    if (!URL.canParse(text)) return undefined;
    const { protocol, hostname, origin } = new URL(text);
    return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
      ? origin
      : undefined;
  },
  fallback: null,
};
