/** What browser and server agree on. Each provider is a folder beside this file (docs/how-to/add-a-payment-provider.md). */
import type { TSchema } from 'typebox';
import type { ConnectionFields } from '#contract/connection-fields.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { MessageKey } from '#contract/locales.ts';

interface BaseContract {
  /** The name in orders and on the wire. */
  readonly name: string;
  /** Offered in ascending order. The first gateway that is set up is the shop's, unless the merchant chooses another. */
  readonly rank: number;
  /** Registered by `serve`. Their names and routes are unique in the contract. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Schemas of these calls that OpenAPI describes under a name of their own. */
  readonly schemas?: Readonly<Record<string, TSchema>>;
  /** What owners enter in the office; each field stands in a variable that its `readConfig` reads. */
  readonly connection?: ConnectionFields;
  /** Whether the examples of the API documentation name it. */
  readonly usedInExamples?: true;
}

/** The payment page offers one of them. */
export interface GatewayContract extends BaseContract {
  readonly kind: 'gateway';
  /** The name in `paymentConfig.defaultGateWayProviderName`. */
  readonly gatewayName: string;
}

/** Offered beside the card gateway. */
export interface WalletContract extends BaseContract {
  readonly kind: 'wallet';
  /** The value of `paymentMethod` that selects it. */
  readonly method: string;
  readonly enabledFlag: string;
  /** They describe a paid order on the confirmation page and in the account. */
  readonly paidMessages: { readonly confirm: MessageKey; readonly account: MessageKey };
}

export type ProviderContract = GatewayContract | WalletContract;
