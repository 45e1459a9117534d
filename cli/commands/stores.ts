/** `pickup …`: how busy a store is, and whether it takes pickups. `table-cards …`: the QR codes of its tables as a page to print. */
import { open, writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { renderSVG } from 'uqr';
import { defaultLocale, type Locale, localeCodes, locales } from '#contract/locales.ts';
import { type TableCards, tableCardsOf } from '#server/modules/checkout/index.ts';
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
  command.description('Says that a store is busy, or takes no pickups for a while; without options, shows it.');
  command.argument('[store]', 'The store; all by default.');
  command.option('--busy <minutes>', 'Promises pickups and deliveries this much later; 0: as usual.', wholeNumber(0, 240));
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
  command.description('Writes an HTML page with a QR code for each table of a store, which opens the menu of a category.');
  command.addOption(new Option('--lang <code>', 'The language of the cards.').choices(localeCodes).default(defaultLocale));
  command.option('--renew', 'Gives the store new tokens: former cards with tokens are refused from then on.');
  type Chosen = { lang: Locale; renew?: boolean };
  command.changes('key', async (storeId: string, menu: string, file: string, { lang: locale, renew = false }: Chosen) => {
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
      await requireWritable(file);
      const tokens = await checkout.tableCardTokens(run, storeId, { tables: store.tables, renew });
      await writeFile(file, tableCardsHtml(tableCardsOf({ shopName, store, menu, locale }, tokens), locale, publicUrl));
      terminal.print(`Wrote ${countOf(store.tables, 'card')} to ${file}. Open it in a browser and print it.`);
      if (renew) terminal.print('Cards with codes from before no longer work. Replace them.');
    });
  });
};

/** Before former cards end. @throws {CommandError} */
async function requireWritable(file: string): Promise<void> {
  try {
    await (await open(file, 'a')).close();
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The whole page. Each card is A6 upright; the printer's dialog puts four on a sheet of A4. `publicUrl`: without a slash at the end. */
function tableCardsHtml({ shopName, storeName, scan, cards }: TableCards, locale: Locale, publicUrl: string): string {
  const lines = scan.map(({ lang, text }) => `<p class="scan" lang="${lang}">${escapeHtml(text)}</p>`).join('');
  return [
    `<!doctype html><html lang="${locales[locale].tag}"><head><meta charset="utf-8"><title>${escapeHtml(`${shopName} – ${storeName}`)}</title>`,
    `<style>${style}</style></head><body>`,
    ...cards.map(({ table, path }) =>
      [
        `<section class="card"><div><p class="shop">${escapeHtml(shopName)}</p>`,
        `<p class="store">${escapeHtml(storeName)}</p></div>`,
        renderSVG(publicUrl + path, { ecc: 'M', border: 0 }),
        `<div><p class="table">${escapeHtml(table)}</p>${lines}</div></section>`,
      ].join(''),
    ),
    '</body></html>\n',
  ].join('\n');
}

const style = [
  // A6, for which pages have no name.
  '@page{size:105mm 148mm;margin:0}',
  'body{margin:0;color:#211e1a;font-family:Georgia,"Songti SC","Noto Serif CJK SC",serif}',
  '.card{box-sizing:border-box;width:105mm;height:148mm;padding:12mm 10mm;display:flex;flex-direction:column;align-items:center;',
  'justify-content:space-between;text-align:center;break-after:page}',
  '.shop{margin:0;font-size:18pt}.store{margin:1mm 0 0;color:#5f574c;font-size:11pt}',
  '.card svg{width:58mm;height:58mm}.table{margin:0;font-size:26pt}.scan{margin:1mm 0 0;font-size:12pt}',
  '@media screen{.card{margin:8mm;display:inline-flex;border:1px solid #e0d7c9}}',
].join('');
