/** What a command of `npm run shop -- …` is. Adding one is a file in `commands/` and a line in its index. */
import type { Env } from '#server/env.ts';

export interface Command {
  /** What follows the command's name, like `<file>`; empty where nothing does. */
  usage: string;
  /** One line for the list of commands. */
  summary: string;
  /** Resolves with the exit code: 0 when all is well. Throws `CommandError` for what the merchant can mend. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

export interface Terminal {
  /** The configuration. Throws `ConfigurationError` where it is bad. */
  env(): Env;
  print(line: string): void;
}

/** Printed as a sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}
