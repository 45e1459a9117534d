/** `customer …`: exports what is stored about an email address, ends sessions, blocks and deletes accounts. */
import type { RunChange } from '#server/modules/changes/index.ts';
import type { CustomerDesk } from '#server/modules/customers/index.ts';
import { CommandError, type CommandSetup, countOf, type Terminal } from '../command.ts';
import { withShop } from '../shop.ts';

export const customer: CommandSetup = (program, terminal) => {
  const command = program.command('customer');
  command.description('Exports or deletes the data of a customer or guest, ends sessions, blocks accounts.');
  for (const [name, [description, act]] of Object.entries(actions)) {
    const action = command.command(`${name} <email>`).description(description);
    action.action(async (email: string) => {
      if (!email.includes('@')) action.error(`${email} is not an email address`);
      await withShop(terminal, async ({ accounts }, run) => {
        await act(accounts.fulfilment, email.trim(), { run, terminal });
      });
    });
  }
};

type Action = (desk: CustomerDesk, email: string, by: { run: RunChange; terminal: Terminal }) => Promise<void>;

const actions: Readonly<Record<string, readonly [string, Action]>> = {
  export: [
    'Prints what is stored about the email address, as JSON.',
    async (desk, email, { run, terminal }) => {
      // As JSON, whose escapes no terminal interprets; DEL, C1 and invisible characters are escaped as well.
      const read = await run((change) => desk.export(change, email));
      const json = JSON.stringify(await read(), null, 2);
      terminal.print(json.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, escaped));
    },
  ],
  delete: [
    'Deletes the account, and the contact data of guest orders and messages.',
    async (desk, email, { run, terminal }) => {
      const { account, guestOrders, messages } = await run((change) => desk.erase(change, email));
      terminal.print(`Deleted ${account ? 'the account' : 'no account'} and ${countOf(messages, 'message')}.`);
      terminal.print(
        `Removed the contact data from ${countOf(guestOrders, 'guest order')}; open orders keep it until they are completed or cancelled.`,
      );
    },
  ],
  'sign-out': [
    'Ends all sessions of the account.',
    async (desk, email, { run, terminal }) => {
      const ended = await run((change) => desk.signOut(change, email));
      if (ended === null) throw noAccount(email);
      terminal.print(`Ended ${countOf(ended, 'session')}.`);
    },
  ],
  block: [
    'Blocks the account and ends its sessions.',
    async (desk, email, { run, terminal }) => {
      if (!(await run((change) => desk.setBlocked(change, email, true)))) throw noAccount(email);
      terminal.print('Blocked the account and ended its sessions.');
    },
  ],
  unblock: [
    'Unblocks the account.',
    async (desk, email, { run, terminal }) => {
      if (!(await run((change) => desk.setBlocked(change, email, false)))) throw noAccount(email);
      terminal.print('Unblocked the account.');
    },
  ],
};

function noAccount(email: string): CommandError {
  return new CommandError(`There is no account with the email ${email}.`);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
