/** Reads the steps of a how-to page and does them in a copy of the project, as a reader would. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Step {
  /** 'create' writes a file, 'edit' changes one, 'run' is a line for the shell. */
  kind: 'create' | 'edit' | 'run';
  /** The path of the file. Empty for 'run'. */
  file: string;
  /** The whole file, a diff, or the command. */
  code: string;
}

/**
 * The code blocks of a page, in order. The line above a block ends with the path of its file in backquotes.
 * @throws {Error} if a block of code has no path
 */
export function readSteps(markdown: string): Step[] {
  // A block of `console` shows how something was made; it is no step.
  const blocks = [...markdown.matchAll(/^(.*)\n+```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, above = '', language = '', code = '']): Step[] => {
    if (language === 'console') return [];
    if (language === 'sh')
      return code
        .trim()
        .split('\n')
        .map((line) => ({ kind: 'run', file: '', code: line }));
    const [, file] = /`([\w./$-]+\.\w+)`:$/.exec(above) ?? [];
    if (!file) throw new Error(`No file is named above this block: ${code}`);
    return [{ kind: language === 'diff' ? 'edit' : 'create', file, code }];
  });
}

/** Does a step that writes files in the project at `root`. @throws {Error} if the project is not as the page describes it */
export function applyStep(root: string, { kind, file, code }: Step): void {
  const path = join(root, file);
  if (kind === 'create') {
    if (existsSync(path)) throw new Error(`${file} exists already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  if (kind === 'edit') writeFileSync(path, applyDiff(readFileSync(path, 'utf8'), code, file));
  const [, from, to] = (kind === 'run' && /^cp (\S+) (\S+)$/.exec(code)) || [];
  if (from && to) copyFileSync(join(root, from), join(root, to));
  const [, folder] = (kind === 'run' && /^mkdir (\S+)$/.exec(code)) || [];
  if (folder) mkdirSync(join(root, folder));
}

/** Replaces the lines of a diff, which must be in the text exactly once. A line '...' separates two places. */
export function applyDiff(text: string, diff: string, file: string): string {
  const places = diff.trimEnd().split(/^\.\.\.\n/m);
  return places.reduce((result, place) => {
    const lines = place.trimEnd().split('\n');
    const only = (signs: string) =>
      lines.filter((line) => signs.includes(line.charAt(0))).map((line) => `${line.slice(1)}\n`);
    const before = only(' -').join('');
    const found = result.split(before).length - 1;
    if (found !== 1) throw new Error(`${file} has these lines ${found} times:\n${before}`);
    return result.replace(before, () => only(' +').join(''));
  }, text);
}

/** What the steps change, as the first paragraph of a page says it. */
export function measure(steps: readonly Step[]): string {
  const created = steps
    .filter(({ kind, code }) => kind === 'create' || code.startsWith('cp '))
    .map(({ file }) => file);
  const copied = new Set(
    steps.flatMap(({ kind, code }) => (kind === 'run' ? (/^cp \S+ (\S+)$/.exec(code)?.[1] ?? []) : [])),
  );
  const edits = steps.filter(({ kind, file }) => kind === 'edit' && !copied.has(file));
  const lines = edits.flatMap(({ code }) => code.split('\n').filter((line) => line.startsWith('+'))).length;
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const sources = created.filter((file) => !/^\w+\.json$/.test(file));
  const parts = [
    ...(sources.length > 0 ? [counted(sources.length, 'new file')] : []),
    ...(lines > 0
      ? [`${counted(lines, 'new line')} in ${counted(new Set(edits.map(({ file }) => file)).size, 'file')}`]
      : []),
  ];
  return parts.join(' and ');
}
