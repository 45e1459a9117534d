/** Says what is wrong with a merchant's file, by the entry that is wrong. */
import { problemLine, type SchemaProblem } from '#server/platform/schema-problems.ts';
import { CommandError, countOf } from './command.ts';

/** What a file calls the entries of its lists. */
const kinds: Readonly<Record<string, string>> = {
  brands: 'brand',
  categories: 'category',
  tags: 'tag',
  modifierGroups: 'modifier group',
  stores: 'store',
  products: 'product',
  pages: 'page',
  gallery: 'photo',
  posts: 'post',
};

/** Problems that are printed. */
const most = 100;

/** The error for a file that is not imported, with its problems, each once. */
export function nothingImported(problems: readonly string[]): CommandError {
  const all = [...new Set(problems)];
  const more = all.length > most ? [`and ${countOf(all.length - most, 'more problem')}`] : [];
  return new CommandError(['Nothing was imported:', ...all.slice(0, most), ...more].join('\n  '));
}

/**
 * A problem with the entry of the file that has it: `product river-mug: /priceCents must be …, found 12.5`. The entry is named by
 * its id if it has one; merchants do not count entries.
 */
export function locatedProblem(content: unknown, { path, message }: SchemaProblem): string {
  const [part = '', index = '', ...inside] = path;
  if (part === 'settings' && index !== '') return `Setting ${[index, ...inside].join('/')} ${message}`;
  const kind = kinds[part];
  const name = kind === undefined || index === '' ? undefined : nameOf(valueAt(valueAt(content, part), index));
  if (name !== undefined) return `${kind} ${name}: ${problemLine({ path: inside, message })}`;
  return path.length === 0 ? `the file ${message}` : problemLine({ path, message });
}

/** The id, name or link of an entry; undefined if it has none. */
export function nameOf(entry: unknown): string | undefined {
  return ['id', 'name', 'link'].map((field) => valueAt(entry, field)).find((name) => typeof name === 'string' && name !== '') as
    | string
    | undefined;
}

/** A field of an object, or an entry of a list; undefined if there is none. */
export function valueAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Entries of a list that have the id of another one, or its name or link. */
export function repeatedEntries(list: string, entries: readonly unknown[]): string[] {
  const names = entries.map(nameOf);
  const repeated = new Set(names.filter((name, index) => name !== undefined && names.indexOf(name) !== index));
  return [...repeated].map((name) => `${kinds[list] ?? list} ${name}: given twice`);
}

/** The content without what the problems lead into: entries of lists, single settings, or whole parts. */
export function withoutInvalid(content: unknown, problems: readonly SchemaProblem[]): Record<string, unknown> {
  if (typeof content !== 'object' || content === null || problems.some(({ path }) => path.length === 0)) return {};
  const invalid = new Set(problems.map(({ path }) => path.slice(0, 2).join('/')));
  const parts = Object.entries(content).flatMap(([part, value]: [string, unknown]) => {
    if (invalid.has(part)) return [];
    if (Array.isArray(value)) return [[part, value.filter((_, index) => !invalid.has(`${part}/${index}`))] as const];
    if (typeof value !== 'object' || value === null) return [[part, value] as const];
    return [[part, Object.fromEntries(Object.entries(value).filter(([name]) => !invalid.has(`${part}/${name}`)))] as const];
  });
  return Object.fromEntries(parts);
}

/** The entries of a list in an object; none if there is no such list. */
export function entriesOf(content: unknown, list: string): readonly unknown[] {
  const entries = valueAt(content, list);
  return Array.isArray(entries) ? entries : [];
}
