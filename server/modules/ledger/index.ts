export { type Entry, plainEntry } from './entries.ts';
export { closedUntil } from './ledger.repository.ts';
export { isAnyUnbooked, type Ledger, type OtherEvent, wrongOrders } from './ledger.ts';
