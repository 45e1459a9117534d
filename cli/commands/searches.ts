/** `searches`: lists what customers searched for, most frequent first; `--zero` lists what found nothing. Changes nothing. */
import { type Command, usageError } from '../command.ts';
import { printable } from '../printable.ts';
import { readArgs, withShop } from '../shop.ts';

const usage = 'searches [--zero] [--days N]';
const mostDays = 90;
const most = 100;

export const searches: Command = {
  usage: '[--zero] [--days N]',
  summary: 'Lists what customers searched for, or with --zero what found nothing.',
  async run(args, terminal) {
    const options = { zero: { type: 'boolean', default: false }, days: { type: 'string', default: '30' } } as const;
    const { values } = readArgs({ args: [...args], options }, usage);
    const days = /^\d{1,2}$/.test(values.days) ? Number(values.days) : 0;
    if (days < 1 || days > mostDays) throw usageError(`--days must be a whole number from 1 to ${mostDays}.`, usage);
    return withShop(terminal, async ({ searchCounts }) => {
      const found = await searchCounts.list({ days, zero: values.zero, most });
      const period = days === 1 ? 'today (UTC)' : `in the last ${days} days`;
      if (found.length === 0) {
        terminal.print(values.zero ? `No searches without results ${period}.` : `No searches ${period}.`);
        return 0;
      }
      terminal.print(`${values.zero ? 'Searches without results' : 'Searches'} ${period}, most frequent first:`);
      const width = String(found[0]?.times ?? 0).length;
      for (const { times, language, text, found: had, suggestion } of found) {
        const result =
          suggestion === null ? (had ? '' : '  (no results)') : `  (no results; suggested: ${printable(suggestion)})`;
        terminal.print(`${String(times).padStart(width)}  ${language}  ${printable(text)}${result}`);
      }
      if (found.length === most) terminal.print(`Showing the first ${most}.`);
      return 0;
    });
  },
};
