/** `pickup …`: how busy a store is, and whether it takes pickups. `table-cards …`: the QR codes of its tables as a page to print. */
import { readFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { renderSVG } from 'uqr';
import { defaultLocale, type Locale, localeCodes, locales } from '#contract/locales.ts';
import { type PrintedCards, tableCardsOf } from '#server/modules/checkout/index.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { CommandError, type CommandSetup, countOf, wholeNumber, withShop } from '../command.ts';

interface Options {
  busy?: number;
  pause?: true;
  resume?: true;
  until?: string;
}

export const pickup: CommandSetup = (program, terminal) => {
  const command = program.command('pickup');
  command.description(
    'Says that a store is busy, or takes no pickups for a while; without options, shows it.',
  );
  command.argument('[store]', 'The store; all by default.');
  command.option(
    '--busy <minutes>',
    'Promises pickups and deliveries this much later; 0: as usual.',
    wholeNumber(0, 240),
  );
  command.option('--pause', 'Lets nobody choose a pickup time before its end.');
  command.option('--resume', 'Ends the pause.');
  command.option('--until <HH:mm>', 'When it ends; by default when the store opens on its next day.');
  command.changes('same', async (id: string | undefined, { busy, pause, resume, until }: Options) => {
    const changes = busy !== undefined || pause === true || resume === true;
    if (id === undefined && changes) command.error('The store is missing');
    if (pause && resume) command.error('--pause and --resume exclude each other');
    const { t } = terminal;
    await withShop(terminal, async ({ stores }, run) => {
      const chosen = async () => (await stores.all()).filter((store) => id === undefined || store.id === id);
      const [store] = await chosen();
      if (id !== undefined && !store) throw new CommandError(t('soldOut.storeUnknown', { store: id }));
      if (store && changes) {
        const paused = pause || resume ? { paused: pause === true } : {};
        const wish = {
          ...paused,
          ...(busy === undefined ? {} : { busyMinutes: busy }),
          ...(until === undefined ? {} : { until }),
        };
        await run((change) => stores.changeToday(change, store, wish));
      }
      for (const { id: name, timeZone, today } of await chosen()) {
        const said = (key: 'pickup.busy' | 'pickup.paused', end: number, minutes = 0) =>
          terminal.print(t(key, { store: name, minutes, until: isoTime(end, timeZone) }));
        if (today?.busy) said('pickup.busy', today.busy.until, today.busy.minutes);
        if (today?.pausedUntil) said('pickup.paused', today.pausedUntil);
        if (!today?.busy && !today?.pausedUntil) terminal.print(t('pickup.usual', { store: name }));
      }
    });
  });
};

export const tableCards: CommandSetup = (program, terminal) => {
  const command = program.command('table-cards <store> <category> <file>');
  command.description(
    'Writes an HTML page with a QR code for each table of a store, which opens the menu of a category.',
  );
  command.addOption(
    new Option('--lang <code>', 'The language of the cards.').choices(localeCodes).default(defaultLocale),
  );
  command.option('--renew', 'Gives the store new tokens: former cards with tokens are refused from then on.');
  type Chosen = { lang: Locale; renew?: boolean };
  command.changes(
    'key',
    async (storeId: string, menu: string, file: string, { lang: locale, renew = false }: Chosen) => {
      const { publicUrl } = terminal.env();
      if (!publicUrl) throw new CommandError("Set PUBLIC_URL to the shop's address: the codes contain it.");
      await withShop(terminal, async ({ stores, settings, catalogue, checkout }, run) => {
        const store = (await stores.all()).find(({ id }) => id === storeId);
        if (!store) throw new CommandError(`Unknown store: ${storeId}.`);
        if (store.tables === 0)
          throw new CommandError(`Store ${storeId} has no tables. Set its "tables" in the shop file.`);
        await catalogue.category(menu, locale).catch(() => {
          throw new CommandError(`Unknown category: ${menu}.`);
        });
        const { shopName } = await settings.all();
        await requireWritable(file);
        const tokens = await checkout.tableCardTokens(run, storeId, { tables: store.tables, renew });
        await writeFile(
          file,
          tableCardsHtml(tableCardsOf({ shopName, store, menu, locale }, tokens), locale, publicUrl),
        );
        terminal.print(
          `Wrote ${countOf(store.tables, 'card')} to ${file}. Open it in a browser and print it.`,
        );
        if (renew) terminal.print('Cards with codes from before no longer work. Replace them.');
      });
    },
  );
};

/** Before former cards end. @throws {CommandError} */
async function requireWritable(file: string): Promise<void> {
  try {
    await (await open(file, 'a')).close();
  } catch (error) {
    throw new CommandError(
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** As the office prints them. `publicUrl`: without a slash at the end. */
function tableCardsHtml(
  { shopName, storeName, scan, cards }: PrintedCards,
  locale: Locale,
  publicUrl: string,
): string {
  const style = readFileSync(new URL('../../office/rooms/stores/table-cards.css', import.meta.url), 'utf8');
  const lines = scan.map(({ lang, text }) => `<p lang="${lang}">${escapeHtml(text)}</p>`).join('');
  return [
    `<!doctype html><html lang="${locales[locale].tag}"><head><meta charset="utf-8"><title>${escapeHtml(`${shopName} – ${storeName}`)}</title>`,
    `<style>${style}</style></head><body style="margin:0">`,
    ...cards.map(({ table, path }) =>
      [
        `<section class="table-card"><div><p class="table-card-shop">${escapeHtml(shopName)}</p>`,
        `<p class="table-card-store">${escapeHtml(storeName)}</p></div>`,
        renderSVG(publicUrl + path, { ecc: 'M', border: 0 }),
        `<div><p class="table-card-table">${escapeHtml(table)}</p>${lines}</div></section>`,
      ].join(''),
    ),
    '</body></html>\n',
  ].join('\n');
}
