import { type Command, CommanderError } from 'commander';
import { staffLocale } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { ConfigurationError, type Env, readEnv } from '#server/env.ts';
import { AppError, OperationError } from '#server/platform/errors.ts';
import { translateAny, translateFieldErrors } from '#server/platform/i18n.ts';
import { startupErrorMessage } from '#server/startup-errors.ts';
import { CommandError, type CommandSetup, openShop, ShopCommand, type Terminal } from './command.ts';
import { agents } from './commands/agents.ts';
import { books } from './commands/books.ts';
import { coupon } from './commands/coupon.ts';
import { backup, migrate, move } from './commands/database.ts';
import { doctor } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { blog, fill } from './commands/fill.ts';
import { importCommand } from './commands/import.ts';
import { journal } from './commands/journal.ts';
import { media } from './commands/media.ts';
import { messages, searches } from './commands/messages.ts';
import { orders } from './commands/orders.ts';
import { reconcile, refund, refunds } from './commands/payments.ts';
import { payouts } from './commands/payouts.ts';
import { customer, staff } from './commands/people.ts';
import { remove } from './commands/remove.ts';
import { settings } from './commands/settings.ts';
import { soldOut, stock } from './commands/stock.ts';
import { pickup, tableCards } from './commands/stores.ts';
import { webhooks } from './commands/webhooks.ts';
import { currentUser, otherOwner } from './data-owner.ts';
import { schema } from './json-file.ts';

/** In the order in which the help lists them. */
export const commands: readonly CommandSetup[] = [
  doctor,
  backup,
  migrate,
  move,
  orders,
  refund,
  refunds,
  reconcile,
  payouts,
  customer,
  books,
  journal,
  staff,
  coupon,
  settings,
  fill,
  importCommand,
  blog,
  schema,
  exportCommand,
  remove,
  media,
  messages,
  searches,
  soldOut,
  pickup,
  stock,
  tableCards,
  webhooks,
  agents,
];

/** Terminals are at least this wide. */
const helpWidth = 80;

/** Runs a command. Returns the exit code: 0 done, 1 rejected or a problem found, 2 unknown command. */
export async function run(
  words: readonly string[],
  source: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
  open = openShop,
): Promise<number> {
  const locale = staffLocale(source.LC_ALL || source.LANG);
  const terminal: Terminal = {
    env: () => ownEnv(source, words),
    open,
    print,
    exitCode: 0,
    command: '',
    asked: null,
    timeZone: 'UTC',
    locale,
    t: staffTranslate(locale),
  };
  try {
    await shopProgram(terminal).parseAsync(words.length === 0 ? ['--help'] : [...words], { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const foreseen = error instanceof CommandError || error instanceof ConfigurationError;
    const said =
      error instanceof OperationError
        ? terminal.t(error.key, error.values)
        : error instanceof AppError
          ? rejectionText(error, terminal)
          : foreseen
            ? error.message
            : startupErrorMessage(error, readEnv(source));
    if (said === null) throw error;
    print(said);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/** Why a service rejected what a command asked for: its fields' sentences, or its own. */
function rejectionText(
  { details: { errorKey, values, errors = {} }, message }: AppError,
  { locale }: Terminal,
): string {
  const ofFields = Object.values(translateFieldErrors(errors, locale));
  return ofFields.join(' ') || (errorKey ? translateAny(locale)(errorKey, values) : message);
}

export function shopProgram(terminal: Terminal): ShopCommand {
  const write = (text: string) => terminal.print(text.trimEnd());
  const program = new ShopCommand('npm run shop --')
    .description('The tasks of a merchant on the command line.')
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
    })
    .configureHelp({ showGlobalOptions: false, subcommandTerm: (command) => command.name() })
    .helpOption('-h, --help', 'Shows this help.')
    .helpCommand('help [command]', 'Shows the help of a command.')
    .option('--lang <code>', 'The language of messages, such as zh; by default that of LANG.')
    .enablePositionalOptions()
    .hook('preAction', (_, command) => {
      const action = command as ShopCommand;
      const { lang } = program.opts<{ lang?: string }>();
      if (lang !== undefined) {
        terminal.locale = staffLocale(lang);
        terminal.t = staffTranslate(terminal.locale);
      }
      terminal.asked = action.asked();
      terminal.command = wordsOf(action, program).join(' ');
    });
  for (const setup of commands) setup(program, terminal);
  return program;
}

/** The names of a command and of the groups that it is in, from the outside in. */
const wordsOf = (command: Command, program: Command): string[] =>
  command.parent === null || command === program ? [] : [...wordsOf(command.parent, program), command.name()];

/** The configuration, for the owner of the data only. @throws {CommandError} if another user owns the data folder */
function ownEnv(source: Readonly<Record<string, string | undefined>>, command: readonly string[]): Env {
  const env = readEnv(source);
  const variables = ['DATA_DIR', 'DATABASE_URL'].filter((variable) => source[variable]);
  const problem = otherOwner(env.dataDir, { command, variables, uid: currentUser() });
  if (problem !== null) throw new CommandError(problem);
  return env;
}
