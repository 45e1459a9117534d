/** `messages`, `searches`: what customers wrote and looked for. Change nothing. */
import { isoTime } from '#server/platform/time-zone.ts';
import { type CommandSetup, printable, printTable, wholeNumber, withShop } from '../command.ts';

const mostMessages = 50;

export const messages: CommandSetup = (program, terminal) => {
  const command = program.command('messages').description('Lists messages sent through page forms.');
  command.option('--spam', 'Lists those stored as spam instead.');
  command.reads(async ({ spam = false }: { spam?: boolean }) => {
    await withShop(terminal, async ({ formMessages: received }) => {
      const latest = await received.latest({ suspected: spam, most: mostMessages });
      if (latest.length === 0) terminal.print('No messages.');
      for (const { createdAt, formName, mailTo, details } of latest) {
        terminal.print(`${isoTime(createdAt, terminal.timeZone)}  ${formName} → ${mailTo}`);
        for (const { label, value } of details) terminal.print(`  ${label}: ${printable(value)}`);
      }
    });
  });
};

const mostDays = 90;
const most = 100;

export const searches: CommandSetup = (program, terminal) => {
  const command = program.command('searches').description('Lists what customers searched for.');
  command.option('--zero', 'Lists what found nothing.');
  command.option(
    '--days <number>',
    `Counts this many days, at most ${mostDays}.`,
    wholeNumber(1, mostDays),
    30,
  );
  command.reads(async ({ zero = false, days }: { zero?: boolean; days: number }) => {
    await withShop(terminal, async ({ searchCounts }) => {
      const found = await searchCounts.list({ days, zero, most });
      const period = days === 1 ? 'today (UTC)' : `in the last ${days} days`;
      const what = zero ? 'searches without results' : 'searches';
      if (found.length === 0) return terminal.print(`No ${what} ${period}.`);
      terminal.print(`S${what.slice(1)} ${period}, most frequent first:`);
      const width = String(found[0]?.times ?? 0).length;
      const rows = found.map(({ times, language, text, found: had, suggestion }) => {
        const result =
          suggestion === null
            ? had
              ? ''
              : '  (no results)'
            : `  (no results; suggested: ${printable(suggestion)})`;
        return [String(times).padStart(width), language, `${printable(text)}${result}`];
      });
      printTable(terminal, rows);
      if (found.length === most) terminal.print(`Showing the first ${most}.`);
    });
  });
};
