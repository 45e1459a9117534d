/** Each panel is a chunk of its own, which loads its provider's script only when the customer reaches it. */
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

export function findWallet(choice: string | null): PageWallet | undefined {
  return wallets.find(({ method }) => method === choice);
}

/** Parameters that a provider added are secret and must not be shared. The tab may differ from the one that began: banking apps open their own. */
export function addressAfterReturn(): string | null {
  if (typeof location === 'undefined') return null;
  const { pathname, search } = location;
  const parameters = new URLSearchParams(search);
  const returned = gateways.find(({ returnParameters: added }) => added && parameters.has(added.secret));
  if (!returned?.returnParameters) return null;
  const due = parameters.get('due') ?? undefined;
  if (rememberedAttempt(due) === null) rememberAttempt(returned.name, due);
  for (const name of returned.returnParameters.all) parameters.delete(name);
  return pathname + (parameters.size > 0 ? `?${parameters}` : '');
}
