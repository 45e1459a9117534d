/**
 * The payment provider names that the API fixes (SPEC §3, §7), and the messages that describe a paid order. All other code of a
 * provider is in its own folders on the server and in the browser.
 */

/** The card gateways that `paymentConfig.defaultGateWayProviderName` can name; '{host}' is the built-in simulator. */
export const cardGateways = ['Stripe', 'Braintree', '{host}'] as const;

/** The gateway name used in the examples of the API documentation: the simulator, as stored on orders. */
export const exampleGateway = 'house';

/** A wallet, offered beside the card gateway. */
export const payPalWallet = {
  /** The provider's name as stored on orders. */
  provider: 'PayPal',
  /** The value of `paymentMethod` that selects it. */
  method: 'payPal',
  /** Its flag in `paymentConfig`. */
  enabledFlag: 'payPalEnabled',
  /** The messages that describe a paid order on the confirmation page and in the account. */
  paidMessages: { confirm: 'confirm.paidPayPal', account: 'account.order.paidPayPal' },
} as const;

export const wallets = [payPalWallet] as const;
export type Wallet = (typeof wallets)[number];

/** The flags of `paymentConfig`: true for each wallet in `setUp`. */
export function walletFlags(setUp: readonly Wallet[]): Record<Wallet['enabledFlag'], boolean> {
  const flags = wallets.map((wallet) => [wallet.enabledFlag, setUp.includes(wallet)] as const);
  // `Object.fromEntries` does not type the keys; there is one entry for each wallet.
  return Object.fromEntries(flags) as Record<Wallet['enabledFlag'], boolean>;
}

/** The messages that describe a paid order, by provider name. */
export function paidMessages(provider: string) {
  const wallet = wallets.find((each) => each.provider === provider);
  return wallet?.paidMessages ?? ({ confirm: 'confirm.paid', account: 'account.order.paid' } as const);
}
