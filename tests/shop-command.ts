/** Runs commands of `npm run shop` in the test's process, on the database of a test's shop. */
import { openShop, type ShopCommand } from '#cli/command.ts';
import { run, shopProgram } from '#cli/run.ts';
import type { Repeat } from '#contract/endpoint.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { TestApp } from './test-app.ts';

/** Runs `npm run shop -- <words>` on the shop's data, with further environment variables. Returns its exit code and all lines it printed. */
export async function shopCommand(
  { env, db }: TestApp,
  words: readonly string[],
  variables: Record<string, string> = {},
): Promise<{ code: number; printed: string }> {
  const lines: string[] = [];
  // Connections of its own would take PostgreSQL longer than the command; SQLite tells them from the shop's.
  const shared = { ...db, close: async () => {} };
  const source = {
    DATA_DIR: env.dataDir,
    ...(env.databaseUrl ? { DATABASE_URL: env.databaseUrl } : {}),
    ...variables,
  };
  const code = await run(
    [...words],
    source,
    (line) => lines.push(line),
    env.databaseUrl ? async () => shared : openShop,
  );
  return { code, printed: lines.join('\n') };
}

/** Every command by its words, such as `coupon end`, with how it may be typed again; null if it only reads. */
export function shopCommands(): Map<string, Repeat | null> {
  const program = shopProgram({
    env() {
      throw new Error('Not run');
    },
    open: openShop,
    print() {},
    exitCode: 0,
    locale: 'en',
    command: '',
    asked: null,
    t: staffTranslate('en'),
    timeZone: 'UTC',
  });
  const found = (command: ShopCommand, words: readonly string[]): (readonly [string, Repeat | null])[] => [
    ...(command.repeat === undefined ? [] : [[words.join(' '), command.repeat] as const]),
    ...(command.commands as ShopCommand[]).flatMap((each) => found(each, [...words, each.name()])),
  ];
  return new Map(found(program, []));
}
