/** `customer …`: exports what is stored about an email address, ends sessions, blocks and deletes accounts. */
import { defaultLocale } from '#contract/locales.ts';
import type { CustomerDesk } from '#server/modules/customers/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { type Command, CommandError, type Terminal, usageError } from '../command.ts';
import { countOf } from '../count.ts';
import { withShop } from '../shop.ts';

const usage = 'export|delete|sign-out|block|unblock <email>';

export const customer: Command = {
  usage,
  summary: 'Exports or deletes the data of a customer or guest, ends sessions, blocks accounts.',
  async run([action = '', email = '', ...rest], terminal) {
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!act || !email.includes('@') || rest.length > 0)
      throw usageError(problemOf(action, act !== undefined, email), `customer ${usage}`);
    return withShop(terminal, async ({ accounts }) => {
      try {
        return await act(accounts.fulfilment, email.trim(), terminal);
      } catch (error) {
        if (!(error instanceof AppError) || !error.details.errorKey) throw error;
        throw new CommandError(translate(defaultLocale)(error.details.errorKey, error.details.values));
      }
    });
  },
};

type Action = (fulfilment: CustomerDesk, email: string, terminal: Terminal) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  async export(fulfilment, email, terminal) {
    // As JSON, whose escapes no terminal interprets; DEL, C1 and invisible characters are escaped as well.
    const json = JSON.stringify(await fulfilment.export(email), null, 2);
    terminal.print(json.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, escaped));
    return 0;
  },
  async delete(fulfilment, email, terminal) {
    const { account, guestOrders, messages } = await fulfilment.erase(email);
    terminal.print(`Deleted ${account ? 'the account' : 'no account'} and ${countOf(messages, 'message')}.`);
    terminal.print(
      `Removed the contact data from ${countOf(guestOrders, 'guest order')}; open orders keep it until they are completed or cancelled.`,
    );
    return 0;
  },
  async 'sign-out'(fulfilment, email, terminal) {
    const ended = await fulfilment.signOut(email);
    if (ended === null) throw noAccount(email);
    terminal.print(`Ended ${countOf(ended, 'session')}.`);
    return 0;
  },
  async block(fulfilment, email, terminal) {
    if (!(await fulfilment.setBlocked(email, true))) throw noAccount(email);
    terminal.print('Blocked the account and ended its sessions.');
    return 0;
  },
  async unblock(fulfilment, email, terminal) {
    if (!(await fulfilment.setBlocked(email, false))) throw noAccount(email);
    terminal.print('Unblocked the account.');
    return 0;
  },
};

function noAccount(email: string): CommandError {
  return new CommandError(`There is no account with the email ${email}.`);
}

function problemOf(action: string, isKnown: boolean, email: string): string {
  if (action === '') return 'Missing action.';
  if (!isKnown) return `Unknown action: ${action}.`;
  return email.includes('@') ? 'Expected one email.' : 'Missing email.';
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
