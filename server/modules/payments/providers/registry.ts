/** Creates the payment providers that are set up, and finds them. Each is a folder of `payment-providers/`. */
import { type NamedProvider, type ProviderKey, providers } from '#contract/payment-provider-table.ts';
import { walletFlags } from '#contract/payment-providers.ts';
import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import * as definitions from '#payment-providers/server-registry.ts';
import type { Env } from '#server/platform/env.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { AttemptUnknown, type PaymentProvider, RefundPending, RefundRefused } from './provider.ts';
import type { EnvSource, KeyMode, ProviderDefinition, ProviderDeps } from './provider-definition.ts';

/**
 * Watches the calls to a provider: reports those that fail, and makes each a span. The shop treats an error from a provider as an
 * unknown outcome and asks again; without the report, a wrong key would go unnoticed all day.
 */
export interface ProviderProblem {
  provider: string;
  asked: 'start' | 'complete' | 'cancel' | 'refund';
  reference: string;
  err: unknown;
}

const questions: readonly string[] = [
  'start',
  'complete',
  'cancel',
  'refund',
] satisfies ProviderProblem['asked'][];

const isAnswer = (err: unknown) =>
  [RefundRefused, RefundPending, AttemptUnknown].some((answer) => err instanceof answer);

/** Wraps a provider so that errors of its calls are reported. Refusals, pending refunds and unknown attempts count as answers. */
export function reporting<P extends PaymentProvider>(
  provider: P,
  report: (problem: ProviderProblem) => void,
): P {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string' || !questions.includes(name)) return value;
      return async (attempt: { reference: string }, ...rest: unknown[]) => {
        try {
          return await Reflect.apply(value, target, [attempt, ...rest]);
        } catch (err) {
          const asked = name as ProviderProblem['asked'];
          if (!isAnswer(err)) report({ provider: target.name, asked, reference: attempt.reference, err });
          throw err;
        }
      };
    },
  });
}

const tracedCalls: readonly (keyof PaymentProvider)[] = [
  'start',
  'complete',
  'cancel',
  'refund',
  'transactionId',
  'activity',
];

/** Makes each call a span. No header of the trace is sent along. The spans name the provider and the call, nothing about the payment. */
function traced<P extends PaymentProvider>(provider: P, tracer: Tracer): P {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || !tracedCalls.some((call) => call === name)) return value;
      const attributes = {
        'shopwright.payment.provider': target.name,
        'shopwright.payment.call': String(name),
      };
      return (...input: unknown[]) =>
        tracer.span(
          'payment provider',
          attributes,
          async () => Reflect.apply(value, target, input),
          'client',
        );
    },
  });
}

type Definitions = typeof definitions;
type ConfigOf<D> = D extends ProviderDefinition<infer _Provider, infer Config> ? Config : never;

/** The providers, null for those that are not set up. */
export type Providers = { [K in keyof Definitions]: ReturnType<Definitions[K]['create']> | null };

/** The keys of all providers that have some, null for a provider that is not set up. */
export type PaymentKeys = {
  readonly [K in keyof Definitions as ConfigOf<Definitions[K]> extends null ? never : K]: ConfigOf<
    Definitions[K]
  > | null;
};

// A provider of the contract without a definition does not compile.
const byKey: Readonly<Record<ProviderKey, ProviderDefinition>> = definitions;

/** In ascending order of their ranks. */
const entries: readonly { names: NamedProvider; definition: ProviderDefinition }[] = providers.map(
  (names) => ({
    names,
    definition: byKey[names.key],
  }),
);

/** Reads the keys of all providers. `problems` receives the errors, by environment variable. */
export function readPaymentKeys(source: EnvSource, problems: Record<string, string>): PaymentKeys {
  const keys = entries.flatMap(({ names, definition }) => {
    const read = definition.readConfig?.(source);
    if (read) Object.assign(problems, read.problems);
    return read ? [[names.key, read.config] as const] : [];
  });
  // Each entry comes from the definition of its key.
  return Object.fromEntries(keys) as PaymentKeys;
}

interface SetUpProvider {
  names: NamedProvider;
  definition: ProviderDefinition;
  config: unknown;
}

/** The providers with keys in `keys`; `withSimulators` adds those that need none. */
function setUpProviders(keys: PaymentKeys, withSimulators: boolean): SetUpProvider[] {
  const configs: Readonly<Record<string, unknown>> = keys;
  return entries.flatMap(({ names, definition }) => {
    const config = configs[names.key] ?? null;
    const isSetUp = definition.readConfig ? config !== null : withSimulators;
    return isSetUp ? [{ names, definition, config }] : [];
  });
}

/** The key modes of the providers that are set up, by the providers' names. */
export function keyModes({ payments }: Pick<PaymentsEnv, 'payments'>): { provider: string; mode: KeyMode }[] {
  return setUpProviders(payments, false).flatMap(({ names, definition, config }) => {
    const mode = definition.keyMode(config);
    return mode === null ? [] : [{ provider: names.name, mode }];
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
  const found = setUpProviders(keys, false).find(({ names }) => names.name === provider);
  return found ? found.definition.dashboardUrl(found.config, providerId, transactionId) : null;
}

/** Where a dispute is answered; null if its provider has no such page, or is not set up. */
export function disputeUrl(keys: PaymentKeys, provider: string, disputeId: string): string | null {
  const found = setUpProviders(keys, false).find(({ names }) => names.name === provider);
  return found ? found.definition.disputeUrl(found.config, disputeId) : null;
}

/** Each provider's name by the last part of its webhook's URL. */
export const webhookPaths: readonly { path: string; provider: string }[] = entries.map(
  ({ names, definition }) => ({
    path: definition.webhookPath,
    provider: names.name,
  }),
);

export type PaymentRegistry = ReturnType<typeof createPaymentRegistry>;

interface RegistryDeps extends ProviderDeps {
  env: PaymentsEnv;
  onPaymentProblem?: (problem: ProviderProblem) => void;
  tracer?: Tracer;
}

/** The providers that are set up, each watched. `replace` substitutes some, for tests. */
function watchedProviders(
  deps: RegistryDeps,
  replace: Partial<Providers>,
): { names: NamedProvider; provider: PaymentProvider }[] {
  const { env, onPaymentProblem, tracer } = deps;
  const created = new Map<string, PaymentProvider | null>(
    setUpProviders(env.payments, env.simulatedPayments).map(({ names, definition, config }) => [
      names.key,
      definition.create(config, deps),
    ]),
  );
  for (const [key, provider] of Object.entries(replace)) created.set(key, provider ?? null);
  const reported = (provider: PaymentProvider) =>
    onPaymentProblem ? reporting(provider, onPaymentProblem) : provider;
  const watched = (provider: PaymentProvider) => reported(tracer ? traced(provider, tracer) : provider);
  return entries.flatMap(({ names }) => {
    const provider = created.get(names.key);
    return provider ? [{ names, provider: watched(provider) }] : [];
  });
}

/** What is set up: of the environment, or set in the office. */
type KeysInUse = Pick<PaymentsEnv, 'payments' | 'simulatedPayments'>;

/** The providers that are set up. Others take their place when `use` brings other keys, while the shop runs. */
export function createPaymentRegistry(deps: RegistryDeps, replace: Partial<Providers> = {}) {
  let inUse: KeysInUse = deps.env;
  let { all, setUp, gateways, wallets } = setUpWith(inUse);

  function setUpWith({ payments, simulatedPayments }: KeysInUse) {
    const found = watchedProviders({ ...deps, env: { ...deps.env, payments, simulatedPayments } }, replace);
    return {
      all: found,
      setUp: new Map<string, PaymentProvider>(found.map(({ names, provider }) => [names.key, provider])),
      gateways: found.flatMap(({ names, provider }) =>
        names.kind === 'gateway' ? [{ gatewayName: names.gatewayName, provider }] : [],
      ),
      wallets: found.flatMap(({ names, provider }) =>
        names.kind === 'wallet' ? [{ wallet: names, provider }] : [],
      ),
    };
  }

  const shown = ({ payments, simulatedPayments }: KeysInUse) => JSON.stringify([payments, simulatedPayments]);

  return {
    /** The same keys as before leave the providers, and what they hold in memory, as they are. */
    use(keys: KeysInUse): void {
      if (shown(keys) !== shown(inUse)) ({ all, setUp, gateways, wallets } = setUpWith(keys));
      inUse = keys;
    },

    keys: (): PaymentKeys => inUse.payments,

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

    /**
     * The online payment methods that are set up, with the merchant's card gateway if it is, else the first. `preferredGateway` is
     * its wire name, '' for no preference; null if the shop takes no online payments.
     */
    onlineMethods(preferredGateway: string | null): Omit<PaymentConfig, 'payAtStoreEnabled'> {
      if (preferredGateway === null)
        return { paymentOnline: false, ...walletFlags([]), defaultGateWayProviderName: '' };
      const gateway =
        gateways.find(({ gatewayName }) => gatewayName === preferredGateway)?.gatewayName ??
        gateways[0]?.gatewayName ??
        '';
      const flags = walletFlags(wallets.map(({ wallet }) => wallet));
      return {
        paymentOnline: gateway !== '' || Object.values(flags).includes(true),
        ...flags,
        defaultGateWayProviderName: gateway,
      };
    },

    /** The providers on the payment page: the wallets, and the card gateway. `preferredGateway` as in `onlineMethods`. */
    offered(preferredGateway: string | null): PaymentProvider[] {
      if (preferredGateway === null) return [];
      const gateway = gateways.find(({ gatewayName }) => gatewayName === preferredGateway) ?? gateways[0];
      return [...(gateway ? [gateway.provider] : []), ...wallets.map(({ provider }) => provider)];
    },

    /** The payment method that customers choose for this provider. */
    paymentMethodOf(provider: PaymentProvider): PaymentMethod {
      return wallets.find((each) => each.provider === provider)?.wallet.method ?? 'online';
    },

    /** Every provider's definition, with the provider at the time of asking; null if it is not set up. */
    definitions: () =>
      entries.map(({ names, definition }) => ({
        definition,
        provider: (): PaymentProvider | null => setUp.get(names.key) ?? null,
      })),
  };
}

/** The environment of a shop; `payments` has null for a provider that is not set up. */
export type PaymentsEnv = Env<PaymentKeys>;

/**
 * One sentence for each provider with the wrong mode: test keys in a public shop (PUBLIC_URL, or NODE_ENV=production) that is not
 * the demo, and live keys in the demo. Does not repeat the keys.
 */
export function keyModeProblems(
  env: Pick<PaymentsEnv, 'payments' | 'demo' | 'production' | 'publicUrl'>,
): string[] {
  const open = !env.demo && (env.production || env.publicUrl !== null);
  return keyModes(env).flatMap(({ provider, mode }) => {
    if (open && mode === 'test')
      return [
        `${provider} has test keys: orders are placed, but no money is taken. Set the live keys before you sell.`,
      ];
    if (env.demo && mode === 'live')
      return [
        `${provider} has live keys in the demo shop: real cards are charged for demo products. Set test keys, or DEMO=0.`,
      ];
    return [];
  });
}
