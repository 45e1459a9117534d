/**
 * The interface of a provider's `contract.ts`: what browser and server agree on. Each provider is a folder beside this file
 * (docs/how-to/add-a-payment-provider.md).
 */
import type { TSchema } from 'typebox';
import type { Endpoint } from '#contract/endpoint.ts';
import type { MessageKey } from '#contract/locales.ts';

interface BaseContract {
  /** The name in orders and on the wire. */
  readonly name: string;
  /**
   * Providers are offered in ascending order. The first gateway that is set up is the shop's, unless the merchant chooses
   * another.
   */
  readonly rank: number;
  /** The provider's calls, which `serve` registers on the server. Their names and routes are unique in the contract. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Schemas of these calls that OpenAPI describes under a name of their own. */
  readonly schemas?: Readonly<Record<string, TSchema>>;
  /** Whether the examples of the API documentation name it. */
  readonly usedInExamples?: true;
}

/** A card gateway, of which the payment page offers one. */
export interface GatewayContract extends BaseContract {
  readonly kind: 'gateway';
  /** The name in `paymentConfig.defaultGateWayProviderName`. */
  readonly gatewayName: string;
}

/** A wallet, offered beside the card gateway. */
export interface WalletContract extends BaseContract {
  readonly kind: 'wallet';
  /** The value of `paymentMethod` that selects it. */
  readonly method: string;
  /** Its flag in `paymentConfig`. */
  readonly enabledFlag: string;
  /** The messages that describe a paid order on the confirmation page and in the account. */
  readonly paidMessages: { readonly confirm: MessageKey; readonly account: MessageKey };
}

export type ProviderContract = GatewayContract | WalletContract;
