/**
 * A settled sale can be refunded in parts; an unsettled one can only be voided as a whole. A partial refund waits until the sale
 * is settled, up to two days, so it is retried rather than refused.
 * https://developer.paypal.com/braintree/docs/reference/request/transaction/refund
 */

import { decimalAmount } from '#server/modules/payments/providers/amounts.ts';
import { type Attempt, RefundPending, RefundRefused } from '#server/modules/payments/providers/provider.ts';
import type { BraintreeAnswer, BraintreeClient, BraintreeTransaction } from './client.ts';
import { cameToNothing, earlyRefundErrors, finalRefundErrors } from './failures.ts';

export interface RefundDeps {
  client(): Promise<BraintreeClient>;
  findSale(attempt: Attempt): Promise<BraintreeTransaction | null>;
  voidingFor(reference: string, key: string): Promise<void>;
  wasVoidedFor(reference: string, key: string): Promise<boolean>;
}

const unsettled = ['authorized', 'submitted_for_settlement', 'settlement_pending'];

export function createBraintreeRefunds({ client, findSale, voidingFor, wasVoidedFor }: RefundDeps) {
  /** By their ids, not by a search, which may lag behind. */
  async function refundsOf({ refundIds = [] }: BraintreeTransaction): Promise<BraintreeTransaction[]> {
    const braintree = await client();
    return Promise.all(refundIds.map((id) => braintree.find(id)));
  }

  async function voidSale(sale: BraintreeTransaction, attempt: Attempt, key: string): Promise<void> {
    await voidingFor(attempt.reference, key);
    expectDone(await (await client()).void(sale.id));
  }

  return {
    refundsOf,
    async refund(attempt: Attempt, amount: number, key: string): Promise<void> {
      const sale = await findSale(attempt);
      if (!sale) throw new Error('Braintree knows of no sale for this payment');
      if (sale.status === 'voided') {
        // Its money was refunded, perhaps by this very refund, if its answer was lost.
        if (await wasVoidedFor(attempt.reference, key)) return;
        throw new RefundRefused('The sale was voided, so there is nothing left of it');
      }
      const before = await refundsOf(sale);
      const same = before.find(({ orderId }) => orderId === key);
      if (same && cameToNothing(same)) throw new RefundRefused(`The bank did not take it back: ${same.status}`);
      if (same) return;
      const given = before.filter((each) => !cameToNothing(each)).reduce((sum, each) => sum + hundredths(each.amount), 0);
      const left = hundredths(sale.amount) - given;
      if (amount > left) throw new RefundRefused('More than is left of the sale');
      if (!unsettled.includes(sale.status)) {
        expectDone(await (await client()).refund(sale.id, decimalAmount(amount, attempt.currency), key));
      } else if (amount === hundredths(sale.amount)) {
        await voidSale(sale, attempt, key);
      } else {
        throw new RefundPending('A part of a sale can be given back once the sale is settled');
      }
    },
  };
}

function expectDone(answer: BraintreeAnswer): void {
  if (answer.success) return;
  const { codes, transaction } = answer;
  const said = `Braintree refused: ${codes.join(', ') || (transaction?.status ?? 'no reason given')}`;
  const anyOf = (known: Readonly<Record<string, string>>) => Object.values(known).some((code) => codes.includes(code));
  if (anyOf(finalRefundErrors) || (transaction && cameToNothing(transaction))) throw new RefundRefused(said);
  throw anyOf(earlyRefundErrors) ? new RefundPending(said) : new Error(said);
}

function hundredths(amount: string): number {
  return Math.round(Number(amount) * 100);
}
