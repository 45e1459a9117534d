/** A customer's request to pay, as the routes of providers create it. */
import type { FieldErrors } from '#contract/errors.ts';
import type { AddressInput } from '#contract/schemas/order.ts';

export interface PayRequest {
  /** Passed to the provider and never stored. */
  input: unknown;
  /** The bill the customer saw; left out, the last one that they were given. */
  billVersion?: string | undefined;
  billingAddress?: AddressInput | undefined;
  /** Errors of `input` by the rules of its form. */
  errors?: FieldErrors;
  /** The client's address: after too many declined cards, a network is rate limited. */
  address: string;
}
