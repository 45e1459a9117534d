/** Calls of `t()` give what the text of their message takes: no more and no less. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import messages from '#contract/messages/en.json' with { type: 'json' };
import staffMessages from '#contract/staff/messages/en.json' with { type: 'json' };
import { messageCalls } from './message-calls.ts';

const root = join(import.meta.dirname, '..');
const texts: Readonly<Record<string, string>> = { ...messages, ...staffMessages };
const folders = ['web', 'ui', 'office', 'contract', 'blocks', 'payment-providers', 'server', 'demo/brand'];

const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|gen)\.|\.d\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** What the text of a key takes; of a pair of plurals what either takes, and the count that chooses. Null for no key. */
function parametersOf(key: string): Set<string> | null {
  const plural = ['one', 'other'].flatMap((form) => texts[`${key}.${form}`] ?? []);
  const own = texts[key] === undefined ? plural : [texts[key]];
  if (own.length === 0) return null;
  const names = own.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  return new Set(texts[key] === undefined ? [...names, 'count'] : names);
}

/** What is wrong with a call, or null. */
function problemOf(key: string, given: readonly string[] | null): string | null {
  const taken = parametersOf(key);
  if (!taken || given === null) return null;
  const missing = [...taken].filter((name) => !given.includes(name));
  // Of problems in a file, whether it is only worth a warning.
  const unknown = given.filter(
    (name) => !taken.has(name) && !(name === 'warning' && key.startsWith('problem.sheet.')),
  );
  if (missing.length > 0) return `${key} needs ${missing.join(', ')}`;
  return unknown.length > 0 ? `${key} takes no ${unknown.join(', ')}` : null;
}

test('every call of t() gives exactly the parameters of its text', () => {
  let calls = 0;
  const problems = files.flatMap((file) =>
    messageCalls(file, readFileSync(join(root, file), 'utf8')).flatMap(({ keys, given }) => {
      calls += 1;
      return keys.flatMap((key) => problemOf(key, given) ?? []).map((problem) => `${file}: ${problem}`);
    }),
  );
  expect(calls).toBeGreaterThan(1500);
  expect(problems).toEqual([]);
});

test('a call without a parameter, or with one that the text does not have, is found', () => {
  const code = `
    t('office.take.title');
    t(wide ? 'rule.outOfStockLine' : 'cart.title', { product });
    t('shell.cart.count', { count, product: 1 });
    t('cart.title', values);
    t(\`office.mail.\${kind}\`);
  `;
  const found = messageCalls('a.tsx', code).flatMap(({ keys, given }) =>
    keys.flatMap((key) => problemOf(key, given) ?? []),
  );
  expect(found).toEqual([
    'office.take.title needs place',
    'cart.title takes no product',
    'shell.cart.count takes no product',
  ]);
});
