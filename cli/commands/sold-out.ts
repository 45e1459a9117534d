/** `sold-out [item] --store <store> [--back]`: marks what a store has none of today, and takes it back. */
import { isoTime } from '#server/platform/time-zone.ts';
import { CommandError, type CommandSetup, printTable } from '../command.ts';
import { withShop } from '../shop.ts';

export const soldOut: CommandSetup = (program, terminal) => {
  const command = program.command('sold-out');
  command.description('Marks what a store has none of today; without an item, lists it. It is back when the store next opens.');
  command.argument('[item]', 'A SKU, the id of a product, or <group>/<modifier>.');
  command.option('--store <store>', 'The store.');
  command.option('--back', 'The store has it again.');
  command.action(async (name: string | undefined, { store: storeId = '', back = false }: { store?: string; back?: boolean }) => {
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
  });
};
