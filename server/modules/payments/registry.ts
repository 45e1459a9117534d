/** The payment providers of the shop. To add one: add its folder, and an import and an entry here. */
import { walletFlags } from '#contract/payment-providers.ts';
import type { PaymentMethod } from '#contract/rules/payment.ts';
import { braintree } from '#payment-providers/braintree/server/index.ts';
import { house } from '#payment-providers/house/server/index.ts';
import { paypal } from '#payment-providers/paypal/server/index.ts';
import { stripe } from '#payment-providers/stripe/server/index.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import type { PaymentsEnv } from './payments-env.ts';
import type { PaymentProvider } from './provider.ts';
import type { KeyMode, ProviderDefinition, ProviderDeps } from './provider-definition.ts';
import { type ProviderProblem, reporting } from './provider-error-reporting.ts';
import type { EnvSource } from './provider-keys.ts';
import { traced } from './traced-provider.ts';

/** In order of preference if the merchant has not chosen a gateway. */
const definitions = { stripe, paypal, braintree, house };

type Definitions = typeof definitions;
type ConfigOf<D> = D extends ProviderDefinition<infer _Provider, infer Config> ? Config : never;

/** The providers, null for those that are not set up. */
export type Providers = { [K in keyof Definitions]: ReturnType<Definitions[K]['create']> | null };

/** The keys of all providers that have some, null for a provider that is not set up. */
export type PaymentKeys = {
  readonly [K in keyof Definitions as ConfigOf<Definitions[K]> extends null ? never : K]: ConfigOf<Definitions[K]> | null;
};

const entries: readonly (readonly [string, ProviderDefinition])[] = Object.entries(definitions);

/** Reads the keys of all providers. `problems` receives the errors, by environment variable. */
export function readPaymentKeys(source: EnvSource, problems: Record<string, string>): PaymentKeys {
  const keys = entries.flatMap(([key, { readConfig }]) => {
    const read = readConfig?.(source);
    if (read) Object.assign(problems, read.problems);
    return read ? [[key, read.config] as const] : [];
  });
  // Each entry comes from the definition of its key.
  return Object.fromEntries(keys) as PaymentKeys;
}

interface SetUpProvider {
  key: string;
  definition: ProviderDefinition;
  config: unknown;
}

/** The providers with keys in `keys`; `withSimulators` adds those that need none. */
function setUpProviders(keys: PaymentKeys, withSimulators: boolean): SetUpProvider[] {
  const configs: Readonly<Record<string, unknown>> = keys;
  return entries.flatMap(([key, definition]) => {
    const config = configs[key] ?? null;
    const isSetUp = definition.readConfig ? config !== null : withSimulators;
    return isSetUp ? [{ key, definition, config }] : [];
  });
}

/** The key modes of the providers that are set up, by the providers' names. */
export function keyModes({ payments }: Pick<PaymentsEnv, 'payments'>): { provider: string; mode: KeyMode }[] {
  return setUpProviders(payments, false).flatMap(({ definition, config }) => {
    const mode = definition.keyMode(config);
    return mode === null ? [] : [{ provider: definition.name, mode }];
  });
}

/**
 * The URL of a payment in its provider's dashboard; null for a provider without one, or that is not set up. `transactionId` is
 * the result of `PaymentProvider.transactionId`; without it the URL may be that of the list of all payments.
 */
export function dashboardUrl(
  keys: PaymentKeys,
  provider: string,
  providerId: string,
  transactionId: string | null = null,
): string | null {
  const found = setUpProviders(keys, false).find(({ definition }) => definition.name === provider);
  return found ? found.definition.dashboardUrl(found.config, providerId, transactionId) : null;
}

/** Each provider's name by the last part of its webhook's URL. */
export const webhookPaths: readonly { path: string; provider: string }[] = entries.map(([, { webhookPath, name }]) => ({
  path: webhookPath,
  provider: name,
}));

export type PaymentRegistry = ReturnType<typeof createPaymentRegistry>;

export interface RegistryDeps extends ProviderDeps {
  env: PaymentsEnv;
  /** Called when a call to a provider fails. */
  onPaymentProblem?: (problem: ProviderProblem) => void;
  /** Traces the calls to providers. */
  tracer?: Tracer;
}

/** `replace` substitutes providers, for tests. */
export function createPaymentRegistry(deps: RegistryDeps, replace: Partial<Providers> = {}) {
  const { env, onPaymentProblem, tracer } = deps;
  const created = new Map<string, PaymentProvider | null>(
    setUpProviders(env.payments, env.simulatedPayments).map(({ key, definition, config }) => [
      key,
      definition.create(config, deps),
    ]),
  );
  for (const [key, provider] of Object.entries(replace)) created.set(key, provider ?? null);
  const reported = (provider: PaymentProvider) => (onPaymentProblem ? reporting(provider, onPaymentProblem) : provider);
  const watched = (provider: PaymentProvider) => reported(tracer ? traced(provider, tracer) : provider);
  const all = entries.flatMap(([key, definition]) => {
    const provider = created.get(key);
    return provider ? [{ key, definition, provider: watched(provider) }] : [];
  });
  const setUp = new Map(all.map(({ key, provider }) => [key, provider]));
  const gateways = all.flatMap(({ definition: { offer }, provider }) =>
    offer.kind === 'wallet' ? [] : [{ gatewayName: offer.gatewayName, provider }],
  );
  const wallets = all.flatMap(({ definition: { offer }, provider }) =>
    offer.kind === 'wallet' ? [{ wallet: offer.wallet, provider }] : [],
  );

  return {
    /** The providers that are set up. */
    all: (): PaymentProvider[] => all.map(({ provider }) => provider),

    /** The provider of a key of the registry, null if it is not set up. */
    get<K extends keyof Providers>(key: K): Providers[K] {
      // The definition of each key created its entry.
      return (setUp.get(key) ?? null) as Providers[K];
    },

    /** Finds a provider by name, as in orders or on the wire (a gateway has two names); null if it is not set up. */
    find(name: string): PaymentProvider | null {
      const byName = all.find(({ provider }) => provider.name === name);
      return byName?.provider ?? gateways.find(({ gatewayName }) => gatewayName === name)?.provider ?? null;
    },

    /** The card gateway for `paymentConfig`: the preferred one if it is set up, else the first that is, else ''. */
    gatewayFor(preferred: string): string {
      const names = gateways.map(({ gatewayName }) => gatewayName);
      return names.find((name) => name === preferred) ?? names[0] ?? '';
    },

    /** The flags of `paymentConfig` for wallets. */
    walletFlags: () => walletFlags(wallets.map(({ wallet }) => wallet)),

    /** The payment method that customers choose for this provider. */
    paymentMethodOf(provider: PaymentProvider): PaymentMethod {
      return wallets.find((each) => each.provider === provider)?.wallet.method ?? 'online';
    },

    /** Every provider with its definition; `provider` is null if it is not set up. */
    definitions: () => entries.map(([key, definition]) => ({ definition, provider: setUp.get(key) ?? null })),
  };
}
