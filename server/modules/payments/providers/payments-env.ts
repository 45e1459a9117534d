/** The payments part of the environment: the keys of the providers. */
import type { Env } from '#server/platform/env.ts';
import type { PaymentKeys } from './registry.ts';

/** The environment of a shop; `payments` has null for a provider that is not set up. */
export type PaymentsEnv = Env<PaymentKeys>;
