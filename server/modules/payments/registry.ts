/** The payment providers this shop can use. Adding one is its folder, its keys in the environment and a line here. */
import type { Database } from '#db/database.ts';
import type { Env } from '#server/platform/env.ts';
import type { BraintreeProvider, PaymentProvider, PayPalProvider, StripeProvider } from './provider.ts';
import { type ProviderProblem, reporting } from './provider-error-reporting.ts';
import { createBraintreeProvider } from './providers/braintree/braintree.ts';
import { createHouseProvider, type HouseProvider, houseName } from './providers/house/house.ts';
import { createPayPalProvider } from './providers/paypal/paypal.ts';
import { createStripeProvider } from './providers/stripe/stripe.ts';

/** How the SPEC writes the built-in gateway on the wire. */
export const houseGateway = '{host}';

/** Those that are set up, each with what its own calls need of it. */
export interface Providers {
  house: HouseProvider | null;
  stripe: StripeProvider | null;
  payPal: PayPalProvider | null;
  braintree: BraintreeProvider | null;
}

export interface PaymentRegistry extends Providers {
  /** Those that are set up. */
  all(): PaymentProvider[];
  /** The provider of a name, however the wire writes it: '{host}' or 'house', 'Stripe', 'PayPal', 'Braintree'. Null where it is not set up. */
  find(name: string): PaymentProvider | null;
  /** The card gateway for `paymentConfig`: the one wanted where it is set up, else the first that is, else ''. */
  gatewayFor(wanted: string): string;
}

export interface RegistryDeps {
  db: Database;
  env: Env;
  now: () => number;
  /** Told when a provider cannot be asked. */
  onPaymentProblem?: (problem: ProviderProblem) => void;
}

function providersOf(deps: RegistryDeps): Providers {
  const { env } = deps;
  return {
    house: env.houseGateway ? createHouseProvider(deps) : null,
    stripe: env.payments.stripe ? createStripeProvider(env.payments.stripe, deps) : null,
    payPal: env.payments.paypal && createPayPalProvider({ ...deps, config: env.payments.paypal }),
    braintree: env.payments.braintree && createBraintreeProvider({ ...deps, config: env.payments.braintree }),
  };
}

/** `replace` puts others in the place of providers, for tests. */
export function createPaymentRegistry(deps: RegistryDeps, replace: Partial<Providers> = {}): PaymentRegistry {
  const report = deps.onPaymentProblem;
  const told = <P extends PaymentProvider>(provider: P | null) => provider && (report ? reporting(provider, report) : provider);
  const made = { ...providersOf(deps), ...replace };
  const providers: Providers = {
    house: told(made.house),
    stripe: told(made.stripe),
    payPal: told(made.payPal),
    braintree: told(made.braintree),
  };
  const { house, stripe, braintree } = providers;
  const all = () => Object.values(providers).filter((provider) => provider !== null);
  return {
    ...providers,
    all,
    find: (name) => all().find((provider) => provider.name === (name === houseGateway ? houseName : name)) ?? null,
    gatewayFor(wanted) {
      const gateways = [stripe && 'Stripe', braintree && 'Braintree', house && houseGateway].filter((name) => name !== null);
      return gateways.find((name) => name === wanted) ?? gateways[0] ?? '';
    },
  };
}
