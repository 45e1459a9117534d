export type { Entry } from './entries.ts';
export type { Ledger, OtherEvent } from './ledger.ts';
export { spanOf } from './takings.ts';
