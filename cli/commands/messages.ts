/**
 * `messages`: lists messages sent through page forms, the latest first; `--spam` lists those stored as spam. Changes nothing.
 */
import { isoTime } from '#server/platform/time-zone.ts';
import { type CommandSetup, printable } from '../command.ts';
import { withShop } from '../shop.ts';

const most = 50;

export const messages: CommandSetup = (program, terminal) => {
  const command = program.command('messages').description('Lists messages sent through page forms.');
  command.option('--spam', 'Lists those stored as spam instead.');
  command.action(async ({ spam = false }: { spam?: boolean }) => {
    await withShop(terminal, async ({ formMessages: received }) => {
      const latest = await received.latest({ suspected: spam, most });
      if (latest.length === 0) terminal.print('No messages.');
      for (const { createdAt, formName, mailTo, details } of latest) {
        terminal.print(`${isoTime(createdAt, terminal.timeZone)}  ${formName} → ${mailTo}`);
        for (const { label, value } of details) terminal.print(`  ${label}: ${printable(value)}`);
      }
    });
  });
};
