/** `customer …`, `staff …`: the data and access of customers, and who may enter the office. */
import { Option } from 'commander';
import type { Repeat } from '#contract/endpoint.ts';
import { longestKeyDays } from '#contract/staff/keys.ts';
import { roleText } from '#contract/staff/messages.ts';
import { keyPermissions, type Role, roleNames } from '#contract/staff/permissions.ts';
import type { StaffMember } from '#contract/staff/schemas.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { CustomerDesk } from '#server/modules/customers/index.ts';
import { invitationLink, type StaffService } from '#server/modules/staff/index.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import {
  CommandError,
  type CommandSetup,
  countOf,
  listOf,
  printable,
  printTable,
  type ShopCommand,
  type Terminal,
  withShop,
} from '../command.ts';

export const customer: CommandSetup = (program, terminal) => {
  const command = program.command('customer');
  command.description('Exports or deletes the data of a customer or guest, ends sessions, blocks accounts.');
  for (const [name, [description, repeat, act]] of Object.entries(actions)) {
    const action = command.command(`${name} <email>`).description(description);
    action.changes(repeat, async (email: string) => {
      if (!email.includes('@')) action.error(`${email} is not an email address`);
      await withShop(terminal, async ({ accounts }, run) => {
        await act(accounts.fulfilment, email.trim(), { run, terminal });
      });
    });
  }
};

type Action = (
  desk: CustomerDesk,
  email: string,
  by: { run: RunChange; terminal: Terminal },
) => Promise<void>;

const actions: Readonly<Record<string, readonly [string, Repeat, Action]>> = {
  export: [
    'Prints what is stored about the email address, as JSON.',
    'own',
    async (desk, email, { run, terminal }) => {
      // As JSON, whose escapes no terminal interprets; DEL, C1 and invisible characters are escaped as well.
      const read = await run((change) => desk.export(change, email));
      const json = JSON.stringify(await read(), null, 2);
      terminal.print(json.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, escaped));
    },
  ],
  delete: [
    'Deletes the account, and the contact data of guest orders and messages.',
    'same',
    async (desk, email, { run, terminal }) => {
      const { account, guestOrders, messages } = await run((change) => desk.erase(change, email));
      terminal.print(
        `Deleted ${account ? 'the account' : 'no account'} and ${countOf(messages, 'message')}.`,
      );
      terminal.print(
        `Removed the contact data from ${countOf(guestOrders, 'guest order')}; open orders keep it until they are completed or cancelled.`,
      );
    },
  ],
  'sign-out': [
    'Ends all sessions of the account.',
    'same',
    async (desk, email, { run, terminal }) => {
      const ended = await run((change) => desk.signOut(change, email));
      if (ended === null) throw noAccount(email);
      terminal.print(`Ended ${countOf(ended, 'session')}.`);
    },
  ],
  block: [
    'Blocks the account and ends its sessions.',
    'same',
    async (desk, email, { run, terminal }) => {
      if (!(await run((change) => desk.setBlocked(change, email, true)))) throw noAccount(email);
      terminal.print('Blocked the account and ended its sessions.');
    },
  ],
  unblock: [
    'Unblocks the account.',
    'same',
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
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

const permit = mintPermit('staff.manage', { kind: 'terminal' }, null);

export const staff: CommandSetup = (program, terminal) => {
  const command = program
    .command('staff')
    .description('Invites people into the office, lists them and ends their access.');
  const invite = command.command('invite <email>');
  invite.description(
    'Prints a link by which somebody gets an account, or a new password. It works once, for 72 hours.',
  );
  invite.addOption(new Option('--role <role>', 'What they may do.').choices(roleNames).default('owner'));
  invite.option('--stores <ids>', 'Only in these stores, separated by commas.', listOf);
  invite.changes('own', (email: string, { role, stores }: { role: Role; stores?: string[] }) =>
    withShop(terminal, async (services, run) => {
      const input = { email, role, stores: stores ?? null };
      const token = await run((change) => services.staff.invite(change, permit, input));
      const { officeUrl, publicUrl, port } = terminal.env();
      terminal.print(invitationLink(officeUrl ?? publicUrl ?? `http://localhost:${port}`, token));
    }),
  );
  const list = command.command('list', { isDefault: true }).description('Lists people and invitations.');
  list.reads(() =>
    withShop(terminal, async (services) => {
      const found = await services.staff.list(permit);
      if (found.length === 0)
        terminal.print(terminal.t('staff.none', { command: 'npm run shop -- staff invite me@shop.example' }));
      else
        printTable(
          terminal,
          found.map((each) => rowOf(each, terminal)),
        );
    }),
  );
  for (const [name, blocked, description] of [
    ['block', true, 'Ends the sessions of a person, who can no longer sign in.'],
    ['unblock', false, 'Lets a blocked person sign in again.'],
  ] as const) {
    const action = command.command(`${name} <email>`).description(description);
    action.changes('same', (email: string) =>
      withShop(terminal, async (services, run) => {
        const found = await personBy(services.staff, email, terminal);
        await run((change) => services.staff.change(change, permit, found.id, { blocked }));
        terminal.print(
          terminal.t(blocked ? 'staff.blockedNow' : 'staff.unblocked', { name: printable(found.name) }),
        );
      }),
    );
  }
  addKeyCommands(command, terminal);
};

const keysPermit = mintPermit('keys.manage', { kind: 'terminal' }, null);

/** Keys of people, by which programs make calls of the office in their place. */
function addKeyCommands(staffCommand: ShopCommand, terminal: Terminal): void {
  const command = staffCommand.command('keys').description('Makes, lists and ends keys for programs.');
  const add = command.command('add <name>');
  add.description(
    'Prints a key that has at most the rights of a person, and dies with them. It is shown once.',
  );
  add.requiredOption('--for <email>', 'The person in whose place the program acts.');
  add.requiredOption(
    '--may <permissions>',
    `What it may do, separated by commas: ${keyPermissions.join(', ')}.`,
    listOf,
  );
  add.option('--stores <ids>', 'Only in these stores, separated by commas.', listOf);
  add.option('--days <count>', `After how many days it ends, at most ${longestKeyDays}.`, '90');
  add.changes('id', (name: string, options: KeyOptions) => {
    const permissions = options.may.map((each) => {
      const known = keyPermissions.find((other) => other === each);
      return known ?? add.error(terminal.t('staff.key.unknownPermission', { permission: printable(each) }));
    });
    if (permissions.length === 0) add.error(terminal.t('staff.key.mayNothing'));
    const days = Number(options.days);
    if (!Number.isInteger(days) || days < 1 || days > longestKeyDays)
      add.error(terminal.t('staff.key.days', { most: longestKeyDays }));
    return withShop(terminal, async (services, run) => {
      const person = await personBy(services.staff, options.for, terminal);
      const input = { name, permissions, stores: options.stores ?? null, days };
      terminal.print(await run((change) => services.keys.add(change, keysPermit, person.id, input)));
    });
  });
  const list = command.command('list', { isDefault: true }).description('Lists keys, and who made them.');
  list.reads(() =>
    withShop(terminal, async ({ keys }) => {
      const found = await keys.list(keysPermit);
      const { t, timeZone } = terminal;
      if (found.length === 0) return terminal.print(t('staff.key.none'));
      printTable(
        terminal,
        found.map((each) => [
          each.id,
          printable(each.name),
          printable(each.person.name),
          each.stores?.join(', ') ?? t('staff.allStores'),
          isoTime(each.expiresAt, timeZone),
          each.lastUsedAt === null ? '–' : isoTime(each.lastUsedAt, timeZone),
          each.may.join(' '),
        ]),
      );
    }),
  );
  const end = command.command('end <id>').description('Ends a key: it opens nothing any more.');
  end.changes('same', (id: string) =>
    withShop(terminal, async ({ keys }, run) => {
      const found = (await keys.list(keysPermit)).find((each) => each.id === id);
      if (!found) throw new CommandError(terminal.t('staff.key.noneOfId', { id: printable(id) }));
      await run((change) => keys.end(change, keysPermit, id));
      terminal.print(terminal.t('staff.key.ended', { name: printable(found.name) }));
    }),
  );
}

interface KeyOptions {
  for: string;
  may: string[];
  stores?: string[];
  days: string;
}

/** @throws {CommandError} for nobody, and for somebody who is only invited */
async function personBy(
  service: Pick<StaffService, 'list'>,
  email: string,
  terminal: Terminal,
): Promise<StaffMember> {
  const found = (await service.list(permit)).find((each) => emailKeyOf(each.email) === emailKeyOf(email));
  if (!found?.name) throw new CommandError(terminal.t('staff.unknown', { email: printable(email) }));
  return found;
}

function rowOf(
  { name, email, role, roleName, stores, demo, secondFactor, blocked, invitedUntil }: StaffMember,
  { t, timeZone }: Terminal,
): string[] {
  const state = blocked
    ? t('staff.state.blocked')
    : invitedUntil !== null && name === ''
      ? t('staff.state.invited', { until: isoTime(invitedUntil, timeZone) })
      : t(demo ? 'staff.state.demo' : secondFactor ? 'staff.state.secured' : 'staff.state.password');
  return [
    printable(name),
    printable(email),
    roleText(t, { role, roleName }),
    stores?.join(', ') ?? t('staff.allStores'),
    state,
  ];
}
