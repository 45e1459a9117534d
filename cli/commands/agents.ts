/** `agents …`: the programs that shop for people (docs/how-to/sell-to-agents.md). */
import { formatMerchantMoney } from '#contract/formatters.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { type CommandSetup, printable, withShop } from '../command.ts';
import { readTextFile } from '../json-file.ts';

export const agents: CommandSetup = (program, terminal) => {
  const command = program.command('agents').description('Manages agents, the programs that shop for people.');
  const list = command.command('list').description('Lists the agents that called in the last months.');
  list.reads(() =>
    withShop(terminal, async (shop) => {
      const found = await shop.agentsDesk.list();
      if (found.length === 0) terminal.print('No agents.');
      for (const { id, profile, blocked, approved, lastSeenAt, carts, orders, calls } of found) {
        const state = blocked ? 'blocked' : approved ? 'approved' : 'served';
        const sold = orders
          .map(({ currency, count, total }) => `${count} (${formatMerchantMoney(total, currency)})`)
          .join(', ');
        terminal.print(`${id}  ${state}  ${printable(profile)}`);
        terminal.print(
          `    last seen: ${isoTime(lastSeenAt, terminal.timeZone)}, carts: ${carts}, orders: ${sold || 0}`,
        );
        for (const { operation, problem, calls: count } of calls)
          terminal.print(`    ${operation}${problem && ` ${printable(problem)}`}: ${count}`);
      }
    }),
  );
  const approve = command
    .command('approve <profile> <file>')
    .description('Keeps a profile from a file, and serves its agent without fetching it.');
  approve.changes('same', async (profile: string, file: string) => {
    const document = await readTextFile(file);
    await withShop(terminal, async (shop, run) => {
      const id = await run((change) => shop.agentsDesk.approve(change, profile, document));
      terminal.print(`Approved ${id}: ${printable(profile)}.`);
    });
  });
  for (const [name, blocked] of [
    ['block', true],
    ['allow', false],
  ] as const) {
    const action = command
      .command(`${name} <id>`)
      .description(blocked ? 'Serves an agent no more.' : 'Serves a blocked agent again.');
    action.changes('same', (id: string) =>
      withShop(terminal, async (shop, run) => {
        await run((change) => shop.agentsDesk.block(change, id, blocked));
        terminal.print(`${blocked ? 'Blocked' : 'Allowed'} ${id}.`);
      }),
    );
  }
  const rotate = command
    .command('rotate-keys')
    .description('Signs with a new key. The former one stays published for 14 days.');
  rotate.changes('key', () =>
    withShop(terminal, async (shop, run) => {
      const { keys } = await shop.agents();
      terminal.print(`The shop signs with ${await run((change) => keys.rotate(change))} from now on.`);
    }),
  );
};
