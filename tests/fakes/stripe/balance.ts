/**
 * Stripe's balance: a transaction for each movement, and automatic payouts.
 * https://docs.stripe.com/api/balance_transactions/object · /payouts/object · https://docs.stripe.com/reports/reporting-categories
 */
import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { Charge, Dispute, Refund } from './objects.ts';

export type Payout = Pick<
  Stripe.Payout,
  | 'id'
  | 'object'
  | 'amount'
  | 'arrival_date'
  | 'automatic'
  | 'created'
  | 'currency'
  | 'failure_code'
  | 'method'
  | 'reconciliation_status'
  | 'status'
  | 'type'
> & { balance_transaction: string; failure_balance_transaction: string | null };

type Source = Charge | Refund | Dispute | Payout;

export type BalanceTransaction = Pick<
  Stripe.BalanceTransaction,
  | 'id'
  | 'object'
  | 'amount'
  | 'available_on'
  | 'balance_type'
  | 'created'
  | 'currency'
  | 'description'
  | 'exchange_rate'
  | 'fee'
  | 'fee_details'
  | 'net'
  | 'reporting_category'
  | 'status'
  | 'type'
> & { source: string | null };

const now = () => Math.floor(Date.now() / 1000);
const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;
/** Seconds from a charge until its money is available. */
const settlesAfter = 2 * 24 * 3600;
const disputeFee = 1500;

export class StripeBalance {
  /** The oldest first. */
  readonly transactions: BalanceTransaction[] = [];
  readonly payouts: Payout[] = [];
  readonly #sources = new Map<string, Source>();
  /** The payout of each transaction. */
  readonly #paidOut = new Map<string, string>();

  charged(charge: Charge): void {
    const fee = Math.round(charge.amount * 0.029) + 30;
    this.#sources.set(charge.id, charge);
    this.add({ ...charge, type: 'charge', reporting_category: 'charge', fee, source: charge.id });
  }

  refunded(refund: Refund): void {
    this.#sources.set(refund.id, refund);
    this.add({
      ...refund,
      amount: -refund.amount,
      type: 'refund',
      reporting_category: 'refund',
      fee: 0,
      source: refund.id,
    });
  }

  refundFailed(refund: Refund): void {
    this.add({
      ...refund,
      type: 'refund_failure',
      reporting_category: 'refund_failure',
      fee: 0,
      source: refund.id,
    });
  }

  disputed(dispute: Dispute): void {
    this.#sources.set(dispute.id, dispute);
    const reporting_category = 'dispute';
    this.add({
      ...dispute,
      amount: -dispute.amount,
      type: 'adjustment',
      reporting_category,
      fee: disputeFee,
      source: dispute.id,
    });
  }

  disputeWon(dispute: Dispute): void {
    this.add({
      ...dispute,
      type: 'adjustment',
      reporting_category: 'dispute_reversal',
      fee: 0,
      source: dispute.id,
    });
  }

  /** Stripe bills a fee of its own, such as for Radar. */
  billed(amount: number, currency: string): BalanceTransaction {
    return this.add({
      amount: -amount,
      currency,
      type: 'stripe_fee',
      reporting_category: 'fee',
      fee: 0,
      source: null,
    });
  }

  /** Pays out all that was not paid out yet. */
  payOut(
    currency: string,
    given: Partial<Pick<Payout, 'automatic' | 'status' | 'reconciliation_status' | 'arrival_date'>> = {},
  ): Payout {
    const parts = this.transactions.filter(
      (each) => each.currency === currency && !this.#paidOut.has(each.id),
    );
    const payout: Payout = {
      id: newId('po'),
      object: 'payout',
      amount: parts.reduce((sum, { net }) => sum + net, 0),
      arrival_date: now() + settlesAfter,
      automatic: true,
      balance_transaction: '',
      created: now(),
      currency,
      failure_balance_transaction: null,
      failure_code: null,
      method: 'standard',
      reconciliation_status: 'completed',
      status: 'in_transit',
      type: 'bank_account',
      ...given,
    };
    this.#sources.set(payout.id, payout);
    this.payouts.push(payout);
    const own = this.add({
      amount: -payout.amount,
      currency,
      type: 'payout',
      reporting_category: 'payout',
      fee: 0,
      source: payout.id,
    });
    payout.balance_transaction = own.id;
    for (const { id } of [...parts, own]) this.#paidOut.set(id, payout.id);
    return payout;
  }

  failPayout(payout: Payout): void {
    payout.status = 'failed';
    payout.failure_code = 'account_closed';
    const { amount, currency } = payout;
    const back = this.add({
      amount,
      currency,
      type: 'payout_failure',
      reporting_category: 'payout_reversal',
      fee: 0,
      source: payout.id,
    });
    payout.failure_balance_transaction = back.id;
  }

  /** The newest first, with their sources if those are expanded. */
  list({
    payout,
    expand,
  }: {
    payout: string;
    expand: boolean;
  }): (Omit<BalanceTransaction, 'source'> & { source: unknown })[] {
    const known = payout === '' ? null : this.payouts.find(({ id }) => id === payout);
    const paidOut = ({ id }: BalanceTransaction) =>
      known?.automatic === true && this.#paidOut.get(id) === payout;
    const found = payout === '' ? [...this.transactions] : this.transactions.filter(paidOut);
    return found.reverse().map((each) => ({
      ...each,
      source: expand ? (this.#sources.get(each.source ?? '') ?? null) : each.source,
    }));
  }

  add(
    given: Pick<BalanceTransaction, 'amount' | 'currency' | 'type' | 'reporting_category' | 'fee' | 'source'>,
  ): BalanceTransaction {
    const { amount, currency, type, reporting_category, fee, source } = given;
    const details = {
      amount: fee,
      application: null,
      currency,
      description: 'Stripe processing fees',
      type: 'stripe_fee',
    };
    const created = now();
    const made: BalanceTransaction = {
      id: newId('txn'),
      object: 'balance_transaction',
      amount,
      available_on: created + (type === 'charge' ? settlesAfter : 0),
      balance_type: 'payments',
      created,
      currency,
      description: null,
      exchange_rate: null,
      fee,
      fee_details: fee > 0 ? [details] : [],
      net: amount - fee,
      reporting_category,
      source,
      status: type === 'charge' ? 'pending' : 'available',
      type,
    };
    this.transactions.push(made);
    return made;
  }
}
