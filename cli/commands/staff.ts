/** `staff …`: invites people into the office, lists them and ends their access. */
import { Option } from 'commander';
import { roleText } from '#contract/staff/messages.ts';
import { type Role, roleNames } from '#contract/staff/permissions.ts';
import type { StaffMember } from '#contract/staff/schemas.ts';
import { invitationLink } from '#server/modules/staff/index.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { CommandError, type CommandSetup, listOf, printable, printTable, type Terminal } from '../command.ts';
import { withShop } from '../shop.ts';

const permit = mintPermit('staff.manage', { kind: 'terminal' }, null);

export const staff: CommandSetup = (program, terminal) => {
  const command = program.command('staff').description('Invites people into the office, lists them and ends their access.');
  const invite = command.command('invite <email>');
  invite.description('Prints a link by which somebody gets an account, or a new password. It works once, for 72 hours.');
  invite.addOption(new Option('--role <role>', 'What they may do.').choices(roleNames).default('owner'));
  invite.option('--stores <ids>', 'Only in these stores, separated by commas.', listOf);
  invite.action((email: string, { role, stores }: { role: Role; stores?: string[] }) =>
    withShop(terminal, async (services, run) => {
      const input = { email, role, stores: stores ?? null };
      const token = await run((change) => services.staff.invite(change, permit, input));
      const { officeUrl, publicUrl, port } = terminal.env();
      terminal.print(invitationLink(officeUrl ?? publicUrl ?? `http://localhost:${port}`, token));
    }),
  );
  const list = command.command('list', { isDefault: true }).description('Lists people and invitations.');
  list.action(() =>
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
    action.action((email: string) =>
      withShop(terminal, async (services, run) => {
        const found = (await services.staff.list(permit)).find((each) => emailKeyOf(each.email) === emailKeyOf(email));
        if (!found?.name) throw new CommandError(terminal.t('staff.unknown', { email: printable(email) }));
        await run((change) => services.staff.change(change, permit, found.id, { blocked }));
        terminal.print(terminal.t(blocked ? 'staff.blockedNow' : 'staff.unblocked', { name: printable(found.name) }));
      }),
    );
  }
};

function rowOf(
  { name, email, role, roleName, stores, demo, secondFactor, blocked, invitedUntil }: StaffMember,
  { t, timeZone }: Terminal,
): string[] {
  const state = blocked
    ? t('staff.state.blocked')
    : invitedUntil !== null && name === ''
      ? t('staff.state.invited', { until: isoTime(invitedUntil, timeZone) })
      : t(demo ? 'staff.state.demo' : secondFactor ? 'staff.state.secured' : 'staff.state.password');
  return [printable(name), printable(email), roleText(t, { role, roleName }), stores?.join(', ') ?? t('staff.allStores'), state];
}
