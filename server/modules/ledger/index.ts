export { type Entry, plainEntry } from './entries.ts';
export { fieldColumns, fieldsOf, selectedFields } from './entry-columns.ts';
export { closedUntil } from './ledger.repository.ts';
export { isAnyUnbooked, type Ledger, type OtherEvent, wrongOrders } from './ledger.ts';
