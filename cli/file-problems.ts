/** Prints what is wrong with a merchant's file. */
import { type Problem, problemText } from '#contract/problems.ts';
import { CommandError, printable, type Terminal } from './command.ts';

/** Problems that are printed. */
const most = 100;

/** Lines that tell of problems, each once. */
export function problemLines(problems: readonly Problem[], { t }: Terminal): string[] {
  const all = [...new Set(problems.map((each) => printable(problemText(each, t))))];
  return all.length > most ? [...all.slice(0, most), t('import.more', { count: all.length - most })] : all;
}

/** @throws {CommandError} for a file that cannot be imported */
export function requireNone(problems: readonly Problem[], terminal: Terminal): void {
  if (problems.length === 0) return;
  throw new CommandError([terminal.t('import.nothing'), ...problemLines(problems, terminal)].join('\n  '));
}
