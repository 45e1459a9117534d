/**
 * When PayPal declines the chosen funding, its window opens again on the same order and the customer approves once more. Each
 * approval has its own decision (decisions.ts) and so its own request id: PayPal may repeat a refusal to the one that first
 * received it.
 */
import { type Decision, type Decisions, decisionName, mostDecisions } from '#server/modules/payments/providers/decisions.ts';
import type { PaymentFailure } from '#server/modules/payments/providers/provider.ts';

/** Stored with an approval that was declined while the attempt continues; never shown to a customer. */
const chooseAgain: PaymentFailure = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.paypal.chooseAgain' };

export interface Approval<D extends Decision | null = Decision> {
  /** The name of its decision: the attempt's reference for the first, then `<reference>:2` and so on. */
  name: string;
  /** From 1. */
  number: number;
  decision: D;
}

export type Approvals = ReturnType<typeof createApprovals>;

export function createApprovals(decisions: Decisions) {
  const isPast = (decision: Decision | null) => decision?.failure?.errorKey === chooseAgain.errorKey;

  async function current(reference: string): Promise<Approval<Decision | null>> {
    for (let number = 1; ; number++) {
      const name = decisionName(reference, number);
      const decision = await decisions.find(name);
      if (!isPast(decision)) return { name, number, decision };
    }
  }

  return {
    /** The current approval; its decision is null until its capture is sent or it is ended. */
    current,
    async decide(reference: string, verdict: Decision['verdict'], failure?: PaymentFailure): Promise<Approval> {
      for (;;) {
        const { name, number } = await current(reference);
        const decision = await decisions.decide(name, verdict, failure);
        // Declined in another process meanwhile: the next one is current.
        if (!isPast(decision)) return { name, number, decision };
      }
    },
    /** Another approval may follow. False if this was the last one: the attempt has to end. */
    async declined({ name, number }: Approval): Promise<boolean> {
      // PayPal has a limit of its own.
      if (number >= mostDecisions) return false;
      await decisions.fail(name, chooseAgain);
      return true;
    },
  };
}
