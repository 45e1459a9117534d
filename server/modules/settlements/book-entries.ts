/** What the rows of providers write into the books: their fees, and payouts to the bank. Payments and refunds are there already. */
import { type OtherEvent, plainEntry } from '#server/modules/ledger/index.ts';
import type { KeptRow } from './effects.ts';

/** Null if there is nothing to write. Money of a provider is a way of paying by its name. */
function eventOf({ row, added }: KeptRow): OtherEvent | null {
  const { id, provider, kind, currency, at } = row;
  const own = { source: `${provider} ${id}`, order: null, store: null, currency, actor: null, at };
  const fee =
    added.fee === 0 ? [] : [plainEntry('fees', added.fee), plainEntry('money', -added.fee, provider)];
  if (kind === 'payout' || kind === 'payoutReversed') {
    const sent =
      added.gross === 0 ? [] : [plainEntry('bank', -added.gross), plainEntry('money', added.gross, provider)];
    return sent.length + fee.length === 0 ? null : { ...own, kind: 'payout', entries: [...sent, ...fee] };
  }
  return fee.length === 0 ? null : { ...own, kind: 'fee', entries: fee };
}

export const bookEventsOf = (kept: readonly KeptRow[]): OtherEvent[] =>
  kept.flatMap((each) => eventOf(each) ?? []);
