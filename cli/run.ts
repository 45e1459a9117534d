import { ConfigurationError, type Env, readEnv } from '#server/env.ts';
import { FulfilmentError } from '#server/modules/orders/index.ts';
import { WebhookError } from '#server/modules/webhooks/index.ts';
import { startupErrorMessage } from '#server/startup-errors.ts';
import { CommandError } from './command.ts';
import { commands } from './commands/index.ts';
import { currentUser, otherOwner } from './data-owner.ts';

/** Runs a command. Returns the exit code: 0 done, 1 rejected or a problem found, 2 unknown command. */
export async function run(
  [name = 'help', ...args]: readonly string[],
  source: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) {
    print(help());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    print(`Unknown command: ${name}.\n\n${help()}`);
    return 2;
  }
  try {
    return await command.run(args, { env: () => ownEnv(source, [name, ...args]), print });
  } catch (error) {
    const foreseen = [CommandError, ConfigurationError, FulfilmentError, WebhookError].some((kind) => error instanceof kind);
    const said = foreseen ? (error as Error).message : startupErrorMessage(error, readEnv(source));
    if (said === null) throw error;
    print(said);
    return 1;
  }
}

/** The configuration, for the owner of the data only. @throws {CommandError} if another user owns the data folder */
function ownEnv(source: Readonly<Record<string, string | undefined>>, command: readonly string[]): Env {
  const env = readEnv(source);
  const variables = ['DATA_DIR', 'DATABASE_URL'].filter((variable) => source[variable]);
  const problem = otherOwner(env.dataDir, { command, variables, uid: currentUser() });
  if (problem !== null) throw new CommandError(problem);
  return env;
}

function help(): string {
  const rows = [
    ...Object.entries(commands).map(([name, { usage, summary }]) => [`${name} ${usage}`, summary] as const),
    ['help', 'Lists the commands.'] as const,
  ];
  const width = Math.max(...rows.map(([head]) => head.length)) + 2;
  return ['Usage: npm run shop -- <command>', '', ...rows.map(([head, summary]) => `  ${head.padEnd(width)}${summary}`)].join(
    '\n',
  );
}
