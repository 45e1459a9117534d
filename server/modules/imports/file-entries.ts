import { type Problem, problem } from '#contract/problems.ts';
import { fieldOf, nameOf } from '#server/platform/schema-problems.ts';

/** By id, name or link. */
export function repeatedEntries(list: string, entries: readonly unknown[]): Problem[] {
  const names = entries.map(nameOf);
  const repeated = new Set(names.filter((name, index) => name !== undefined && names.indexOf(name) !== index));
  return [...repeated].map((name) => problem([list, name ?? ''], 'problem.repeated'));
}

/** Problems lead into entries of lists, single settings, or whole parts, which are left out. */
export function withoutInvalid(content: unknown, problems: readonly Problem[]): Record<string, unknown> {
  if (typeof content !== 'object' || content === null || problems.some(({ path }) => path.length === 0)) return {};
  const invalid = new Set(problems.map(({ path }) => path.slice(0, 2).join('/')));
  const parts = Object.entries(content).flatMap(([part, value]: [string, unknown]) => {
    if (invalid.has(part)) return [];
    if (Array.isArray(value))
      return [[part, value.filter((entry, index) => !invalid.has(`${part}/${nameOf(entry) ?? index}`))] as const];
    if (typeof value !== 'object' || value === null) return [[part, value] as const];
    return [[part, Object.fromEntries(Object.entries(value).filter(([name]) => !invalid.has(`${part}/${name}`)))] as const];
  });
  return Object.fromEntries(parts);
}

export function entriesOf(content: unknown, list: string): readonly unknown[] {
  const entries = fieldOf(content, list);
  return Array.isArray(entries) ? entries : [];
}
