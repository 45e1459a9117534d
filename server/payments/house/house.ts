/**
 * The house gateway, the SPEC's `{host}`: a simulator of a card gateway for demonstrations and tests.
 * It remembers references and outcomes, as a real gateway would on its side, and nothing of the card.
 */
import type { PaymentInstrument } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import type { Charge, PaymentOutcome, PaymentProvider } from '../provider.ts';
import { findCharge, type HouseCharge, insertCharge, refundCharge } from './charges.repository.ts';
import { failures, judgeCard } from './test-cards.ts';

export const houseName = 'house';

export function createHouseProvider({ db, now }: { db: Database; now: () => number }): PaymentProvider<PaymentInstrument> {
  /** Writes the outcome of a reference, unless it has one; returns the one that stands. */
  function decide(reference: string, charge: Pick<HouseCharge, 'amount' | 'currency' | 'state' | 'error'>): Promise<HouseCharge> {
    return db.transaction(async (trx) => {
      await insertCharge(trx, { ...charge, reference, refunded: 0 }, now());
      const standing = await findCharge(trx, reference);
      if (!standing) throw new Error('A charge that was just written is not there');
      return standing;
    });
  }

  return {
    name: houseName,

    async start({ reference, amount, currency }: Charge, card) {
      const verdict = judgeCard(card.creditCardNumber ?? '');
      const charge = await decide(
        reference,
        verdict.approved
          ? { amount, currency, state: 'succeeded', error: null }
          : { amount, currency, state: 'failed', error: verdict.error },
      );
      if (verdict.approved && verdict.answerLost) return { state: 'undecided' };
      return outcomeOf(charge);
    },

    async complete(reference) {
      const charge = await findCharge(db.read, reference);
      return charge ? outcomeOf(charge) : { state: 'undecided' };
    },

    async cancel(reference) {
      return outcomeOf(await decide(reference, { amount: 0, currency: '', state: 'failed', error: 'cancelled' }));
    },

    async refund(reference, amount) {
      const refunded = await db.transaction((trx) => refundCharge(trx, reference, amount));
      if (!refunded) throw new Error(`The house gateway has no charge of that amount to refund: ${reference}`);
    },

    // It has no reason to call: it answers at once.
    parseWebhook: () => null,
  };
}

function outcomeOf(charge: HouseCharge): PaymentOutcome {
  return charge.error === null ? { state: 'succeeded' } : { state: 'failed', failure: failures[charge.error] };
}
