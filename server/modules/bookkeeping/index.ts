/** Bookkeeping: periods that are closed, cash in the drawers, and what is handed over to the programs of bookkeepers. */
import type { Reader } from '#db/database.ts';
import { unbalancedEvents } from './closing/periods.repository.ts';
import { wrongPeriods } from './closing/periods.ts';

export type { CashService } from './cash/cash.ts';
export type { PeriodsService } from './closing/periods.ts';
export type { HandoverService } from './handover/handover.ts';

/** What `doctor` says of the books, besides the orders that differ from them. */
export interface BooksFindings {
  /** Days of closed periods that no longer sum to what was filed. */
  periods: string[];
  /** Days of closed periods of which what was filed cannot be read. */
  unreadable: string[];
  /** Ids of events whose entries do not sum to zero. */
  events: string[];
}

export async function booksFindings(reader: Reader): Promise<BooksFindings> {
  const { changed, unreadable } = await wrongPeriods(reader);
  return { periods: changed, unreadable, events: await unbalancedEvents(reader, 100) };
}
export { placesOf } from './closing/figures.ts';
