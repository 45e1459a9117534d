/** `stock show|history|count|transfer|correct`, `sold-out`: what is there, why, and changes of it; what a store has none of today. */
import { Option } from 'commander';
import { warehouse } from '#contract/limits.ts';
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import { type CorrectionReason, correctionReasons, type Movement } from '#server/modules/inventory/index.ts';
import { OperationError } from '#server/platform/errors.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import {
  CommandError,
  type CommandSetup,
  printTable,
  type Terminal,
  wholeNumber,
  withShop,
} from '../command.ts';
import { actorName, type StaffNames } from './journal.ts';

const mostUnits = 1_000_000;

export const stock: CommandSetup = (program, terminal) => {
  const command = program
    .command('stock')
    .description('Shows stock and why it changed; counts, moves and corrects it.');
  const show = command.command('show <sku>').description('Prints the units on sale at each location.');
  show.reads((sku: string) => withShop(terminal, (shop) => printLevels(shop, sku, terminal)));
  const history = command
    .command('history <sku>')
    .description('Lists what changed the units of a SKU, newest first.');
  history.option('--location <id>', 'Only at this store, or warehouse.');
  history.option('--after <id>', 'The page after this movement.');
  history.option('--limit <number>', 'At most this many.', wholeNumber(1, 1000), 50);
  history.reads((sku: string, chosen: Page) =>
    withShop(terminal, (shop) => printHistory(shop, sku, chosen, terminal)),
  );

  const units = wholeNumber(0, mostUnits);
  const count = command
    .command('count <sku> <location>')
    .description('Sets the units on sale, without those held for orders.');
  count.requiredOption('--units <number>', 'As many as were counted.', units);
  count.changes('key', (sku: string, place: string, { units: counted }: { units: number }) =>
    edit(terminal, sku, [place], ({ stock: service }, run) =>
      run((change) => service.count(change, [{ sku, place, units: counted }])),
    ),
  );
  const transfer = command
    .command('transfer <sku> <from> <to>')
    .description('Moves units from one location to another.');
  transfer.requiredOption('--units <number>', 'As many as are moved.', wholeNumber(1, mostUnits));
  transfer.changes('key', (sku: string, from: string, to: string, { units: moved }: { units: number }) =>
    edit(terminal, sku, [from, to], ({ stock: service }, run) =>
      run((change) => service.transfer(change, sku, { from, to, units: moved })),
    ),
  );
  const correct = command
    .command('correct <sku> <location>')
    .description('Adds units or takes some away, for a reason.');
  correct.addOption(
    new Option('--add <number>', 'Units that came.').argParser(wholeNumber(1, mostUnits)).conflicts('take'),
  );
  correct.addOption(
    new Option('--take <number>', 'Units that are gone.').argParser(wholeNumber(1, mostUnits)),
  );
  correct.addOption(new Option('--reason <reason>', 'Why.').choices(correctionReasons).makeOptionMandatory());
  correct.changes('key', (sku: string, place: string, { add = 0, take = 0, reason }: Correction) => {
    if (add + take === 0) correct.error('--add or --take is missing');
    return edit(terminal, sku, [place], ({ stock: service }, run) =>
      run((change) => service.correct(change, { sku, place, units: add - take }, reason)),
    );
  });
};

interface Page {
  location?: string;
  after?: string;
  limit: number;
}

interface Correction {
  add?: number;
  take?: number;
  reason: CorrectionReason;
}

type Edit = (
  services: Services,
  run: RunChange,
) => Promise<{ location: string; before: number; after: number }[]>;

async function edit(terminal: Terminal, sku: string, places: readonly string[], work: Edit): Promise<void> {
  await withShop(terminal, async (services, run) => {
    await requireSku(services, sku);
    const known = [warehouse, ...(await services.stores.all()).map(({ id }) => id)];
    for (const location of places)
      if (!known.includes(location))
        throw new OperationError('stock.locationUnknown', { location, known: known.join(', ') });
    for (const { location, before, after } of await work(services, run))
      terminal.print(terminal.t('stock.changed', { sku, location, before, after }));
  });
}

async function requireSku({ stock: service }: Services, sku: string): Promise<void> {
  if (!(await service.hasSku(sku))) throw new OperationError('stock.skuUnknown', { sku });
}

async function printLevels(services: Services, sku: string, terminal: Terminal): Promise<void> {
  await requireSku(services, sku);
  const levels = [...((await services.stock.currentLevels(sku)) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  if (levels.length === 0) terminal.print(terminal.t('stock.none'));
  printTable(
    terminal,
    levels.map(([location, units]) => [location, String(units)]),
  );
}

async function printHistory(
  { stock: service, staff }: Services,
  sku: string,
  chosen: Page,
  terminal: Terminal,
): Promise<void> {
  const { location, after, limit } = chosen;
  // Also of SKUs that are gone.
  const found = await service.history({
    sku,
    locations: location === undefined ? undefined : [location],
    after,
    most: limit,
  });
  const names = await staff.names();
  if (found.length === 0) terminal.print(terminal.t('stock.noHistory'));
  printTable(
    terminal,
    found.map((movement) => [
      isoTime(movement.at, terminal.timeZone),
      movement.quantity > 0 ? `+${movement.quantity}` : String(movement.quantity),
      movement.location,
      causeOf(movement, terminal, names),
    ]),
  );
  const last = found.at(-1);
  if (!last || found.length < limit) return;
  const words = [
    'stock history',
    sku,
    location && `--location ${location}`,
    `--after ${last.id}`,
    `--limit ${limit}`,
  ];
  terminal.print(terminal.t('stock.more', { command: `npm run shop -- ${words.filter(Boolean).join(' ')}` }));
}

/** "sale, order MC-2026-000204", "correction: received, by the terminal". */
function causeOf({ kind, reason, orderNumber, actor }: Movement, { t }: Terminal, names: StaffNames): string {
  const said = t(`stock.kind.${kind}`);
  return [
    reason ? t('stock.because', { kind: said, reason: t(`stock.reason.${reason}`) }) : said,
    orderNumber && t('stock.order', { number: orderNumber }),
    actor && actorName(actor, t, names),
  ]
    .filter(Boolean)
    .join(t('stock.separator'));
}

export const soldOut: CommandSetup = (program, terminal) => {
  const command = program.command('sold-out');
  command.description(
    'Marks what a store has none of today; without an item, lists it. It is back when the store next opens.',
  );
  command.argument('[item]', 'A SKU, the id of a product, or <group>/<modifier>.');
  command.option('--store <store>', 'The store.');
  command.option('--back', 'The store has it again.');
  command.changes(
    'same',
    async (
      name: string | undefined,
      { store: storeId = '', back = false }: { store?: string; back?: boolean },
    ) => {
      if (name !== undefined && storeId === '') command.error('--store is missing');
      const { t } = terminal;
      await withShop(terminal, async ({ stores, editor }, run) => {
        if (name === undefined) {
          const rows = await editor.soldOut();
          if (rows.length === 0) terminal.print(t('soldOut.none'));
          return printTable(
            terminal,
            rows.map(({ store_id: store, item, until }) => [store, item, isoTime(until, terminal.timeZone)]),
          );
        }
        const store = (await stores.all()).find(({ id }) => id === storeId);
        if (!store) throw new CommandError(t('soldOut.storeUnknown', { store: storeId }));
        const item = await editor.soldOutItem(name);
        if (item === null) throw new CommandError(t('soldOut.itemUnknown', { item: name }));
        const said = { item: name, store: storeId };
        if (back) {
          const isGone = await run((change) => editor.unmarkSoldOut(change, storeId, item));
          return terminal.print(t(isGone ? 'soldOut.back' : 'soldOut.notGone', said));
        }
        const until = await run((change) => editor.markSoldOut(change, store, item));
        terminal.print(t('soldOut.marked', { ...said, until: isoTime(until, store.timeZone) }));
      });
    },
  );
};
