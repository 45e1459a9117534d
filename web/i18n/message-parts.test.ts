import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import en from '#contract/messages/en.json' with { type: 'json' };
import { importsOf } from '#tests/imports.ts';
import { partOf } from './message-parts.ts';
import { partAt } from './messages.ts';
import { usedKeys } from './used-keys.ts';

const root = join(import.meta.dirname, '../..');
const keys = Object.keys(en);
/** The file that imports all pages; everything else it needs is part of every page. */
const allRoutes = 'web/routeTree.gen.ts';
/** The build replaces it by a plain table (web/build-plugins.ts), so no page has the schemas that it imports. */
const endpointRoutes = 'contract/shop/routes.ts';

const codeOf = (file: string) =>
  readFileSync(join(root, file), 'utf8').replace(/^\s*(\/\/.*|\/\*[\s\S]*?\*\/)/gm, '');

/** The files that the given ones are made of, dynamic imports included. */
function reachedFrom(files: string[]): string[] {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (
      reached.has(file) ||
      file === allRoutes ||
      file === endpointRoutes ||
      !/\.tsx?$/.test(file) ||
      !existsSync(join(root, file))
    )
      return;
    reached.add(file);
    const path = join(root, file);
    for (const { own, typeOnly, target } of importsOf(readFileSync(path, 'utf8'), path, root))
      if (own && !typeOnly) visit(target);
  };
  files.forEach(visit);
  return [...reached];
}

const saidBy = (file: string) => [...usedKeys(codeOf(file), keys)];

const routes = readdirSync(join(root, 'web/routes')).filter(
  (file) => !file.includes('.test.') && !file.startsWith('-'),
);
/** `account.orders.$id.tsx` serves `/account/orders/$id`. */
const pathOf = (route: string) => `/${route.replace(/\.tsx?$/, '').replaceAll('.', '/')}`;
const filesAt = (part: ReturnType<typeof partAt>) =>
  reachedFrom([
    'web/router.tsx',
    ...routes.filter((route) => partAt(pathOf(route)) === part).map((route) => `web/routes/${route}`),
  ]);

test.each([
  [null, 'web/features/shell/shell.tsx', 'shell.search.open'],
  ['lists', 'web/features/catalogue/filter-bar.tsx', 'list.filter'],
  ['product', 'web/features/product/stock-line.tsx', 'rule.outOfStock'],
  ['content', 'web/features/blog/post-screen.tsx', 'blog.likes.other'],
  ['own', 'contract/rules/payment.ts', 'rule.cardExpired'],
] as const)('the message part of pages %s holds no messages of other pages', (part, file, message) => {
  const files = filesAt(part);
  expect(files).toContain(file);
  expect(saidBy(file)).toContain(message);
  // Pages with a product or its modifiers load the rest of their messages with the code that uses them.
  const given = ['all', part, ...(part === 'product' || part === 'own' ? ['more'] : [])];
  const strange = files.flatMap((each) =>
    saidBy(each)
      .filter((key) => !given.includes(partOf(key)))
      .map((key) => `${each} says ${key}`),
  );
  expect(strange).toEqual([]);
});

test('a computed message key stands for all keys that it can become', () => {
  expect(saidBy('web/features/catalogue/filter-groups.tsx')).toEqual(
    expect.arrayContaining(keys.filter((key) => key.startsWith('list.sort.'))),
  );
});
