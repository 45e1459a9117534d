/** The calls that pay, each with what its panel gives to it. */
import type { Response } from '#contract/endpoints.ts';
import type { AddressInput } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import type { PanelInput } from './panels.ts';

/** An order that is placed, or what the provider asks of the shopper first. Neither: it has not decided yet. */
export type Paid = Response<'resumePayment'>;

export interface Agreed {
  /** Of the bill as the shopper saw it. */
  billVersion: string;
  billingAddress: AddressInput;
}

export function payBy(api: ApiClient, gatewayName: string, input: PanelInput, agreed: Agreed): Promise<Paid> {
  switch (input.call) {
    case 'postBilling':
      return api.call('postBilling', { params: { gatewayName }, body: { ...input.body, ...agreed } });
    case 'payByStripe':
      return api.call('payByStripe', { body: { ...input.body, ...agreed } });
    case 'payByBraintree':
      return api.call('payByBraintree', { body: { ...input.body, ...agreed } });
  }
}
