/** Finds the regular expressions in the program’s sources, and makes texts that reveal a slow one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

export interface FoundPattern {
  /** Path and line, such as `server/platform/text.ts:8`. */
  at: string;
  pattern: RegExp;
}

/** The folders whose code runs in the shop, in a shopper's browser or on a merchant's terminal. */
const folders = ['blocks', 'cli', 'contract', 'db', 'payment-providers', 'server', 'ui', 'office', 'web'];

/** Every regular expression literal below `root`, and every `pattern` of a schema. Tests are left out. */
export function findPatterns(root: string): FoundPattern[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .flatMap((file) => patternsIn(join(folder, file), readFileSync(join(root, folder, file), 'utf8'))),
  );
}

/** The regular expressions of one source text. */
export function patternsIn(path: string, source: string): FoundPattern[] {
  const found: FoundPattern[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    const written = writtenPattern(node);
    if (written) {
      const line = source.slice(0, node.start).split('\n').length;
      found.push({ at: `${path}:${line}`, pattern: new RegExp(written.pattern, written.flags) });
    }
    for (const child of Object.values(node)) visit(child);
  };
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  visit(program);
  return found;
}

interface Node {
  type?: string;
  start?: number;
  regex?: { pattern: string; flags: string };
  key?: { name?: string };
  value?: { value?: unknown };
}

function writtenPattern({ type, regex, key, value }: Node): { pattern: string; flags: string } | null {
  if (type === 'Literal' && regex) return regex;
  const schema = type === 'Property' && key?.name === 'pattern' ? value?.value : undefined;
  // As the validator compiles it.
  return typeof schema === 'string' ? { pattern: schema, flags: 'u' } : null;
}

/** Texts of `length` that begin a match of the pattern again and again, or go on with one, and then end otherwise. */
export function attacksOn({ source }: RegExp, length: number): string[] {
  const literals = source.match(/(?:\\[^\w\s]|[^\\()[\]{}*+?.|^$])+/g) ?? [];
  const words = literals.map((literal) => literal.replaceAll('\\', '')).filter(Boolean);
  const units = new Set([
    ...words,
    ...everyKind,
    ...words.flatMap((word) => ['a', '0', ' '].map((kind) => word + kind)),
  ]);
  return [...units].flatMap((unit) => {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return endings.map((ending) => `${text}${ending}`);
  });
}

/** One character of each kind that patterns tell apart. */
const everyKind = [
  'a',
  'A',
  '0',
  '_',
  'é',
  '中',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\u0000',
  '\u200b',
  '\ud800',
  '<',
  '&',
  '/',
  '@',
  '%40',
  '.',
  '-',
];
const endings = ['', '\u0001', ' x!'];
