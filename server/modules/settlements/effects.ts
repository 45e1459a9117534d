/** What a row does to the balance with its provider: for the books of the shop. */
import type { SettlementRow } from './rows.repository.ts';

/** In the smallest unit of the row's currency. */
export interface Effect {
  gross: number;
  /** What the provider took. A fee that it does not name is 0 here, and null in the row. */
  fee: number;
}

const nothing: Effect = { gross: 0, fee: 0 };

/** What is pending or denied does nothing. A fee of its own is a fee, and no gross amount. */
export function effectOf(row: Pick<SettlementRow, 'kind' | 'state' | 'gross' | 'fee'> | null): Effect {
  if (row === null || row.state === 'pending' || row.state === 'denied') return nothing;
  const fee = row.fee ?? 0;
  return row.kind === 'fee' ? { gross: 0, fee: fee - row.gross } : { gross: row.gross, fee };
}

/** A row that was kept, and what it adds to what the revision before it did. */
export interface KeptRow {
  row: SettlementRow;
  before: SettlementRow | null;
  added: Effect;
}

export function keptRow(row: SettlementRow, before: SettlementRow | null): KeptRow {
  const [now, then] = [effectOf(row), effectOf(before)];
  return { row, before, added: { gross: now.gross - then.gross, fee: now.fee - then.fee } };
}
