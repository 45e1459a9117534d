/** `settings list|get|set`: reads and changes the merchant's settings, also while the shop runs. */
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import type { SettingKey } from '#server/modules/settings/index.ts';
import { InputError } from '#server/platform/errors.ts';
import { CommandError, type CommandSetup, printTable, type Terminal } from '../command.ts';
import { problemLines } from '../file-problems.ts';
import { readTextFile } from '../json-file.ts';
import { changed, everySetting, findSetting, readValue, type Setting, settingIn, written } from '../setting-names.ts';
import { withShop } from '../shop.ts';

const examples = `
Examples of settings set:
  enabledGuestOrders off        on or off; the end of a name is enough if it is
                                unique
  tipPercentages 10,15,20       the values of a list, or none
  shopName.zh "枫陶"            texts have a name per language; "" removes a
                                translation
  taxRates --file rates.json    lists of objects are JSON
A running shop uses the new value from the next request.`;

export const settings: CommandSetup = (program, terminal) => {
  const command = program.command('settings').description('Shows and changes the settings.').addHelpText('after', examples);
  const list = command.command('list [word]').description('Lists all settings, or those with the word in their names.');
  list.action((word = '') => withShop(terminal, (shop) => printSettings(shop, word, terminal)));
  const get = command.command('get <name>').description('Prints one setting, in the format that `set` accepts.');
  get.action((name: string) =>
    withShop(terminal, async (shop) => terminal.print(written(settingIn(await shop.settings.all(), findSetting(name))))),
  );
  const set = command.command('set <name> [value]').description('Changes one setting.').addHelpText('after', examples);
  set.option('--file <file>', 'Reads the value from a file.');
  set.action(async (name: string, value: string | undefined, { file }: { file?: string }) => {
    if ((value === undefined) === (file === undefined)) set.error('Expected one value. Quote it if it contains spaces');
    const text = file === undefined ? (value ?? '') : await readTextFile(file);
    await withShop(terminal, (shop, run) => change(shop, run, { setting: findSetting(name), text }, terminal));
  });
};

async function printSettings({ settings }: Services, word: string, terminal: Terminal): Promise<void> {
  const all = await settings.all();
  const shown = everySetting.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()));
  if (shown.length === 0)
    throw new CommandError(`No setting has ${word} in its name. Run "npm run shop -- settings list" to see all settings.`);
  printTable(
    terminal,
    shown.map((setting) => [setting.name, inOneLine(settingIn(all, setting))]),
  );
}

async function change(
  { settings }: Services,
  run: RunChange,
  { setting, text }: { setting: Setting; text: string },
  terminal: Terminal,
): Promise<void> {
  const value = readValue(setting, text);
  const all = await settings.all();
  try {
    await run((change) => settings.update(change, changed(all, setting, value)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new CommandError([...problemLines(error.problems, terminal), terminal.t('settings.unchanged')].join('\n'));
  }
  terminal.print(`Changed ${setting.name} from ${inOneLine(settingIn(all, setting))} to ${inOneLine(value)}.`);
  const note = notes[setting.key];
  if (note) terminal.print(note);
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
