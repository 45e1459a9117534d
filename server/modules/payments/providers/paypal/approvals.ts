/**
 * The approvals of one attempt. When PayPal declines what the shopper chose, its window opens again on the same order and
 * the shopper approves another time. Each approval has a decision of its own (decisions.ts), and so its own request id
 * for the capture: PayPal may repeat a refusal to the id that it was first given to.
 */
import type { Decision, Decisions } from '../../decisions.ts';
import type { PaymentFailure } from '../../provider.ts';

/** A shopper may choose so often in one attempt. PayPal has a limit of its own. */
const maxApprovals = 5;

/** Kept with an approval that was declined while the attempt goes on; no shopper is told of it. */
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
  const nameOf = (reference: string, number: number) => (number === 1 ? reference : `${reference}:${number}`);
  const isPast = (decision: Decision | null) => decision?.failure?.errorKey === chooseAgain.errorKey;

  async function current(reference: string): Promise<Approval<Decision | null>> {
    for (let number = 1; ; number++) {
      const name = nameOf(reference, number);
      const decision = await decisions.find(name);
      if (!isPast(decision)) return { name, number, decision };
    }
  }

  return {
    /** The approval that counts now; its decision is null as long as nobody has sent its capture or ended it. */
    current,
    /** Decides the current approval, unless it is decided, and returns it as it stands. */
    async decide(reference: string, verdict: Decision['verdict'], failure?: PaymentFailure): Promise<Approval> {
      for (;;) {
        const { name, number } = await current(reference);
        const decision = await decisions.decide(name, verdict, failure);
        // Declined in another process meanwhile: the next one counts.
        if (!isPast(decision)) return { name, number, decision };
      }
    },
    /**
     * Writes down that the capture of an approval was declined and another approval may follow. False if this was the
     * last one: the attempt has to end.
     */
    async declined({ name, number }: Approval): Promise<boolean> {
      if (number >= maxApprovals) return false;
      await decisions.fail(name, chooseAgain);
      return true;
    },
  };
}
