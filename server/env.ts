import { type PaymentKeys, type PaymentsEnv, readPaymentKeys } from '#server/modules/payments/index.ts';
import { type Connected, type EnvSource, readConnectedWith, readEnvWith } from '#server/platform/env.ts';

export { ConfigurationError } from '#server/platform/env.ts';

export type Env = PaymentsEnv;

/** An empty value counts as not set. @throws {ConfigurationError} naming every invalid variable at once */
export function readEnv(source: EnvSource): Env {
  return readEnvWith(source, readPaymentKeys);
}

/** What owners may set in the office, too. `problems` receives what is invalid, by variable. */
export const readConnected = (source: EnvSource, problems: Record<string, string>): Connected<PaymentKeys> =>
  readConnectedWith(source, readPaymentKeys, problems);
