/** The names that the API fixes (SPEC §3, §7), from the `contract.ts` of each provider. */
import { type NamedProvider, providers } from './payment-provider-table.ts';

export type Gateway = Extract<NamedProvider, { kind: 'gateway' }>;

export type Wallet = Extract<NamedProvider, { kind: 'wallet' }>;

export const wallets: readonly Wallet[] = providers.filter((provider) => provider.kind === 'wallet');

/** For `paymentConfig.defaultGateWayProviderName`. */
export function gatewayNames(): string[] {
  return providers.flatMap((provider) => (provider.kind === 'gateway' ? [provider.gatewayName] : []));
}

/** For `paymentConfig`: true for each wallet in `setUp`. */
export function walletFlags(setUp: readonly Wallet[]): Record<Wallet['enabledFlag'], boolean> {
  const flags = wallets.map((wallet) => [wallet.enabledFlag, setUp.includes(wallet)] as const);
  // `Object.fromEntries` does not type the keys; there is one entry for each wallet.
  return Object.fromEntries(flags) as Record<Wallet['enabledFlag'], boolean>;
}

/** They describe a paid order, by provider name. */
export function paidMessages(provider: string) {
  const wallet = wallets.find((each) => each.name === provider);
  return wallet?.paidMessages ?? ({ confirm: 'confirm.paid', account: 'account.order.paid' } as const);
}
