/** `settings list|get|set`: reads and changes the merchant's settings, also while the shop runs. */
import type { Services } from '#server/container.ts';
import type { SettingKey } from '#server/modules/settings/index.ts';
import { type Command, CommandError, type Terminal, usageError } from '../command.ts';
import { readTextFile } from '../json-file.ts';
import { changed, everySetting, findSetting, readValue, type Setting, settingIn, written } from '../setting-names.ts';
import { withShop } from '../shop.ts';

const help = `Usage:
npm run shop -- settings list [word]       all settings, or those with the word in their names
npm run shop -- settings get <name>        one setting, in the format that \`set\` accepts
npm run shop -- settings set <name> <value>
    set enabledGuestOrders off             on or off; the end of a name is enough if it is unique
    set tipPercentages 10,15,20            numbers separated by commas, or none
    set shopName.zh "枫陶"                  texts have a name per language; "" removes a translation
    set taxRates --file rates.json         lists are JSON
A running shop uses the new value from the next request.`;

const setUsage = 'settings set <name> <value> | --file <file>';

export const settings: Command = {
  usage: 'list|get|set …',
  summary: 'Shows and changes the settings. Run `settings help` for usage.',
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
        throw new CommandError(`Unknown action: settings ${action}.\n\n${help}`);
    }
  },
};

async function list({ settings }: Services, [part = '', ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (rest.length > 0) throw usageError('Expected at most one word.', 'settings list [word]');
  const all = await settings.all();
  const shown = everySetting.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  if (shown.length === 0)
    throw new CommandError(`No setting has ${part} in its name. Run "npm run shop -- settings list" to see all settings.`);
  const width = Math.max(...shown.map(({ name }) => name.length));
  for (const setting of shown) terminal.print(`${setting.name.padEnd(width)}  ${inOneLine(settingIn(all, setting))}`);
  return 0;
}

async function get({ settings }: Services, [name, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined || rest.length > 0) throw usageError('Expected one setting.', 'settings get <name>');
  terminal.print(written(settingIn(await settings.all(), findSetting(name))));
  return 0;
}

async function set(services: Services, [name, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined) throw usageError('Missing setting and value.', setUsage);
  const setting = findSetting(name);
  const value = readValue(setting, await given(setting, rest));
  const all = await services.settings.all();
  try {
    await services.settings.update(changed(all, setting, value));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${error.message}. The setting is unchanged.`);
  }
  terminal.print(`Changed ${setting.name} from ${inOneLine(settingIn(all, setting))} to ${inOneLine(value)}.`);
  const note = notes[setting.key];
  if (note) terminal.print(note);
  return 0;
}

async function given({ name }: Setting, args: readonly string[]): Promise<string> {
  const [value, ...rest] = args[0] === '--file' ? args.slice(1) : args;
  if (value === undefined || rest.length > 0)
    throw usageError(`Expected one value for ${name}. Quote it if it contains spaces.`, setUsage);
  if (args[0] !== '--file') return value;
  try {
    return await readTextFile(value);
  } catch {
    throw new CommandError(`Could not read ${value}. Check the path and its permissions.`);
  }
}

function inOneLine(value: unknown): string {
  const lists = Array.isArray(value) && value.some((each) => typeof each === 'object');
  return lists ? `(a list of ${value.length})` : written(value).replace(/\s+/g, ' ') || '(empty)';
}

/** What a change does not affect. */
const notes: Partial<Record<SettingKey, string>> = {
  currency: 'Prices, coupons and shipping rates keep their amounts and are now in the new currency.',
  orderNumberPrefix: 'Existing orders keep their numbers.',
  reservationHours: 'Existing reservations keep their time.',
};
