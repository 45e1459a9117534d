/** Each of these facts has one owner; this fails if another file decides it again. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = ['contract', 'payment-providers', 'db', 'server', 'ui', 'office', 'web', 'cli'].flatMap(
  (folder) => productFiles(join(root, folder)),
);

interface Owner {
  fact: string;
  /** The files that may match. */
  owners: readonly string[];
  /** What a file that decides the fact itself contains. */
  pattern: RegExp;
  /** Text that the pattern must match, so that the rule can fail. */
  example: string;
}

const facts: readonly Owner[] = [
  {
    fact: 'HTML and XML escaping',
    owners: ['server/platform/html.ts'],
    pattern: /&lt;|&amp;(?!lang=)/,
    example: "text.replaceAll('<', '&lt;')",
  },
  {
    fact: 'Money formatting',
    owners: ['contract/formatters.ts'],
    pattern: /style: 'currency'/,
    example: "new Intl.NumberFormat('en', { style: 'currency', currency })",
  },
  {
    fact: 'The minus sign of an amount of money',
    owners: ['contract/formatters.ts'],
    pattern: /'-', '−'|< 0 && '−'|'−'.{0,20}(?:formatMoney|<Money)/,
    example: "{cents < 0 && '−'}",
  },
  {
    fact: 'How many of the smallest unit make one unit of a currency',
    owners: ['contract/money.ts'],
    // Percentages, shares and statuses are scaled by 100 as well.
    pattern:
      /^(?!.*(?:percent|%|rates?\b|ratio|size|width|height|part\b|status|performance)).*(?:(?<![<>=] ?)[/*] ?100\b|(?:toFixed|padEnd|padStart)\([23]\)|hundredths\(|unit=\{100\})/m,
    example: 'const price = (cents / 100).toFixed(2);',
  },
  {
    fact: 'The warehouse id',
    owners: ['contract/limits.ts'],
    pattern: /(?<!`.*)'warehouse'/,
    example: "const shipsFrom = 'warehouse';",
  },
  {
    fact: 'The name of each database lock, such as the catalogue lock,',
    owners: [
      'db/migrate.ts',
      'server/modules/bookkeeping/cash/cash.ts',
      'server/modules/bookkeeping/closing/periods.repository.ts',
      'server/modules/bookkeeping/handover/handover.ts',
      'server/modules/catalogue/products/catalogue-transaction.ts',
      'server/modules/checkout/placement/hold-limits.ts',
      'server/modules/content/blocks/pages.repository.ts',
      'server/modules/content/blog/blog-editor.repository.ts',
      'server/modules/ledger/ledger.ts',
      'server/modules/orders/coupons/coupons.repository.ts',
      'server/modules/settings/settings.repository.ts',
      'server/modules/stores/pickup.service.ts',
      'server/modules/stores/stores.repository.ts',
      'server/modules/webhooks/webhooks.repository.ts',
    ],
    pattern: /queries\.lock\(/,
    example: "await db.queries.lock(trx, 'catalogue');",
  },
  {
    fact: 'How stock, holds and their movements are written, so that no level changes without its movement,',
    owners: [
      'server/modules/inventory/stock/stock.repository.ts',
      'db/migrations/040-stock-movements.ts',
      'db/migrations/087-stock-costs.ts',
    ],
    pattern:
      /(?:(?:insertInto|updateTable|deleteFrom)\(|insertMany\(\s*\w+,\s*\w+,\s*)'(?:stock|holds|stock_movements)'|(?:insert into|update|delete from) (?:stock|holds|stock_movements)\b/,
    example: "await trx.updateTable('stock').set({ quantity: 0 }).execute();",
  },
  {
    fact: 'The failure of an attempt that has ended',
    owners: ['server/modules/payments/providers/provider.ts'],
    pattern: /'payment\.attemptEnded'/,
    example: "const gone = { errorType: 'TRANSACTION_ERROR', errorKey: 'payment.attemptEnded' };",
  },
  {
    fact: "A page's path in a language",
    owners: ['contract/locales.ts'],
    pattern: /(?<!messages)\/\$\{(?:locale|code|language|lang)\}/,
    example: ['const path = `/$', '{locale}/blog`;'].join(''),
  },
  {
    fact: 'The time zone of a shop',
    owners: ['server/modules/stores/store.ts'],
    pattern: /\?\? 'UTC'/,
    example: "stores.find(({ mainStore }) => mainStore)?.timeZone ?? 'UTC'",
  },
];

function productFiles(folder: string): { path: string; code: string }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return productFiles(path);
    if (!/(?<!\.test|\.gen)\.tsx?$/.test(entry.name)) return [];
    const code = readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return [{ path: relative(root, path).replaceAll('\\', '/'), code }];
  });
}

describe('one owner for each fact', () => {
  test('the files of the program are found', () => {
    expect(files.length).toBeGreaterThan(500);
  });

  test.each(facts)('$fact is decided in one place', ({ owners, pattern, example }) => {
    expect(example).toMatch(pattern);
    const deciding = files.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
    expect(deciding.filter((path) => !owners.includes(path))).toEqual([]);
    expect(deciding).toEqual(expect.arrayContaining([...owners]));
  });

  test('each query of the storefront is declared once, with one key and one staleness', () => {
    const declared = files.flatMap(({ code }) =>
      [
        ...code.matchAll(/queryKey: (\[[^\]]*\])(?: as const)?,\s+queryFn|callQuery\(\s*api,\s*('[^;]*)\);/g),
      ].map(([, key, call]) => key ?? call ?? ''),
    );
    expect(declared.length).toBeGreaterThan(40);
    expect(declared.filter((key, index) => declared.indexOf(key) !== index)).toEqual([]);
  });
});
