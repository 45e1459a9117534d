/** Reads the books of the Stripe fake, which runs outside the shop’s process. */
import type { Fault } from '#tests/fakes/stripe/faults.ts';
import type { StripeFake } from '#tests/fakes/stripe/server.ts';
import { type Ledger, openLedgerAudit } from '#tests/ledger-audit.ts';
import type { TestApp } from '#tests/test-app.ts';

function ledgerOf({ account }: StripeFake): Ledger {
  return () => {
    const paid = [...account.charges.values()].filter((charge) => charge.paid);
    const taken = paid.map(
      ({ metadata, amount, amount_refunded: refunded }) =>
        [metadata.reference ?? '', { amount, refunded }] as const,
    );
    // Two charges by one reference would hide each other.
    if (new Set(paid.map(({ metadata }) => metadata.reference)).size < paid.length)
      throw new Error('Charged twice');
    return new Map(taken);
  };
}

export function openStripeBooks(testApp: Pick<TestApp, 'db'>, fake: StripeFake, skus: readonly string[]) {
  return openLedgerAudit(testApp, { Stripe: ledgerOf(fake) }, skus);
}

/** How many charges were made. */
export const chargesOf = ({ account }: StripeFake) =>
  [...account.charges.values()].filter(({ paid }) => paid).length;

/** Holds the next confirmation up, before or after the money is taken. Returns what lets it go on. */
export function holdUp(
  fake: StripeFake,
  kind: Extract<Fault['kind'], 'slow' | 'slow after'>,
  times = 1,
): () => void {
  let release: () => void = () => {};
  const until = new Promise<void>((done) => {
    release = done;
  });
  fake.faults.add({ call: 'confirm', kind, times, until });
  return release;
}

export const confirmationsOf = ({ calls }: StripeFake) =>
  calls.filter(({ call }) => call === 'confirm').length;
