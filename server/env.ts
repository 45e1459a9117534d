/** Reads the shop's whole configuration: the platform's part, and the keys of the payment providers. */
import { type PaymentsEnv, readPaymentKeys } from '#server/modules/payments/index.ts';
import { type EnvSource, readEnvWith } from '#server/platform/env.ts';

export { ConfigurationError } from '#server/platform/env.ts';

export type Env = PaymentsEnv;

/**
 * Reads the environment. An empty value counts as not set.
 * @throws {ConfigurationError} naming every invalid variable at once
 */
export function readEnv(source: EnvSource): Env {
  return readEnvWith(source, readPaymentKeys);
}
