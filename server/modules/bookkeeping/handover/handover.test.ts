/** Handing the books over: files of other programs, days that are handed over once, and a journal that hledger balances. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { bookLineText } from '#contract/staff/book-lines.ts';
import type { BookProgram } from '#contract/staff/handover.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { type Entry, type OtherEvent, plainEntry } from '#server/modules/ledger/index.ts';
import { bookSale } from '#tests/book-entries.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { sumsIn } from '../closing/periods.repository.ts';
import { hledgerAccount } from './entry-files.ts';

const now = Date.UTC(2026, 10, 5, 16);
const day = (date: number) => Date.UTC(2026, 10, date, 16);
const terminal = { kind: 'terminal' } as const;

const codes: Readonly<Record<string, string>> = {
  sales: '4000',
  'sales.zeroRated': '4010',
  'tax.HST 13%': '2310',
  'money.cash': '1010',
  'money.stripe': '1020',
};

const tableFor = (program: BookProgram, without: readonly string[] = []) =>
  Object.entries(codes)
    .filter(([key]) => !without.includes(key))
    .map(([key, code]) => ({
      id: `${program} ${key}`,
      code: program === 'quickbooks' ? `Shop:${code}` : code,
      taxRate: program === 'xero' ? 'Tax Exempt (0%)' : '',
    }));

const setTable = ({ container }: TestApp, bookAccounts: ReturnType<typeof tableFor>) =>
  container.changes.run(terminal, 'books accounts', (change) =>
    container.settings.update(change, { bookAccounts }),
  );

async function shopWithDays(
  engine: 'sqlite' | 'postgres',
  program: BookProgram,
  demo = false,
): Promise<TestApp> {
  const testApp = await createTestApp({ engine, now, demo });
  await bookSale(testApp, day(2), 10_000);
  await bookSale(testApp, day(2), 3000, { treatment: 'zeroRated' });
  await bookSale(testApp, day(4), 999, { way: 'stripe' });
  await setTable(testApp, tableFor(program));
  return testApp;
}

const handOver = ({ container }: TestApp, program: BookProgram, days: { from: string; to: string } | null) =>
  container.changes.run(terminal, 'books hand-over', (change) =>
    container.handover.handOver(change, program, days, 'en'),
  );
const days = { from: '2026-11-02', to: '2026-11-04' };
const fileText = async (testApp: TestApp, id: string) => (await testApp.container.handover.file(id)).text;
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ details }) => details.errors ?? details,
  );

/** A sale with a tax of the country, one of a province, and one of another country. */
function provincialSale(at: number): OtherEvent {
  const bare = {
    line: null,
    product: null,
    sku: null,
    category: null,
    taxClass: 'standard',
    treatment: 'taxable',
    way: '',
    units: 0,
  };
  const tax = (name: string, rate: number, place: string, amount: number): Entry => ({
    ...bare,
    account: 'tax',
    part: 'line',
    tax: name,
    rate,
    place,
    amount: -amount,
    base: 10_000,
  });
  return {
    kind: 'sale',
    source: 'test',
    order: null,
    store: null,
    currency: 'CAD',
    actor: null,
    at,
    note: null,
    entries: [
      { ...bare, account: 'sales', part: 'line', tax: '', rate: 0, place: 'CA-SK', amount: -10_000, base: 0 },
      tax('GST', 5000, 'CA-SK', 500),
      tax('PST', 6000, 'CA-SK', 600),
      tax('VAT', 20_000, 'GB', 2000),
      plainEntry('money', 13_100, 'stripe'),
    ],
  };
}

const xeroHead =
  '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2';

onBothEngines((engine) => {
  describe('a hand-over', () => {
    it('a file for Xero is a manual journal of each day, with debits above zero, that balances', async () => {
      const testApp = await shopWithDays(engine, 'xero');
      const text = await fileText(testApp, await handOver(testApp, 'xero', days));
      const row = (no: number, date: string, name: string, code: string, amount: string) =>
        `J-00000${no} Takings of 2026-11-0${date[1]},${date}/11/2026,${name},${code},Tax Exempt (0%),${amount},,,,`;
      expect(text.trim().split('\n')).toEqual([
        xeroHead,
        row(1, '02', 'Sales', '4000', '-100.00'),
        row(1, '02', 'Sales: Zero-rated', '4010', '-30.00'),
        row(1, '02', 'HST 13%', '2310', '-13.00'),
        row(1, '02', 'Money: Cash', '1010', '143.00'),
        row(2, '04', 'Sales', '4000', '-9.99'),
        row(2, '04', 'HST 13%', '2310', '-1.30'),
        row(2, '04', 'Money: stripe', '1020', '11.29'),
      ]);
    });

    it('a file for QuickBooks Online is journal entries, with debits and credits beside each other', async () => {
      const testApp = await shopWithDays(engine, 'quickbooks');
      const text = await fileText(
        testApp,
        await handOver(testApp, 'quickbooks', { from: '2026-11-04', to: '2026-11-04' }),
      );
      expect(text.trim().split('\n')).toEqual([
        'Journal No.,Journal Date,Account Name,Description,Debits,Credits',
        'J-000001,11/04/2026,Shop:4000,Takings of 2026-11-04: Sales,,9.99',
        'J-000001,11/04/2026,Shop:2310,Takings of 2026-11-04: HST 13%,,1.30',
        'J-000001,11/04/2026,Shop:1020,Takings of 2026-11-04: Money: stripe,11.29,',
      ]);
    });

    it('a file for Sage 50 is general journal entries, each with its own first line', async () => {
      const testApp = await shopWithDays(engine, 'sage');
      const text = await fileText(testApp, await handOver(testApp, 'sage', days));
      expect(text.split('\r\n')).toEqual([
        '11-02-26,"J-000001","Takings of 2026-11-02"',
        '4000,-100.00',
        '4010,-30.00',
        '2310,-13.00',
        '1010,143.00',
        '11-04-26,"J-000002","Takings of 2026-11-04"',
        '4000,-9.99',
        '2310,-1.30',
        '1020,11.29',
        '',
      ]);
    });

    it('a hand-over names what the table of accounts lacks, and then hands nothing over', async () => {
      const testApp = await shopWithDays(engine, 'sage');
      await setTable(testApp, [
        ...tableFor('sage', ['sales.zeroRated', 'money.stripe', 'sales']),
        { id: 'sage sales', code: '40', taxRate: '' },
      ]);
      expect(await refusal(handOver(testApp, 'sage', days))).toEqual({
        errorKey: 'office.files.missing',
        values: { program: 'Sage 50', lines: 'Sales, Sales: Zero-rated, Money: stripe' },
      });
      expect((await testApp.container.handover.all()).files).toEqual([]);
    });

    it('the table of accounts asks for money that has all gone by now', async () => {
      const testApp = await shopWithDays(engine, 'sage');
      const out = [plainEntry('money', -1129, 'stripe'), plainEntry('bank', 1129)];
      const payout = {
        kind: 'payout' as const,
        source: 'po',
        order: null,
        store: 'toronto-queen-west',
        currency: 'CAD',
        actor: null,
        note: null,
      };
      await testApp.db.transaction((trx) =>
        testApp.container.ledger.record(trx, [{ ...payout, at: day(4), entries: out }]),
      );
      expect((await testApp.container.handover.lines('en')).map(({ key }) => key)).toContain('money.stripe');
    });

    it('a tax that is owed to a province is named with it, in the language of whoever reads it', async () => {
      const testApp = await createTestApp({ engine, now });
      const { handover, settings, changes } = testApp.container;
      await testApp.db.transaction((trx) => testApp.container.ledger.record(trx, [provincialSale(day(2))]));
      const taxes = async (locale: 'en' | 'zh') =>
        (await handover.lines(locale))
          .filter(({ tax }) => tax !== '')
          .map((line) => bookLineText(staffTranslate(locale), line));
      expect(await taxes('en')).toEqual(['GST 5%', 'PST 6% · Saskatchewan', 'VAT 20% · United Kingdom']);
      expect(await taxes('zh')).toEqual(['GST 5%', 'PST 6% · 萨斯喀彻温省', 'VAT 20% · 英国']);
      const span = { from: '2026-11-02', to: '2026-11-02' };
      expect(await refusal(handOver(testApp, 'quickbooks', span))).toMatchObject({
        values: { lines: expect.stringContaining('PST 6% · Saskatchewan, VAT 20% · United Kingdom') },
      });
      // The table of accounts goes by keys that no language changes.
      const codes = (await handover.lines('zh')).map(({ key }) => ({
        id: `quickbooks ${key}`,
        code: key,
        taxRate: '',
      }));
      await changes.run(terminal, 'books accounts', (change) =>
        settings.update(change, { bookAccounts: codes }),
      );
      const text = await fileText(testApp, await handOver(testApp, 'quickbooks', span));
      expect(text).toContain('tax.PST 6% CA-SK,Takings of 2026-11-02: PST 6% · Saskatchewan,,6.00');
    });

    it('a journal that was damaged in the database is named, and keeps its program from more', async () => {
      const testApp = await shopWithDays(engine, 'sage');
      const id = await handOver(testApp, 'sage', days);
      await testApp.db.transaction(async (trx) => {
        const trigger =
          engine === 'sqlite'
            ? 'drop trigger handed_journals_no_update'
            : 'alter table handed_journals disable trigger handed_journals_append_only';
        await sql.raw(trigger).execute(trx);
        await sql`update handed_journals set lines = '[{"key":"sal' where no = 2`.execute(trx);
      });
      const named = { errorKey: 'office.files.damaged', values: { number: 'J-000002' } };
      expect(await refusal(testApp.container.handover.file(id))).toEqual(named);
      expect(await refusal(handOver(testApp, 'sage', null))).toEqual(named);
    });

    it('a day is handed over once, and its file stays the same', async () => {
      const testApp = await shopWithDays(engine, 'sage');
      const { handover } = testApp.container;
      expect((await handover.all()).next.find(({ program }) => program === 'sage')?.span).toEqual(days);
      const both = await Promise.allSettled([1, 2, 3].map(() => handOver(testApp, 'sage', days)));
      const [id, ...others] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(others).toEqual([]);
      const before = await fileText(testApp, id ?? '');
      expect(
        await refusal(handOver(testApp, 'sage', { from: '2026-11-04', to: '2026-11-04' })),
      ).toMatchObject({
        'days.from': { key: 'office.files.handedBefore', values: days },
      });
      expect(await refusal(handOver(testApp, 'sage', { from: '2026-11-05', to: '2026-11-05' }))).toEqual({
        'days.to': 'office.files.notOver',
      });
      await setTable(testApp, []);
      expect(await fileText(testApp, id ?? '')).toBe(before);
      const { files, next } = await handover.all();
      expect(files).toMatchObject([{ ...days, journals: 2, corrections: 0, first: 1, last: 2 }]);
      expect(next.find(({ program }) => program === 'sage')?.span).toBeNull();
    });

    it('days before those that were handed over are offered, until none is left', async () => {
      const testApp = await shopWithDays(engine, 'sage');
      await bookSale(testApp, Date.UTC(2026, 7, 1, 16), 10_000);
      const next = async () =>
        (await testApp.container.handover.all()).next.find(({ program }) => program === 'sage')?.span ?? null;
      expect(await next()).toEqual({ from: '2026-08-01', to: '2026-10-31' });
      await handOver(testApp, 'sage', { from: '2026-10-10', to: '2026-10-20' });
      expect(await next()).toEqual({ from: '2026-10-21', to: '2026-11-04' });
      for (const span of [
        { from: '2026-10-21', to: '2026-11-04' },
        { from: '2026-08-01', to: '2026-10-09' },
      ]) {
        expect(await next()).toEqual(span);
        await handOver(testApp, 'sage', span);
      }
      expect(await next()).toBeNull();
    });

    it('a day that has changed since is corrected by a journal of its own, with its own number', async () => {
      const testApp = await shopWithDays(engine, 'sage');
      await handOver(testApp, 'sage', days);
      expect(await refusal(handOver(testApp, 'sage', null))).toEqual({ errorKey: 'office.files.nothing' });
      await bookSale(testApp, day(2), 100);
      await bookSale(testApp, day(3), 200);
      const lines = (await fileText(testApp, await handOver(testApp, 'sage', null))).split('\r\n');
      expect(lines).toEqual([
        '11-02-26,"J-000003","Correction of J-000001, 2026-11-02"',
        '4000,-1.00',
        '2310,-0.13',
        '1010,1.13',
        '11-03-26,"J-000004","Takings of 2026-11-03"',
        '4000,-2.00',
        '2310,-0.26',
        '1010,2.26',
        '',
      ]);
      expect(await refusal(handOver(testApp, 'sage', null))).toEqual({ errorKey: 'office.files.nothing' });
      await bookSale(testApp, day(2), 100);
      const next = await fileText(testApp, await handOver(testApp, 'sage', null));
      expect(next.split('\r\n')[0]).toBe('11-02-26,"J-000005","Correction of J-000001, 2026-11-02"');
    });

    it('a hand-over of more lines than Xero takes in a file says how far it goes', async () => {
      const testApp = await createTestApp({ engine, now });
      for (let date = 0; date < 90; date++) {
        const at = Date.UTC(2026, 7, 1 + date, 16);
        await testApp.db.transaction(async (trx) => {
          await bookSale(testApp, at, 1000, {}, trx);
          await bookSale(testApp, at, 1000, { way: 'stripe' }, trx);
        });
      }
      await setTable(testApp, tableFor('xero'));
      expect(
        await refusal(handOver(testApp, 'xero', { from: '2026-08-01', to: '2026-10-29' })),
      ).toMatchObject({
        'days.to': { key: 'office.files.tooLong', values: { most: 300, day: '2026-10-14' } },
      });
    });
  });

  describe('the entries', () => {
    it.skipIf(!hasHledger())(
      'the entries are a journal that hledger balances, with the sums of the books',
      async () => {
        const testApp = await createTestApp({ engine, demo: true, now });
        await bookSale(testApp, day(2), 10_000);
        await bookSale(testApp, day(3), 777, { way: 'stripe', place: 'CA-QC' });
        await bookSale(testApp, day(4), 1500, { currency: 'JPY' });
        const { periods, bookEntries } = testApp.container;
        const from = (await periods.all()).next?.from ?? '';
        const { body } = await bookEntries.file({ from, to: '2026-11-05', form: 'hledger' }, null);
        const path = join(testApp.dataDir, 'books.journal');
        writeFileSync(path, await text(body));
        execFileSync('hledger', ['-f', path, 'check']);
        const balance = execFileSync('hledger', ['-f', path, 'balance', '--flat', '-N', '-O', 'csv'], {
          encoding: 'utf8',
        });
        const theirs = balance
          .trim()
          .split('\n')
          .slice(1)
          .flatMap((line) => {
            const [, account = '', amounts = ''] = /^"(.*)","(.*)"$/.exec(line) ?? [];
            return amounts.split(', ').map((amount) => `${account} ${amount.replace(/\.$/, '')}`);
          });
        const sums = new Map<string, number>();
        for (const sum of await sumsIn(testApp.db.read, { from: 0, to: now + 24 * 3_600_000 })) {
          const key = `${hledgerAccount(sum)} ${sum.currency}`;
          sums.set(key, (sums.get(key) ?? 0) + sum.amount);
        }
        const ours = [...sums].flatMap(([key, amount]) => {
          const [, account = '', currency = ''] = /^(.*) (\w+)$/.exec(key) ?? [];
          const units = currency === 'JPY' ? String(amount) : (amount / 100).toFixed(2);
          return amount === 0 ? [] : [`${account} ${units} ${currency}`];
        });
        expect(theirs.toSorted()).toEqual(ours.toSorted());
        expect(ours.length).toBeGreaterThan(6);
      },
    );

    it('the entries are a table without names and addresses of customers, of the stores of whoever asks', async () => {
      const testApp = await createTestApp({ engine, now });
      await bookSale(testApp, day(2), 10_000);
      await bookSale(testApp, day(2), 5555, { store: 'waterloo-uptown' });
      const { bookEntries } = testApp.container;
      const span = { from: '2026-11-01', to: '2026-11-05', form: 'csv' } as const;
      const all = (await text((await bookEntries.file(span, null)).body)).trim().split('\n');
      expect(all[0]).toMatch(/^Booked,Happened,Event,No\.,What,Order,Store,Account,/);
      expect(all.length).toBe(7);
      const book = await buffer((await bookEntries.file({ ...span, form: 'xlsx' }, null)).body);
      expect(book.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
      const own = await text((await bookEntries.file(span, new Set(['waterloo-uptown']))).body);
      expect([own.includes('55.55'), own.includes('100.00')]).toEqual([true, false]);
    });

    it('files are for whoever has the right to export the books, with a second factor', async () => {
      const testApp = await shopWithDays(engine, 'sage', true);
      const as = await joinStaff(testApp, 'books@shop.example', 'bookkeeper');
      expect((await askStaff(testApp, 'handedFiles', { as })).status).toBe(403);
      await secureStaff(testApp, as);
      testApp.clock.set(now);
      const { status, body } = await askStaff(testApp, 'handOver', { as, body: { program: 'sage', days } });
      expect([status, body.files[0]?.by]).toEqual([200, 'books']);
      const clerk = await joinStaff(testApp, 'clerk@shop.example', 'bookkeeper', ['toronto-queen-west']);
      await secureStaff(testApp, clerk);
      testApp.clock.set(now);
      const again = { program: 'sage', days: null };
      expect((await askStaff(testApp, 'handOver', { as: clerk, body: again })).status).toBe(404);
    });
  });
});

function hasHledger(): boolean {
  try {
    execFileSync('hledger', ['--version']);
    return true;
  } catch {
    return false;
  }
}
