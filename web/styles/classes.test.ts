/**
 * Checks that utilities in the component that owns a look are the only way of styling. A class that no style sheet defines does
 * nothing and raises no error (the brand's tokens replace Tailwind's, so `text-xs` or `bg-white` are such classes here), and a
 * CSS file has only what utilities cannot express.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compile } from 'tailwindcss';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import { brandFile } from '../build-plugins.ts';

const root = path.resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = globSync('{blocks,demo/brand,payment-providers,ui,web}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.test\.|\.gen\./.test(file),
);
/** The files in which Tailwind searches for classes: see `@source` in main.css. */
const scanned = sources.filter((file) => /\.tsx$|\.classes\.ts$/.test(file));
const styleSheets = globSync('{ui,web}/**/*.css', { cwd: root });

/** The style sheets of the brand, as the build finds them. */
const aliases = new Map([
  ['#brand/tokens.css', brandFile('tokens.css')],
  ['#brand/fonts.css', brandFile('fonts.css')],
]);

async function loadStylesheet(id: string, base: string) {
  const file = aliases.get(id) ?? (id.startsWith('.') ? path.resolve(base, id) : require.resolve(id));
  return { path: file, base: path.dirname(file), content: readFileSync(file, 'utf8') };
}

interface Node {
  type?: string;
  name?: { name?: string };
  key?: { name?: string };
  value?: unknown;
}

const isClassAttribute = ({ type, name }: Node) =>
  type === 'JSXAttribute' && /^(?:className|listClass)$/.test(name?.name ?? '');

/** The arguments of `buttonClass` that are not classes. */
const isLook = ({ type, key }: Node) => type === 'Property' && /^(?:variant|size)$/.test(key?.name ?? '');

/**
 * Words of the string literals of a source, and of those within class attributes; strings that are only compared are left out.
 */
function readStrings(file: string): { all: string[][]; attributes: string[] } {
  const all: string[][] = [];
  const attributes: string[] = [];
  const take = (text: string, inAttribute: boolean) => {
    const names = text.split(/\s+/).filter(Boolean);
    all.push(names);
    if (inAttribute) attributes.push(...names);
  };
  const visit = (value: unknown, inAttribute: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (node.type === 'BinaryExpression' || isLook(node)) return;
    const here = inAttribute || isClassAttribute(node);
    if (node.type === 'Literal' && typeof node.value === 'string') take(node.value, here);
    if (node.type === 'TemplateElement') take((node.value as { raw: string }).raw, here);
    for (const child of Object.values(node)) visit(child, here);
  };
  visit(parseSync(file, read(file)).program, false);
  return { all, attributes };
}

const strings = new Map(sources.map((file) => [file, readStrings(file)]));

/** Names without styles of their own, which other classes of the same string refer to. */
const isMarker = (name: string) => /^(?:group|peer)(?:\/[\w-]+)?$/.test(name);

/** The classes of a style sheet's selectors. */
function selectorsIn(css: string): string[] {
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\/|@(?:import|source|custom-variant)[^;]*;|"[^"]*"/g, '');
  const selectors = [...plain.matchAll(/([^{};]*)\{/g)].map(([, selector = '']) => selector);
  return selectors.flatMap((selector) =>
    [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name),
  );
}

async function knownClasses(names: Iterable<string>): Promise<Set<string>> {
  const { content, base } = await loadStylesheet('./main.css', import.meta.dirname);
  const css = (await compile(content, { base, loadStylesheet })).build([...new Set(names)]);
  const main = [...css.matchAll(/\.((?:[a-zA-Z_-]|\\.)(?:[\w-]|\\.)*)/g)].map(([, name = '']) =>
    name.replaceAll('\\', ''),
  );
  // Sheets of some pages only, which a component imports.
  const own = styleSheets
    .filter((file) => file.startsWith(path.join('web', 'features')))
    .flatMap((file) => selectorsIn(read(file)));
  return new Set([...main, ...own]);
}

it('every class used on a screen is known to the style sheet', async () => {
  const known = await knownClasses(scanned.flatMap((file) => strings.get(file)?.all.flat() ?? []));
  const isKnown = (name: string) => known.has(name) || isMarker(name);
  const unknown = scanned.flatMap((file) => {
    // A string in which several words are classes is a list of classes, wherever it occurs.
    const { all, attributes } = strings.get(file) ?? { all: [], attributes: [] };
    const lists = all.filter((names) => names.filter((name) => known.has(name)).length > 1);
    const used = [...attributes, ...lists.flat()];
    return [...new Set(used.filter((name) => !isKnown(name)))].map((name) => `${file}: ${name}`);
  });
  expect(known.size).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});

it('every class of a CSS file is used by a component', () => {
  const used = new Set([...strings.values()].flatMap(({ all }) => all.flat()));
  const named = styleSheets.flatMap((file) => selectorsIn(read(file)).map((name) => ({ file, name })));
  const dead = named.filter(({ name }) => !used.has(name) && !name.startsWith('leaflet-'));
  expect(named.length).toBeGreaterThan(10);
  expect(dead).toEqual([]);
});

it('CSS files name no utilities', () => {
  expect(styleSheets.filter((file) => read(file).includes('@apply'))).toEqual([]);
});
