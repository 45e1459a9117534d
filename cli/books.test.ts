/** `books takings`, `returns`, `owed` and `stock`: what the office's rooms say, at the terminal. */
import { beforeAll, expect, test } from 'vitest';
import { byteOrderMark } from '#contract/csv.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

onOneEngine((engine) => {
  let testApp: TestApp;
  let month = '';
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
    const { next } = await testApp.container.periods.all();
    month = next?.from.slice(0, 7) ?? '';
  });
  const books = (...words: string[]) => shopCommand(testApp, ['books', ...words]);
  const permit = mintPermit('books.export', { kind: 'terminal' }, null);

  test('takings are printed by account, tax and way of paying, in words', async () => {
    const { code, printed } = await books('takings', month);
    expect(code).toBe(0);
    const lines = printed.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
    expect(lines).toContain('Ontario · HST 13% | $10.06 | $0.00 | $0.00 | $10.06');
    expect(lines.some((line) => line.startsWith('Card (house gateway) | $111.76'))).toBe(true);
  });

  test('each report is the same as the office has it, as JSON and as CSV', async () => {
    const days = { from: `${month}-01`, to: `${month}-28` };
    const typed = `${days.from}..${days.to}`;
    const { books: reports, bookTables, stockValue } = testApp.container;
    const asked = [
      [
        ['takings', typed],
        await reports.report(permit, days, 'en'),
        await bookTables.of(permit, { ...days, what: 'report' }, 'en'),
      ],
      [
        ['owed', days.to],
        await reports.owed(permit, { day: days.to }, Number.MAX_SAFE_INTEGER),
        await bookTables.of(permit, { from: days.to, to: days.to, what: 'owed' }, 'en'),
      ],
      [['stock', typed], await stockValue.of(permit, days, Number.MAX_SAFE_INTEGER), null],
      [
        ['returns', 'gst', typed],
        await bookTables.of(permit, { ...days, what: 'return', return: 'gst' }, 'en'),
        null,
      ],
    ] as const;
    for (const [words, answer, table] of asked) {
      expect(JSON.parse((await books(...words, '--json')).printed), words[0]).toEqual(
        JSON.parse(JSON.stringify(answer)),
      );
      const { code, printed } = await books(...words, '--csv');
      expect([words[0], code, printed.startsWith(byteOrderMark)]).toEqual([words[0], 0, true]);
      if (table) expect(printed.split('\n').length).toBe(table.rows.length + 1);
    }
  });

  test('a return, a period or a form that does not exist is refused', async () => {
    expect((await books('returns', 'ontario', month)).code).not.toBe(0);
    expect((await books('takings', '2026-13')).code).not.toBe(0);
    expect((await books('owed', '2026-02-30')).code).not.toBe(0);
    expect((await books('stock', month, '--csv', '--json')).code).not.toBe(0);
  });
});
