/**
 * A class that no style sheet knows does nothing and says nothing. The brand's tokens replace
 * Tailwind's, so `text-xs` or `bg-white` are such classes here.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compile } from 'tailwindcss';
import { expect, it } from 'vitest';

const web = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

async function loadStylesheet(id: string, base: string) {
  const file = id.startsWith('.') ? path.resolve(base, id) : require.resolve(id);
  return { path: file, base: path.dirname(file), content: readFileSync(file, 'utf8') };
}

/** The class names that stand in `className="…"` and in the strings of `className={…}`, less what is only compared with. */
function classesIn(source: string): string[] {
  const written = [...source.matchAll(/(?:className|listClass)=(?:"([^"]*)"|\{([^{}]*)\})/g)].map(([, plain, code = '']) => {
    const strings = code.replaceAll(/[!=]== '[^']*'/g, '').matchAll(/'([^']*)'/g);
    return plain ?? [...strings].map(([, text]) => text).join(' ');
  });
  return written.join(' ').split(/\s+/).filter(Boolean);
}

it('every class used on a screen is known to the style sheet', async () => {
  const files = globSync('**/*.tsx', { cwd: web }).filter((file) => !file.startsWith('ui/gallery') && !file.includes('.test.'));
  const used = new Map(files.map((file) => [file, classesIn(readFileSync(path.join(web, file), 'utf8'))]));
  const { content, base } = await loadStylesheet('./main.css', import.meta.dirname);
  const css = (await compile(content, { base, loadStylesheet })).build([...new Set([...used.values()].flat())]);
  const known = new Set([...css.matchAll(/\.((?:[\w-]|\\.)+)/g)].map(([, name = '']) => name.replaceAll('\\', '')));

  const unknown = [...used].flatMap(([file, names]) =>
    names.filter((name) => !known.has(name)).map((name) => `${file}: ${name}`),
  );
  expect(known.size).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});
