/** The books of payment providers beside the shop's: payouts, fees and disputes, what does not agree, and the bank's statement. */

export { settlementsOfPayments } from './lists.repository.ts';
export type { SettlementRow } from './rows.repository.ts';
export type { SettlementsService } from './settlements.service.ts';
export { statementProblemText } from './statement.ts';
