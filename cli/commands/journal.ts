/** `journal`: lists what was changed in the shop, when and by whom, the newest first. */
import { Argument } from 'commander';
import { type Kind, kinds } from '#contract/staff/messages.ts';
import type { JournalEntry } from '#server/modules/changes/index.ts';
import { instantOf, isoTime } from '#server/platform/time-zone.ts';
import { type CommandSetup, instant, printable, type Terminal, wholeNumber, withShop } from '../command.ts';

export const journal: CommandSetup = (program, terminal) => {
  const command = program.command('journal').description('Lists what was changed, when and by whom.');
  command.addArgument(new Argument('[kind]', 'Only things of this kind.').choices(kinds));
  command.argument('[id]', 'Only this one, such as a product or an order number.');
  command.option('--since <day>', 'From then on: 2026-12-01, or 2026-12-01T09:00.', instant);
  command.option('--before <number>', 'Only entries before this one.', wholeNumber(1, 999_999_999));
  command.option('--limit <number>', 'At most this many.', wholeNumber(1, 1000), 50);
  type Chosen = { since?: string; before?: number; limit: number };
  command.reads(async (kind: Kind | undefined, id: string | undefined, { since, before, limit }: Chosen) => {
    await withShop(terminal, async ({ changes, staff }) => {
      const from = since === undefined ? undefined : instantOf(since, terminal.timeZone);
      const found = await changes.journal({ kind, id, since: from, before, most: limit });
      if (found.length === 0) terminal.print(terminal.t('journal.none'));
      const names = await staff.names();
      for (const entry of found) terminal.print(journalLine(entry, terminal, names));
      const last = found.at(-1);
      if (!last || last.no === 1 || found.length < limit) return;
      const words = ['journal', kind, id, since && `--since ${since}`, `--before ${last.no}`]
        .filter(Boolean)
        .join(' ');
      terminal.print(terminal.t('journal.more', { command: `npm run shop -- ${words}` }));
    });
  });
};

/** "2026-12-01T09:00-05:00  settings set by the terminal: setting currency: currency CAD → EUR". */
function journalLine(
  { at, actor, action, kind, id, fields }: JournalEntry,
  { t, timeZone }: Terminal,
  names: StaffNames,
): string {
  const value = (part: unknown) => (part === undefined ? t('journal.nothing') : JSON.stringify(part));
  const changes = fields?.map(({ field, ...values }) =>
    'from' in values || 'to' in values
      ? t('journal.field', { field, from: value(values.from), to: value(values.to) })
      : t('journal.fieldUnkept', { field }),
  );
  const what = `${t(`kind.${kind}`)} ${id}`.trim();
  return printable(
    `${isoTime(at, timeZone)}  ${actionLine({ action, actor }, t, names)}: ${[what, changes?.join(', ')].filter(Boolean).join(': ')}`,
  );
}

export type StaffNames = ReadonlyMap<string, string>;

/** "orders ready, by the terminal". */
export function actionLine(
  { action, actor }: Pick<JournalEntry, 'action' | 'actor'>,
  t: Terminal['t'],
  names: StaffNames,
): string {
  return `${action}, ${actorName(actor, t, names)}`;
}

/** "by the terminal", "by Mei". */
export function actorName(actor: JournalEntry['actor'], t: Terminal['t'], names: StaffNames): string {
  if (actor.kind !== 'staff') return t(`journal.by.${actor.kind}`);
  const name = names.get(actor.id) ?? actor.id;
  const by = actor.key === undefined ? name : t('journal.byKey', { name, key: actor.key });
  return t('journal.by.staff', { name: by });
}
