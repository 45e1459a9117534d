/**
 * What the makers of bookkeepers' programs say of files that they import, rule by rule, over journals with large numbers, corrections,
 * and words that a table would misread. The rules are written out here as the documents have them, which `programs.ts` names.
 */
import { describe, expect, it } from 'vitest';
import { type BookProgram, bookPrograms } from '#contract/staff/handover.ts';
import { type Journal, programs } from './programs.ts';

const hostile = 'Tax, "PST 7%"\nof 不列颠哥伦比亚省';
const journal = (no: number, corrects: number): Journal => ({
  no,
  day: '2026-03-09',
  corrects,
  lines: [
    { code: '1010', taxRate: 'Tax Exempt (0%)', text: 'Cash', amount: 113_00 },
    { code: '4000', taxRate: 'Tax Exempt (0%)', text: hostile, amount: -100_05 },
    { code: '2310', taxRate: 'Tax Exempt (0%)', text: 'HST 13%', amount: -12_95 },
  ],
});
/** The second corrects the first; their numbers are of a shop that hands over for centuries. */
const journals = [journal(9_999_998, 0), journal(9_999_999, 9_999_998)];
const written = (program: keyof typeof programs) => programs[program].write(journals, 'CAD');

/** Reads CSV as RFC 4180 says, which is how the two programs for CSV read it. */
function table(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('Xero', () => {
  const [head = [], ...rows] = table(written('xero'));

  it('a file for Xero has the columns of its template, in their order, those that are required with an asterisk', () => {
    expect(head).toEqual([
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
    ]);
    expect(
      rows.every(
        (row) => row.length === head.length && [0, 1, 3, 4, 5].every((column) => row[column] !== ''),
      ),
    ).toBe(true);
  });

  it('a file for Xero has rows of one journal under one narration and date, and no two journals under the same', () => {
    const groups = Map.groupBy(rows, ([narration, date]) => `${narration} ${date}`);
    expect([...groups.values()].map(({ length }) => length)).toEqual([3, 3]);
    for (const group of groups.values())
      expect(group.reduce((sum, row) => sum + Math.round(Number(row[5]) * 100), 0)).toBe(0);
  });

  it('a file for Xero has days as dd/mm/yyyy, debits above zero, codes as they are in Xero, and texts unchanged', () => {
    expect(new Set(rows.map((row) => row[1]))).toEqual(new Set(['09/03/2026']));
    expect(rows.slice(0, 3).map((row) => row[5])).toEqual(['113.00', '-100.05', '-12.95']);
    expect(rows.map((row) => row[3]).slice(0, 3)).toEqual(['1010', '4000', '2310']);
    expect(rows[1]?.[2]).toBe(hostile);
    expect([
      programs.xero.most,
      programs.xero.isCode('1234567890'),
      programs.xero.isCode('12345678901'),
    ]).toEqual([300, true, false]);
  });
});

describe('QuickBooks Online', () => {
  const [head = [], ...rows] = table(written('quickbooks'));

  it('a file for QuickBooks Online has the six columns that its document names', () => {
    expect(head).toEqual(['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits']);
  });

  it('a file for QuickBooks Online has a number of its own for each journal, days as mm/dd/yyyy, and either a debit or a credit above zero', () => {
    expect([...new Set(rows.map(([no]) => no))]).toEqual(['J-9999998', 'J-9999999']);
    expect(new Set(rows.map((row) => row[1]))).toEqual(new Set(['03/09/2026']));
    for (const row of rows)
      expect([row[4], row[5]].filter((text) => /^\d+\.\d\d$/.test(text ?? ''))).toHaveLength(1);
    expect(rows.every((row) => [row[4], row[5]].includes(''))).toBe(true);
  });
});

describe('Sage 50', () => {
  const lines = written('sage').split('\r\n');
  const heads = lines.filter((line) => line.includes('"'));

  it('a file for Sage 50 begins each journal with a day as mm-dd-yy, a source and a comment in straight quotes, of the shorter lengths allowed', () => {
    for (const head of heads) {
      const [, source = '', comment = ''] = /^03-09-26,"([^"]*)","([^"]*)"$/.exec(head) ?? [];
      expect([source.length > 0, source.length <= 13, comment.length > 0, comment.length <= 39]).toEqual([
        true,
        true,
        true,
        true,
      ]);
    }
    expect(heads).toHaveLength(2);
  });

  it('a file for Sage 50 has an account and an amount with two decimals on each other line, that sum to zero, in letters that every computer has', () => {
    const amounts = lines
      .filter((line) => line !== '' && !line.includes('"'))
      .map((line) => /^(\d{4,8}),(-?\d+\.\d\d)$/.exec(line));
    expect(amounts).not.toContain(null);
    expect(amounts.reduce((sum, found) => sum + Math.round(Number(found?.[2]) * 100), 0)).toBe(0);
    expect(written('sage')).toMatch(/^[\x20-\x7e\r\n]*$/);
  });

  it('a file for Sage 50 has two decimals in a currency without any, since it refuses others', () => {
    const lines = programs.sage
      .write([journal(1, 0)], 'JPY')
      .split('\r\n')
      .slice(1, -1);
    expect(lines).toEqual(['1010,11300.00', '4000,-10005.00', '2310,-1295.00']);
  });
});

describe('documents of the makers', () => {
  it('each program names the pages of its maker, and when they were read', () => {
    const hosts: Record<BookProgram, RegExp> = {
      xero: /^https:\/\/help\.xero\.com\//,
      quickbooks: /^https:\/\/quickbooks\.intuit\.com\//,
      sage: /^https:\/\/[\w-]+(\.na)?\.sage\.com\//,
    };
    for (const program of bookPrograms) {
      const { documents } = programs[program];
      expect(documents.length).toBeGreaterThan(0);
      for (const { address, read } of documents) {
        expect(address).toMatch(hosts[program]);
        expect(read).toMatch(/^20\d\d-\d\d-\d\d$/);
      }
    }
  });
});

describe('accounts of other programs', () => {
  it('a code that its program does not take, or that a table would change, is refused', () => {
    const takes = (code: string) => bookPrograms.filter((program) => programs[program].isCode(code));
    expect(takes('1010')).toEqual(['xero', 'quickbooks', 'sage']);
    expect(takes('Income:Sales online')).toEqual(['quickbooks']);
    expect(takes('123')).toEqual(['xero', 'quickbooks']);
    expect(takes('123456789')).toEqual(['xero', 'quickbooks']);
    for (const code of ['-100', '+1', '=A1', '@sum', "'12"]) expect([code, takes(code)]).toEqual([code, []]);
  });
});
