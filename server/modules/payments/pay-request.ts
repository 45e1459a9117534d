/** A shopper's request to pay, as the routes of providers make it. */
import type { FieldErrors } from '#contract/errors.ts';
import type { AddressInput } from '#contract/schemas/order.ts';

export interface PayRequest {
  /** Passed to the provider and stored nowhere. */
  input: unknown;
  /** The bill the shopper saw; left out, whatever the bill is now. */
  billVersion?: string | undefined;
  billingAddress?: AddressInput | undefined;
  /** What is wrong with `input` by the rules of its form. */
  errors?: FieldErrors;
  /** The caller's address: after too many declined cards from one network no more are tried for a while. */
  address: string;
}
