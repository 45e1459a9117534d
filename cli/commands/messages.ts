/**
 * `messages`: lists messages sent through page forms, the latest first; `--spam` lists those stored as spam. Changes nothing.
 */
import { type Command, usageError } from '../command.ts';
import { printable } from '../printable.ts';
import { withShop } from '../shop.ts';

const most = 50;

export const messages: Command = {
  usage: '[--spam]',
  summary: 'Lists messages sent through page forms, or with --spam those stored as spam.',
  async run(args, terminal) {
    const odd = args.find((arg) => arg !== '--spam');
    if (odd !== undefined) throw usageError(`Unknown argument: ${odd}.`, 'messages [--spam]');
    return withShop(terminal, async ({ formMessages: received }) => {
      const latest = await received.latest({ suspected: args.includes('--spam'), most });
      if (latest.length === 0) terminal.print('No messages.');
      for (const { createdAt, formName, mailTo, details } of latest) {
        terminal.print(`${new Date(createdAt).toISOString()}  ${formName} → ${mailTo}`);
        for (const { label, value } of details) terminal.print(`  ${label}: ${printable(value)}`);
      }
      return 0;
    });
  },
};
