/** The payment providers this shop can use. Adding one is its folder and a line here. */
import type { Database } from '#db/database.ts';
import type { Env } from '../env.ts';
import { createHouseProvider, houseName } from './house/house.ts';
import type { PaymentProvider } from './provider.ts';

/** How the SPEC writes the built-in gateway on the wire. */
export const houseGateway = '{host}';

export interface PaymentRegistry {
  /** The provider of a name, null where it is not set up. */
  find(name: string): PaymentProvider | null;
  /** The one behind the plain card form: by the wire's name, '{host}', or by 'house'. Null where it is not set up. */
  cardGateway(gatewayName: string): PaymentProvider | null;
  /** The gateway name for `paymentConfig`: the one wanted where it is set up, else '' . */
  gatewayFor(wanted: string): string;
}

export function createPaymentRegistry({ db, env, now }: { db: Database; env: Env; now: () => number }): PaymentRegistry {
  const providers = new Map<string, PaymentProvider>();
  if (env.houseGateway) providers.set(houseName, createHouseProvider({ db, now }));
  return {
    find: (name) => providers.get(name) ?? null,
    cardGateway: (name) => (name === houseGateway || name === houseName ? (providers.get(houseName) ?? null) : null),
    gatewayFor: (wanted) => (wanted === houseGateway && providers.has(houseName) ? houseGateway : ''),
  };
}
