import { type PaymentsEnv, readPaymentKeys } from '#server/modules/payments/index.ts';
import { type EnvSource, readEnvWith } from '#server/platform/env.ts';

export { ConfigurationError } from '#server/platform/env.ts';

export type Env = PaymentsEnv;

/** An empty value counts as not set. @throws {ConfigurationError} naming every invalid variable at once */
export function readEnv(source: EnvSource): Env {
  return readEnvWith(source, readPaymentKeys);
}
