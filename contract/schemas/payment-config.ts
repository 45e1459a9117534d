/** SPEC §3. */
import Type, { type Static } from 'typebox';
import { type Wallet, wallets } from '../payment-providers.ts';

import { described, Flag } from './common.ts';

const flags = wallets.map(({ enabledFlag }) => [enabledFlag, Flag] as const);

export const PaymentConfig = Type.Object({
  payAtStoreEnabled: described('Whether orders can be paid at the store.', Flag),
  paymentOnline: described('Whether orders can be paid online.', Flag),
  payOnlineAtTables: Type.Optional(described('True if orders at tables are paid online only.', Flag)),
  // `Object.fromEntries` does not type the keys; there is one flag for each wallet.
  ...(Object.fromEntries(flags) as Record<Wallet['enabledFlag'], typeof Flag>),
  defaultGateWayProviderName: described(
    "The card gateway's name on the wire; '' if none is set up.",
    Type.String(),
  ),
});
export type PaymentConfig = Static<typeof PaymentConfig>;
