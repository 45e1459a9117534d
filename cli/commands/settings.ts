/** `settings list|get|set`: reads and changes the merchant's settings, also while the shop runs. */
import { readFile } from 'node:fs/promises';
import type { Services } from '#server/container.ts';
import type { SettingKey } from '#server/modules/settings/index.ts';
import { type Command, CommandError, type Terminal } from '../command.ts';
import { changed, everySetting, findSetting, readValue, type Setting, settingIn, written } from '../setting-names.ts';
import { withShop } from '../shop.ts';

const help = `npm run shop -- settings list              all of them; \`list tip\` those with "tip" in their names
npm run shop -- settings get taxRates      one of them, as \`set\` takes it
npm run shop -- settings set <name> <value>
    set enabledGuestOrders off             on or off; the end of a name will do where only one ends so
    set tipPercentages 10,15,20            numbers with commas between them, or none
    set shopName.zh "枫陶"                  texts have a name for each language; "" takes a translation out
    set taxRates --file rates.json         lists are JSON
A running shop goes by the new value from the next request on.`;

export const settings: Command = {
  usage: 'list|get|set …',
  summary: 'Shows and changes the settings. `settings help` says how.',
  async run([action = 'help', ...args], terminal) {
    switch (action) {
      case 'list':
        return withShop(terminal, (shop) => list(shop, args, terminal));
      case 'get':
        return withShop(terminal, (shop) => get(shop, args, terminal));
      case 'set':
        return withShop(terminal, (shop) => set(shop, args, terminal));
      case 'help':
      case '--help':
        terminal.print(help);
        return 0;
      default:
        throw new CommandError(`There is no settings ${action}.\n\n${help}`);
    }
  },
};

async function list({ settings }: Services, [part = '', ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (rest.length > 0) throw new CommandError('One word, please: npm run shop -- settings list tip');
  const all = await settings.all();
  const shown = everySetting.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  if (shown.length === 0) throw new CommandError(`No setting has ${part} in its name.`);
  const width = Math.max(...shown.map(({ name }) => name.length));
  for (const setting of shown) terminal.print(`${setting.name.padEnd(width)}  ${inOneLine(settingIn(all, setting))}`);
  return 0;
}

async function get({ settings }: Services, [name, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined || rest.length > 0)
    throw new CommandError('Name one setting: npm run shop -- settings get reservationHours');
  terminal.print(written(settingIn(await settings.all(), findSetting(name))));
  return 0;
}

async function set(services: Services, [name, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined)
    throw new CommandError('Name a setting and its value: npm run shop -- settings set reservationHours 48');
  const setting = findSetting(name);
  const value = readValue(setting, await given(setting, rest));
  const all = await services.settings.all();
  try {
    await services.settings.update(changed(all, setting, value));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${error.message}. It stays as it was.`);
  }
  terminal.print(`${setting.name} is ${inOneLine(value)} now; it was ${inOneLine(settingIn(all, setting))}.`);
  const note = notes[setting.key];
  if (note) terminal.print(note);
  return 0;
}

async function given({ name }: Setting, args: readonly string[]): Promise<string> {
  const [value, ...rest] = args[0] === '--file' ? args.slice(1) : args;
  if (value === undefined || rest.length > 0)
    throw new CommandError(`One value, please, in quotes where it has spaces: npm run shop -- settings set ${name} …`);
  if (args[0] !== '--file') return value;
  try {
    return await readFile(value, 'utf8');
  } catch {
    throw new CommandError(`${value} cannot be read.`);
  }
}

function inOneLine(value: unknown): string {
  const lists = Array.isArray(value) && value.some((each) => typeof each === 'object');
  return lists ? `(a list of ${value.length})` : written(value).replace(/\s+/g, ' ') || '(empty)';
}

/** What a change does not affect. */
const notes: Partial<Record<SettingKey, string>> = {
  currency: 'Prices, coupons and shipping keep their numbers, and are of that currency now.',
  orderNumberPrefix: 'Orders placed before keep their numbers.',
  reservationHours: 'Orders reserved before keep their time.',
};
