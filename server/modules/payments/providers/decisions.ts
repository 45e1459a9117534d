/**
 * Decides whether a reference may still move money: the first of 'charge' and 'end' that is stored is final, in every process and
 * after a crash. For providers whose attempts cannot be cancelled: no request that takes money is sent without having won
 * 'charge', and an attempt is over as soon as 'end' has won.
 */
import type { Database, Reader, Trx } from '#db/database.ts';
import { deleteDecisions, findDecision, insertDecision, setDecisionFailure } from './decisions.repository.ts';
import { attemptEnded, type PaymentFailure, type PaymentOutcome } from './provider.ts';

export interface Decision {
  verdict: 'charge' | 'end';
  /** Whether this call stored it. */
  mine: boolean;
  /** Set once the attempt has failed permanently. */
  failure: PaymentFailure | null;
  /** Epoch ms. */
  at: number;
}

export type Decisions = ReturnType<typeof createDecisions>;

export const failedWith = (failure: PaymentFailure): PaymentOutcome => ({ state: 'failed', failure });

/** The outcome of an attempt that has failed by its decision; null if it is still open. */
export function settledBy(decision: Decision | null): PaymentOutcome | null {
  if (decision?.failure) return failedWith(decision.failure);
  return decision?.verdict === 'end' ? failedWith(attemptEnded) : null;
}

/** The most decisions of one attempt: a provider whose customer may approve again has one for each approval. */
export const mostDecisions = 5;
/** The name under which an attempt's decision is stored, counted from 1. */
export const decisionName = (reference: string, number: number) =>
  number === 1 ? reference : `${reference}:${number}`;

/** Deletes the decisions of attempts that are themselves deleted. */
export async function forgetDecisions(
  trx: Trx,
  attempts: readonly { provider: string; reference: string }[],
): Promise<void> {
  const numbers = Array.from({ length: mostDecisions }, (_, index) => index + 1);
  for (const [provider, of] of Map.groupBy(attempts, (each) => each.provider))
    await deleteDecisions(
      trx,
      provider,
      of.flatMap(({ reference }) => numbers.map((number) => decisionName(reference, number))),
    );
}

export function createDecisions({
  db,
  provider,
  now,
}: {
  db: Database;
  provider: string;
  now: () => number;
}) {
  async function read(reader: Reader, reference: string): Promise<Decision | null> {
    const row = await findDecision(reader, { provider, reference });
    if (!row) return null;
    return {
      // Written only from these types.
      verdict: row.verdict as Decision['verdict'],
      failure: row.failure === null ? null : (JSON.parse(row.failure) as PaymentFailure),
      mine: false,
      at: Number(row.decided_at),
    };
  }

  return {
    /** Stores a verdict unless there is one, and returns the final one. `failure` belongs to 'end'. */
    decide: (reference: string, verdict: Decision['verdict'], failure?: PaymentFailure): Promise<Decision> =>
      db.transaction(async (trx) => {
        const mine = await insertDecision(trx, {
          provider,
          reference,
          verdict,
          failure: failure ? JSON.stringify(failure) : null,
          decided_at: now(),
        });
        const standing = await read(trx, reference);
        if (!standing) throw new Error('A decision that was just written is not there');
        return { ...standing, mine };
      }),

    /** Records that nothing was charged and nothing ever will be, after a 'charge' that failed. */
    fail: (reference: string, failure: PaymentFailure): Promise<void> =>
      db.transaction((trx) => setDecisionFailure(trx, { provider, reference }, JSON.stringify(failure))),

    find: (reference: string): Promise<Decision | null> => read(db.read, reference),
  };
}
