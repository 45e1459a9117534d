/** The file of payments: a row for each payment, refund, dispute, fee and payout of the providers, for bookkeepers. */
import type { Readable } from 'node:stream';
import type { Row } from '#contract/csv.ts';
import type { Locale } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import { type StaffTranslate, staffTranslate } from '#contract/staff/messages.ts';
import type { SettlementRow } from '#contract/staff/settlements.ts';
import type { SettlementsService } from '#server/modules/settlements/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { csvOf } from '#server/platform/csv.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { xlsxOf } from '#server/platform/xlsx.ts';

export interface PayoutsWanted {
  table: 'payouts';
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
  provider?: string | undefined;
  format: 'csv' | 'xlsx';
}

type Range = Pick<PayoutsWanted, 'from' | 'to' | 'provider'>;

interface Deps {
  settlements: Pick<SettlementsService, 'pieces' | 'spanOf'>;
  stores: Pick<StoresService, 'timeZone'>;
  now: () => number;
}

const columns = [
  'time',
  'provider',
  'kind',
  'type',
  'id',
  'order',
  'currency',
  'gross',
  'fee',
  'net',
  'state',
  'available',
  'payout',
  'payment',
  'refund',
  'dispute',
] as const;

export function createPayoutsFile({ settlements, stores, now }: Deps) {
  const header = (t: StaffTranslate) => columns.map((name) => t(`office.payouts.file.${name}`));

  async function* rows(range: Range, t: StaffTranslate): AsyncGenerator<Row[]> {
    const zone = await stores.timeZone();
    for await (const piece of settlements.pieces(range)) yield piece.map((row) => rowOf(row, zone, t));
  }

  return {
    /** @throws {AppError} REQUEST_VALIDATION_ERROR for days that are no range */
    checkPayouts: async (range: Range): Promise<void> => void (await settlements.spanOf(range)),
    payouts(range: Range, locale: Locale): AsyncGenerator<string> {
      const t = staffTranslate(locale);
      return csvOf(header(t), rows(range, t));
    },
    payoutsSheet(range: Range, locale: Locale): Promise<Readable> {
      const t = staffTranslate(locale);
      return xlsxOf(t('office.payouts'), header(t), rows(range, t), now());
    },
  };
}

function rowOf(row: SettlementRow, zone: string, t: StaffTranslate): Row {
  const money = (amount: number | null) =>
    amount === null ? null : { decimal: decimalText(amount, row.currency) };
  const code = (text: string | null) => (text === null ? null : { code: text });
  const time = (at: number | null) => (at === null ? null : isoTime(at, zone));
  return [
    time(row.at),
    row.provider,
    t(`office.payouts.kind.${row.kind}`),
    row.type,
    code(row.id),
    code(row.order),
    row.currency,
    money(row.gross),
    money(row.fee),
    money(row.net),
    t(`office.payouts.state.${row.state}`),
    time(row.availableAt),
    code(row.payout),
    code(row.payment),
    code(row.refund),
    code(row.dispute),
  ];
}
