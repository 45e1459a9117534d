/**
 * Journals as the programs of bookkeepers import them, each by its maker's own documents. Tax stands in lines of its own, so that the
 * other program does not work it out once more.
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

/** A page of a program's maker that says what its import takes. */
interface Document {
  address: string;
  /** YYYY-MM-DD. */
  read: string;
}

interface Program {
  documents: readonly Document[];
  /** Of a file's name. */
  extension: string;
  type: string;
  /** The first row of a table; null if lines have no names. */
  columns: readonly string[] | null;
  /** How a day is written. */
  dates: string;
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

/** A day in the form that a program asks for. */
function dateText(day: string, { dates }: Pick<Program, 'dates'>): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return dates.replace('yyyy', year).replace('yy', year.slice(2)).replace('mm', month).replace('dd', date);
}

/** A cell that a spreadsheet would compute is written with a sign before it, and names no account any more. */
const isUnchanged = (code: string) => cellText(code) === code;

/**
 * Rows with the same narration and date are one journal; an account is its code, a tax rate its full name, an amount above zero a debit.
 * System accounts, such as Accounts Receivable, and bank accounts take no journals.
 */
const xero: Program = {
  documents: [
    { address: 'https://help.xero.com/int/ManualJournalsImport', read: '2026-11-30' },
    { address: 'https://help.xero.com/uk/ManualJournalsImport', read: '2026-11-30' },
    { address: 'https://help.xero.com/nz/Q_Accruals_ARAP', read: '2026-11-30' },
    { address: 'https://help.xero.com/nz/Q_JournalBankAcc', read: '2026-11-30' },
  ],
  extension: 'csv',
  type: 'text/csv; charset=utf-8',
  columns: [
    '*Narration',
    '*Date',
    'Description',
    '*AccountCode',
    '*TaxRate',
    '*Amount',
    'TrackingName1',
    'TrackingOption1',
    'TrackingName2',
    'TrackingOption2',
  ],
  dates: 'dd/mm/yyyy',
  most: 300,
  needsTaxRate: true,
  isCode: (code) => code.length <= 10 && isUnchanged(code),
  write: (journals, currency) =>
    tableText(xero, journals, (journal, { code, taxRate, text, amount }) => {
      const narration = `${journalNumber(journal.no)} ${titleOf(journal)}`;
      const decimal = decimalText(amount, currency);
      return [
        narration,
        dateText(journal.day, xero),
        text,
        code,
        taxRate,
        { decimal },
        null,
        null,
        null,
        null,
      ];
    }),
};

/** A subaccount is `Parent:Subaccount`. Shops can have a number refused that was used before. */
const quickbooks: Program = {
  documents: [
    {
      address:
        'https://quickbooks.intuit.com/learn-support/en-au/help-article/import-export-files/import-journal-entries-quickbooks-online/L4tQBwbs7_AU_en_AU',
      read: '2026-11-30',
    },
  ],
  extension: 'csv',
  type: 'text/csv; charset=utf-8',
  columns: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits'],
  dates: 'mm/dd/yyyy',
  most: null,
  needsTaxRate: false,
  isCode: isUnchanged,
  write: (journals, currency) =>
    tableText(quickbooks, journals, (journal, { code, text, amount }) => {
      const decimal = { decimal: decimalText(Math.abs(amount), currency) };
      const description = `${titleOf(journal)}: ${text}`;
      const sides = amount > 0 ? [decimal, null] : [null, decimal];
      return [journalNumber(journal.no), dateText(journal.day, quickbooks), code, description, ...sides];
    }),
};

/**
 * The Canadian Edition. Day, source and comment are the first line of a journal, each other line an account and an amount, debits above
 * zero, always with two decimals. The help allows 20 and 75 characters for source and comment, the article 13 and 39: ours fit both.
 */
const sage: Program = {
  documents: [
    {
      address:
        'https://help-sage50.na.sage.com/en-ca/AcctEd/2025/Content/Import_Export/ImportingGeneralJournalEntries.htm',
      read: '2026-11-30',
    },
    {
      address: 'https://ca-kb.sage.com/portal/app/portlets/results/view2.jsp?k2dockey=220924250010186',
      read: '2026-11-30',
    },
  ],
  extension: 'txt',
  type: 'text/plain; charset=us-ascii',
  columns: null,
  dates: 'mm-dd-yy',
  most: null,
  needsTaxRate: false,
  // Four digits; editions for more accounts have up to eight.
  isCode: (code) => /^\d{4,8}$/.test(code),
  write: (journals, currency) =>
    journals
      .flatMap((journal) => [
        `${dateText(journal.day, sage)},"${journalNumber(journal.no)}","${titleOf(journal)}"`,
        ...journal.lines.map(({ code, amount }) => `${code},${twoDecimals(decimalText(amount, currency))}`),
      ])
      .map((line) => `${line}\r\n`)
      .join(''),
};

const twoDecimals = (text: string) => (text.includes('.') ? text : `${text}.00`);

export const programs: Readonly<Record<BookProgram, Program>> = { xero, quickbooks, sage };

const tableText = (
  { columns }: Program,
  journals: readonly Journal[],
  row: (journal: Journal, line: JournalLine) => Row,
): string =>
  csvText([
    [...(columns ?? [])],
    ...journals.flatMap((journal) => journal.lines.map((line) => row(journal, line))),
  ]);
