/**
 * The payment providers of the payment page: their names in the contract with their browser parts. Each panel is a chunk of its
 * own, loaded when the customer reaches it, and only then loads its provider's script (`script.ts`).
 */
import { type ProviderContracts, type ProviderKey, providers } from '#contract/payment-provider-table.ts';
import type { Gateway, Wallet } from '#contract/payment-providers.ts';
import * as parts from '#payment-providers/browser-registry.ts';
import type { GatewayPart, WalletPart } from './provider-panel.ts';
import { rememberAttempt, rememberedAttempt } from './remembered-attempt.ts';

type PartOf<K extends ProviderKey> = ProviderContracts[K]['kind'] extends 'wallet' ? WalletPart : GatewayPart;

// A provider of the contract without a browser part does not compile.
const byKey: { readonly [K in ProviderKey]: PartOf<K> } = parts;

export type PageGateway = Gateway & GatewayPart;
export type PageWallet = Wallet & WalletPart;

export const gateways: readonly PageGateway[] = providers.flatMap((names) =>
  names.kind === 'gateway' ? [{ ...names, ...byKey[names.key] }] : [],
);
export const wallets: readonly PageWallet[] = providers.flatMap((names) =>
  names.kind === 'wallet' ? [{ ...names, ...byKey[names.key] }] : [],
);

export function findGateway(gatewayName: string): PageGateway | undefined {
  return gateways.find((gateway) => gateway.gatewayName === gatewayName);
}

/** The wallet that a customer chose; undefined for another choice. */
export function findWallet(choice: string | null): PageWallet | undefined {
  return wallets.find(({ method }) => method === choice);
}

/**
 * The address of this page without the parameters that a provider added when the customer returned from another site: they are
 * secret and must not be shared or bookmarked. Null if the customer does not return. The tab may differ from the one that
 * began, because banking apps open their own.
 */
export function addressAfterReturn(): string | null {
  if (typeof location === 'undefined') return null;
  const { pathname, search } = location;
  const parameters = new URLSearchParams(search);
  const returned = gateways.find(({ returnParameters: added }) => added && parameters.has(added.secret));
  if (!returned?.returnParameters) return null;
  if (rememberedAttempt() === null) rememberAttempt(returned.name);
  for (const name of returned.returnParameters.all) parameters.delete(name);
  return pathname + (parameters.size > 0 ? `?${parameters}` : '');
}
