/**
 * What every payment provider must hold to, as a suite that each one's own test runs. Whatever the
 * provider talks to, the shop relies on nothing else.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Charge, PaymentFailure, PaymentProvider } from './provider.ts';

/** A provider to try, and how to make things happen behind it. */
export interface Subject {
  provider: PaymentProvider;
  /** What to send for each outcome; the keys are what the shop must be able to tell apart (SPEC §8). */
  inputs: { approve: unknown; answerLost: unknown } & Record<PaymentFailure['errorType'], unknown>;
  /** How many cents the provider really has taken by a reference, less what it has given back. */
  taken(reference: string): Promise<number>;
}

export function conformsAsProvider(open: () => Promise<Subject>): void {
  describe('as a payment provider', () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await open();
    });
    const newCharge = (): Charge => ({ reference: randomUUID(), orderId: randomUUID(), amount: 4972, currency: 'CAD' });

    it('takes exactly the amount asked for', async () => {
      const { provider, inputs, taken } = subject;
      const charge = newCharge();
      expect(await provider.start(charge, inputs.approve)).toEqual({ state: 'succeeded' });
      expect(await taken(charge.reference)).toBe(4972);
      expect(await provider.complete(charge.reference)).toEqual({ state: 'succeeded' });
    });

    it('takes it once, however often and whenever it is asked', async () => {
      const { provider, inputs, taken } = subject;
      const charge = newCharge();
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => provider.start(charge, inputs.approve)));
      outcomes.push(await provider.start(charge, inputs.TRANSACTION_ERROR));
      expect(outcomes).toEqual(Array(9).fill({ state: 'succeeded' }));
      expect(await taken(charge.reference)).toBe(4972);
    });

    it('can say what became of a charge whose answer was lost', async () => {
      const { provider, inputs, taken } = subject;
      const charge = newCharge();
      const answer = await provider.start(charge, inputs.answerLost).catch(() => ({ state: 'undecided' as const }));
      expect(answer).toEqual({ state: 'undecided' });
      expect(await provider.complete(charge.reference)).toEqual({ state: 'succeeded' });
      expect(await taken(charge.reference)).toBe(4972);
    });

    it.each(['TRANSACTION_ERROR', 'VALIDATION_ERROR', 'AUTHORIZATION_ERROR', 'SYSTEM_ERROR'] as const)(
      'fails with %s and takes nothing',
      async (type) => {
        const { provider, inputs, taken } = subject;
        const charge = newCharge();
        const outcome = await provider.start(charge, inputs[type]);
        expect(outcome).toMatchObject({ state: 'failed', failure: { errorType: type } });
        expect(await taken(charge.reference)).toBe(0);
        // Final: the same reference never succeeds.
        expect(await provider.start(charge, inputs.approve)).toEqual(outcome);
        expect(await provider.complete(charge.reference)).toEqual(outcome);
      },
    );

    it('has never heard of a reference that was not started', async () => {
      expect(await subject.provider.complete(randomUUID())).toEqual({ state: 'undecided' });
    });

    it('cancelled before it began, never begins', async () => {
      const { provider, inputs, taken } = subject;
      const charge = newCharge();
      expect(await provider.cancel(charge.reference)).toMatchObject({ state: 'failed' });
      expect(await provider.start(charge, inputs.approve)).toMatchObject({ state: 'failed' });
      expect(await taken(charge.reference)).toBe(0);
    });

    it('cancelled too late, says so', async () => {
      const { provider, inputs, taken } = subject;
      const charge = newCharge();
      await provider.start(charge, inputs.approve);
      expect(await provider.cancel(charge.reference)).toEqual({ state: 'succeeded' });
      expect(await taken(charge.reference)).toBe(4972);
    });

    it('started and cancelled at once, is one or the other', async () => {
      const { provider, inputs, taken } = subject;
      const charge = newCharge();
      const [started, cancelled] = await Promise.all([provider.start(charge, inputs.approve), provider.cancel(charge.reference)]);
      expect(started.state).toBe(cancelled.state);
      expect(await taken(charge.reference)).toBe(started.state === 'succeeded' ? 4972 : 0);
    });

    it('refunds once, and no more than was taken', async () => {
      const { provider, inputs, taken } = subject;
      const charge = newCharge();
      await provider.start(charge, inputs.approve);
      await provider.refund(charge.reference, 4972);
      await provider.refund(charge.reference, 4972);
      expect(await taken(charge.reference)).toBe(0);
      const other = newCharge();
      await provider.start(other, inputs.approve);
      await expect(provider.refund(other.reference, 4973)).rejects.toThrow();
      await expect(provider.refund(randomUUID(), 1)).rejects.toThrow();
      expect(await taken(other.reference)).toBe(4972);
    });

    it('believes no webhook that the provider has not signed', () => {
      for (const body of ['', '{}', '{"reference":"x","outcome":{"state":"succeeded"}}', '\0\xff']) {
        expect(subject.provider.parseWebhook({ headers: {}, body: Buffer.from(body) })).toBeNull();
      }
    });
  });
}
