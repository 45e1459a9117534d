/**
 * The payment providers of the payment page: their names in the contract with their browser parts. Each panel is a chunk of its
 * own, loaded when the customer reaches it, and only then loads its provider's script (`script.ts`).
 */
import { type ProviderContracts, type ProviderKey, providers } from '#contract/payment-provider-table.ts';
import type { Gateway, Wallet } from '#contract/payment-providers.ts';
import * as parts from '#payment-providers/browser-registry.ts';
import type { GatewayPart, WalletPart } from './provider-panel.ts';

type PartOf<K extends ProviderKey> = ProviderContracts[K]['kind'] extends 'wallet' ? WalletPart : GatewayPart;

// A provider of the contract without a browser part does not compile.
const byKey: { readonly [K in ProviderKey]: PartOf<K> } = parts;

/** A card gateway with its names and its panel. */
export type PageGateway = Gateway & GatewayPart;
/** A wallet with its names and its button. */
export type PageWallet = Wallet & WalletPart;

export const gateways: readonly PageGateway[] = providers.flatMap((names) =>
  names.kind === 'gateway' ? [{ ...names, ...byKey[names.key] }] : [],
);
export const wallets: readonly PageWallet[] = providers.flatMap((names) =>
  names.kind === 'wallet' ? [{ ...names, ...byKey[names.key] }] : [],
);

/** The gateway by its name in `paymentConfig`. */
export function findGateway(gatewayName: string): PageGateway | undefined {
  return gateways.find((gateway) => gateway.gatewayName === gatewayName);
}

/** The wallet that a customer chose; undefined for another choice. */
export function findWallet(choice: string | null): PageWallet | undefined {
  return wallets.find(({ method }) => method === choice);
}
