/** The interface of a command of `npm run shop -- …`. To add one, add a file in `commands/` and a line in its index. */
import type { Env } from '#server/env.ts';

export interface Command {
  /** The arguments after the command's name, such as `<file>`; empty if it takes none. */
  usage: string;
  /** One line for the list of commands. */
  summary: string;
  /** Resolves with the exit code, 0 for success. @throws {CommandError} for a problem that the merchant can fix */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

export interface Terminal {
  /** The configuration. @throws {ConfigurationError} if it is invalid */
  env(): Env;
  print(line: string): void;
}

/** An error whose message is printed as a sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/**
 * An error for missing or invalid arguments: the problem, then the usage line.
 * @param problem complete sentences
 * @param usage the command with its arguments, such as `fill <file>`
 */
export function usageError(problem: string, usage: string): CommandError {
  return new CommandError(`${problem} Usage: npm run shop -- ${usage}`);
}
