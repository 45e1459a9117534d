/** What a payment provider says of the merchant's balance with it: its own books, which the shop's are compared with. */
import type { ProviderMoney } from './provider.ts';

/**
 * - `refundFailed`: a refund came back, and its money with it.
 * - `disputeReversed`: what a dispute had taken came back.
 * - `hold`: money that the provider keeps back for a time, or lets go.
 * - `payoutReversed`: a payout failed or was called off, and its money came back.
 * - `other`: what has nothing to do with sales, such as a conversion of currencies or money that the merchant put in.
 */
export const settlementKinds = [
  'payment',
  'refund',
  'refundFailed',
  'dispute',
  'disputeReversed',
  'fee',
  'hold',
  'payout',
  'payoutReversed',
  'other',
] as const;
export type SettlementKind = (typeof settlementKinds)[number];

/**
 * `settled`: it counts. `pending`: it does not count yet. `denied`: it never will. Of a payout: `sent`, `arrived` as far as the provider
 * knows, or `failed`.
 */
export const settlementStates = ['settled', 'pending', 'denied', 'sent', 'arrived', 'failed'] as const;
export type SettlementState = (typeof settlementStates)[number];

export interface SettlementEntry {
  /** The provider's own id; the same whenever it is listed again. */
  id: string;
  kind: SettlementKind;
  /** The provider's own word: `charge`, `T0006`. */
  type: string;
  state: SettlementState;
  /** Epoch ms. */
  at: number;
  /** When the money may be paid out; of a payout, when the bank should have it. Epoch ms; null where the provider does not say. */
  availableAt: number | null;
  /** ISO 4217: that of the balance. */
  currency: string;
  /** What the balance gained, below zero for what it lost, in the smallest unit. */
  gross: number;
  /** What the provider took of it; below zero where it gave some back. Null where it does not say. */
  fee: number | null;
  /** What the customer paid or got back, which may be in another currency; null where the provider does not say. */
  charged: ProviderMoney | null;
  /** The payout in which it was, or which it is; null: in none yet, or the provider does not say. */
  payout: string | null;
  /** Of a payout: whether the provider lists all that is in it. */
  complete: boolean;
  /** Which of the shop's it belongs to, as far as the provider says. */
  about: {
    /** By which the dashboard finds the payment; '' for none. */
    dashboard: string;
    /** The shop's reference of the attempt. */
    reference?: string | undefined;
    /** The provider's id of the attempt. */
    providerId?: string | undefined;
    /** The entry of the payment that it changes, by its id. */
    entry?: string | undefined;
    /** The shop's id of the refund, and the provider's. */
    refundKey?: string | undefined;
    refundId?: string | undefined;
    disputeId?: string | undefined;
  };
}

export interface SettlementPiece {
  entries: readonly SettlementEntry[];
  /** What of the provider's own figures does not agree; shown to the merchant. */
  problem?: string;
}

/** How the balance is read. All of it may be read again: an entry keeps its id. */
export interface Settlements {
  /** Whether the provider says which entries a payout consists of, and what it takes for each. */
  readonly says: { rowsOfPayouts: boolean; fees: boolean };
  /**
   * Everything that happened from one time to another (epoch ms, at most 31 days), in pieces, and what was paid out then.
   * `isListed`: whether all entries of a payout are known already, so that they need not be listed again.
   * Returns until when the provider lists everything: some are hours behind.
   * @throws {RightMissing} if the keys may not list it; any other error if the provider did not answer
   */
  read(
    from: number,
    to: number,
    isListed: (payout: string) => boolean,
  ): AsyncGenerator<SettlementPiece, number>;
}

/** Most tries of one question to a provider that asks for patience. */
const tries = 5;

/** Asks again after 1, 2, 4 and 8 s while the provider says that it was asked too often. */
export async function patiently<T>(
  ask: () => Promise<T>,
  isTooOften: (error: unknown) => boolean,
  wait: (ms: number) => Promise<unknown> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await ask();
    } catch (error) {
      if (tried >= tries || !isTooOften(error)) throw error;
      await wait(500 * 2 ** tried);
    }
  }
}
