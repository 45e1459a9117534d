import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import en from '#contract/messages/en.json' with { type: 'json' };
import { importsOf } from '#tests/imports.ts';
import { isOwnMessage } from './own-messages.ts';

const root = join(import.meta.dirname, '../..');
const privateRoutes = /^(cart|checkout|payment|account|myFavorite)\b/;

/** The files that the given ones are made of, dynamic imports included. */
function reachedFrom(files: string[]): string[] {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file) || !/\.tsx?$/.test(file) || !existsSync(join(root, file))) return;
    reached.add(file);
    const path = join(root, file);
    for (const { own, typeOnly, target } of importsOf(readFileSync(path, 'utf8'), path, root))
      if (own && !typeOnly) visit(target);
  };
  files.forEach(visit);
  return [...reached];
}

const publicRoutes = readdirSync(join(root, 'web/routes')).filter(
  (file) => !privateRoutes.test(file) && !file.includes('.test.'),
);
const publicFiles = reachedFrom(publicRoutes.map((file) => `web/routes/${file}`)).filter((file) => file.startsWith('web/'));

test('no public page says a message that it was not given', () => {
  expect(publicFiles).toContain('web/features/shell/header.tsx');
  const keys = Object.keys(en).filter(isOwnMessage);
  const starts = [...new Set(keys.map((key) => key.slice(0, key.indexOf('.') + 1)))];
  const said = publicFiles.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8').replace(/^\s*(\/\/.*|\/\*[\s\S]*?\*\/)/gm, '');
    return starts
      .filter((start) => new RegExp(`['"\`]${start.replace('.', '\\.')}`).test(code))
      .map((start) => `${file} says ${start}…`);
  });
  expect(said).toEqual([]);
});
