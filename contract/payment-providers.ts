/**
 * The names of payment providers that the wire fixes (SPEC §3, §7), and the messages that name them. Everything else about a
 * provider is in its own folders on the server and in the browser.
 */

/** The card gateways that `paymentConfig.defaultGateWayProviderName` can name; '{host}' is the built-in simulator. */
export const cardGateways = ['Stripe', 'Braintree', '{host}'] as const;

/** A gateway's name for the examples of the API's documentation: the simulator, as orders have it. */
export const exampleGateway = 'house';

/** A wallet, which is offered beside the card gateway. */
export const payPalWallet = {
  /** The provider's name, as orders have it. */
  provider: 'PayPal',
  /** The shopper's choice of it. */
  method: 'payPal',
  /** Its flag in `paymentConfig`. */
  enabledFlag: 'payPalEnabled',
  /** How a paid order is described, on the confirmation and in the account. */
  paidMessages: { confirm: 'confirm.paidPayPal', account: 'account.order.paidPayPal' },
} as const;

export const wallets = [payPalWallet] as const;
export type Wallet = (typeof wallets)[number];

/** The flags of `paymentConfig`: true for the wallets in `setUp`. */
export function walletFlags(setUp: readonly Wallet[]): Record<Wallet['enabledFlag'], boolean> {
  const flags = wallets.map((wallet) => [wallet.enabledFlag, setUp.includes(wallet)] as const);
  // One entry for each wallet.
  return Object.fromEntries(flags) as Record<Wallet['enabledFlag'], boolean>;
}

/** The messages that describe a paid order, by the provider's name. */
export function paidMessages(provider: string) {
  const wallet = wallets.find((each) => each.provider === provider);
  return wallet?.paidMessages ?? ({ confirm: 'confirm.paid', account: 'account.order.paid' } as const);
}
