/** `table-cards <store> <category> <file>`: writes the QR codes of a store's tables as a page to print. */
import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { defaultLocale, type Locale, localeCodes } from '#contract/locales.ts';
import { CommandError, type CommandSetup, countOf } from '../command.ts';
import { withShop } from '../shop.ts';
import { tableCardsHtml } from '../table-cards.ts';

export const tableCards: CommandSetup = (program, terminal) => {
  const command = program.command('table-cards <store> <category> <file>');
  command.description('Writes an HTML page with a QR code for each table of a store, which opens the menu of a category.');
  command.addOption(new Option('--lang <code>', 'The language of the cards.').choices(localeCodes).default(defaultLocale));
  command.option('--renew', 'Gives the store new tokens: former cards with tokens are refused from then on.');
  type Chosen = { lang: Locale; renew?: boolean };
  command.action(async (storeId: string, menu: string, file: string, { lang: locale, renew = false }: Chosen) => {
    const { publicUrl } = terminal.env();
    if (!publicUrl) throw new CommandError("Set PUBLIC_URL to the shop's address: the codes contain it.");
    await withShop(terminal, async ({ stores, settings, catalogue, checkout }, run) => {
      const store = (await stores.all()).find(({ id }) => id === storeId);
      if (!store) throw new CommandError(`Unknown store: ${storeId}.`);
      if (store.tables === 0) throw new CommandError(`Store ${storeId} has no tables. Set its "tables" in the shop file.`);
      await catalogue.category(menu, locale).catch(() => {
        throw new CommandError(`Unknown category: ${menu}.`);
      });
      const { shopName } = await settings.all();
      const tokens = await checkout.tableCardTokens(run, storeId, { tables: store.tables, renew });
      await writeFile(file, tableCardsHtml({ shopName, store, menu, publicUrl, locale, tokens }));
      terminal.print(`Wrote ${countOf(store.tables, 'card')} to ${file}. Open it in a browser and print it.`);
      if (renew) terminal.print('Cards with codes from before no longer work. Replace them.');
    });
  });
};
