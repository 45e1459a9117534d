/** `table-cards <store> <category> <file>`: writes the QR codes of a store's tables as a page to print. */
import { writeFile } from 'node:fs/promises';
import { defaultLocale, localeCodes } from '#contract/locales.ts';
import { type Command, CommandError, usageError } from '../command.ts';
import { countOf } from '../count.ts';
import { readArgs, withShop } from '../shop.ts';
import { tableCardsHtml } from '../table-cards.ts';

const usage = 'table-cards <store> <category> <file.html> [--lang <code>]';

export const tableCards: Command = {
  usage: usage.replace('table-cards ', ''),
  summary: 'Writes a page with a QR code for each table of a store, which opens the menu of a category.',
  async run(args, terminal) {
    const options = { lang: { type: 'string', default: defaultLocale } } as const;
    const { positionals, values } = readArgs({ args: [...args], allowPositionals: true, options }, usage);
    const [storeId, menu, file, ...rest] = positionals;
    if (!storeId || !menu || !file || rest.length > 0) throw usageError('Expected a store, a category and a file.', usage);
    const locale = localeCodes.find((code) => code === values.lang);
    if (!locale) throw usageError(`Unknown language: ${values.lang}.`, usage);
    const { publicUrl } = terminal.env();
    if (!publicUrl) throw new CommandError("Set PUBLIC_URL to the shop's address: the codes contain it.");
    return withShop(terminal, async ({ stores, settings, catalogue }) => {
      const store = (await stores.all()).find(({ id }) => id === storeId);
      if (!store) throw new CommandError(`Unknown store: ${storeId}.`);
      if (store.tables === 0) throw new CommandError(`Store ${storeId} has no tables. Set its "tables" in the shop file.`);
      await catalogue.category(menu, locale).catch(() => {
        throw new CommandError(`Unknown category: ${menu}.`);
      });
      const { shopName } = await settings.all();
      await writeFile(file, tableCardsHtml({ shopName, store, menu, publicUrl, locale }));
      terminal.print(`Wrote ${countOf(store.tables, 'card')} to ${file}. Open it in a browser and print it.`);
      return 0;
    });
  },
};
