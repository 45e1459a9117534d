/** Which ways of paying are on (SPEC §3). */
import Type, { type Static } from 'typebox';
import { type Wallet, wallets } from '../payment-providers.ts';
import { Flag } from './common.ts';

const flags = wallets.map(({ enabledFlag }) => [enabledFlag, Flag] as const);

export const PaymentConfig = Type.Object({
  payAtStoreEnabled: Flag,
  paymentOnline: Flag,
  // `Object.fromEntries` does not type the keys; there is one flag for each wallet.
  ...(Object.fromEntries(flags) as Record<Wallet['enabledFlag'], typeof Flag>),
  /** The card gateway's name on the wire; '' if none is set up. */
  defaultGateWayProviderName: Type.String(),
});
export type PaymentConfig = Static<typeof PaymentConfig>;
