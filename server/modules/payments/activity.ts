/** What happened to a payment at its provider after it was taken, whoever caused it: the shop, or somebody in the provider's dashboard. */

export interface ProviderRefund {
  /** The provider's id. */
  id: string;
  /** The id of the shop's own refund that asked for it; null for one that the shop did not ask for. */
  key: string | null;
  /** Cents. */
  amount: number;
  /** `given` also while it is on its way: the money has left the account. */
  state: 'given' | 'failed';
  /** Epoch ms. */
  at: number;
  /** Of the provider; '' if it gave none. */
  reason: string;
}

export interface ProviderDispute {
  /** The provider's id. */
  id: string;
  /** Cents. */
  amount: number;
  /** `open` until the bank or the provider has decided; `won`: the merchant keeps the money. */
  state: 'open' | 'won' | 'lost';
  /** Of the provider; '' if it gave none. */
  reason: string;
  /** Epoch ms. */
  at: number;
  /** Until when the merchant can answer, epoch ms; null if there is nothing to answer. */
  respondBy: number | null;
}

export interface ProviderActivity {
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}
