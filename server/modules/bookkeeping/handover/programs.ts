/**
 * Journals as the programs of bookkeepers import them, each by its maker's own document. Tax stands in lines of its own, so that the
 * other program does not work it out once more.
 *
 * - Xero: "Add or post multiple manual journals", https://help.xero.com/int/ManualJournalsImport, read 2026-11-30. Rows with the same
 *   narration and date are one journal, dates are dd/mm/yyyy, an account is its code, a tax rate its full name, an amount above zero a
 *   debit; at most 300 lines in a file. System accounts such as Accounts Receivable take no journals
 *   (https://help.xero.com/nz/Q_Accruals_ARAP).
 * - QuickBooks Online: "Import journal entries", https://quickbooks.intuit.com/learn-support/ (L4tQBwbs7), read 2026-11-30. Columns
 *   Journal No., Journal Date, Account Name, Description, Debits and Credits; a subaccount is `Parent:Subaccount`. Shops can have it refuse
 *   a number that was used before.
 * - Sage 50 Canadian Edition: "Importing General Journal Entries", https://help-sage50.na.sage.com/en-ca/, and article 220924250010186
 *   of https://ca-kb.sage.com, read 2026-11-30. A text file: month-day-year, source and comment on the first line of a journal, then an
 *   account number and an amount with two decimals on each; debits above zero. The help allows 20 and 75 characters for source and comment,
 *   the article 13 and 39: ours fit both.
 */
import { cellText, csvText, type Row } from '#contract/csv.ts';
import { decimalText } from '#contract/money.ts';
import type { BookProgram } from '#contract/staff/handover.ts';

export interface JournalLine {
  /** The account of the other program. */
  code: string;
  /** Its name of a tax rate; '' where it has none. */
  taxRate: string;
  text: string;
  /** Smallest units; debits are above zero. */
  amount: number;
}

export interface Journal {
  no: number;
  /** YYYY-MM-DD. */
  day: string;
  /** 0, or the number of the journal that it corrects. */
  corrects: number;
  lines: readonly JournalLine[];
}

interface Program {
  /** Of a file's name. */
  extension: string;
  type: string;
  /** Lines that one file may have; null for any number. */
  most: number | null;
  needsTaxRate: boolean;
  isCode: (code: string) => boolean;
  write: (journals: readonly Journal[], currency: string) => string;
}

export const journalNumber = (no: number): string => `J-${String(no).padStart(6, '0')}`;

/** In plain letters, as all of them read it. */
const titleOf = ({ day, corrects }: Journal): string =>
  corrects === 0 ? `Takings of ${day}` : `Correction of ${journalNumber(corrects)}, ${day}`;

const parts = (day: string) => {
  const [year = '', month = '', date = ''] = day.split('-');
  return { year, month, date };
};

/** A cell that a spreadsheet would compute is written with a sign before it, and names no account any more. */
const isUnchanged = (code: string) => cellText(code) === code;

export const programs: Readonly<Record<BookProgram, Program>> = {
  xero: {
    ...{ extension: 'csv', type: 'text/csv; charset=utf-8', most: 300, needsTaxRate: true },
    isCode: (code) => code.length <= 10 && isUnchanged(code),
    write: (journals, currency) =>
      csvText([xeroHeader, ...rowsOf(journals, (journal, line) => xeroRow(journal, line, currency))]),
  },
  quickbooks: {
    ...{ extension: 'csv', type: 'text/csv; charset=utf-8', most: null, needsTaxRate: false },
    isCode: isUnchanged,
    write: (journals, currency) =>
      csvText([quickbooksHeader, ...rowsOf(journals, (journal, line) => quickbooksRow(journal, line, currency))]),
  },
  sage: {
    ...{ extension: 'txt', type: 'text/plain; charset=us-ascii', most: null, needsTaxRate: false },
    // Four digits; editions for more accounts have up to eight.
    isCode: (code) => /^\d{4,8}$/.test(code),
    write: (journals, currency) => journals.map((journal) => sageText(journal, currency)).join(''),
  },
};

const rowsOf = (journals: readonly Journal[], row: (journal: Journal, line: JournalLine) => Row): Row[] =>
  journals.flatMap((journal) => journal.lines.map((line) => row(journal, line)));

const xeroHeader = [
  ...['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
  ...['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'],
];

function xeroRow(journal: Journal, { code, taxRate, text, amount }: JournalLine, currency: string): Row {
  const { year, month, date } = parts(journal.day);
  const narration = `${journalNumber(journal.no)} ${titleOf(journal)}`;
  const own = [narration, `${date}/${month}/${year}`, text, code, taxRate, { decimal: decimalText(amount, currency) }];
  return [...own, null, null, null, null];
}

const quickbooksHeader = ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits'];

function quickbooksRow(journal: Journal, { code, text, amount }: JournalLine, currency: string): Row {
  const { year, month, date } = parts(journal.day);
  const decimal = { decimal: decimalText(Math.abs(amount), currency) };
  const description = `${titleOf(journal)}: ${text}`;
  const sides = amount > 0 ? [decimal, null] : [null, decimal];
  return [journalNumber(journal.no), `${month}/${date}/${year}`, code, description, ...sides];
}

function sageText(journal: Journal, currency: string): string {
  const { year, month, date } = parts(journal.day);
  const head = `${month}-${date}-${year.slice(2)},"${journalNumber(journal.no)}","${titleOf(journal)}"`;
  const lines = journal.lines.map(({ code, amount }) => `${code},${decimalText(amount, currency)}`);
  return [head, ...lines].map((line) => `${line}\r\n`).join('');
}
