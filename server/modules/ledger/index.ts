export type { Entry } from './entries.ts';
export { closedUntil, ordersToBook } from './ledger.repository.ts';
export { type Ledger, type OtherEvent, wrongOrders } from './ledger.ts';
export { spanOf } from './takings.ts';
