/** `settings list|get|set`: reads and changes the merchant's settings as they are typed, also while the shop runs. */
import Type from 'typebox';
import type { Services } from '#server/container.ts';
import type { RunChange } from '#server/modules/changes/index.ts';
import { type SettingKey, ShopSettings } from '#server/modules/settings/index.ts';
import { InputError } from '#server/platform/errors.ts';
import {
  CommandError,
  type CommandSetup,
  listOf,
  printTable,
  problemLines,
  type Terminal,
  withShop,
} from '../command.ts';
import { readTextFile } from '../json-file.ts';

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
  const command = program
    .command('settings')
    .description('Shows and changes the settings.')
    .addHelpText('after', examples);
  const list = command
    .command('list [word]')
    .description('Lists all settings, or those with the word in their names.');
  list.reads((word = '') => withShop(terminal, (shop) => printSettings(shop, word, terminal)));
  const get = command
    .command('get <name>')
    .description('Prints one setting, in the format that `set` accepts.');
  get.reads((name: string) =>
    withShop(terminal, async (shop) =>
      terminal.print(written(settingIn(await shop.settings.all(), findSetting(name)))),
    ),
  );
  const set = command
    .command('set <name> [value]')
    .description('Changes one setting.')
    .addHelpText('after', examples);
  set.option('--file <file>', 'Reads the value from a file.');
  set.changes('same', async (name: string, value: string | undefined, { file }: { file?: string }) => {
    if ((value === undefined) === (file === undefined))
      set.error('Expected one value. Quote it if it contains spaces');
    const text = file === undefined ? (value ?? '') : await readTextFile(file);
    await withShop(terminal, (shop, run) =>
      change(shop, run, { setting: findSetting(name), text }, terminal),
    );
  });
};

async function printSettings({ settings }: Services, word: string, terminal: Terminal): Promise<void> {
  const all = await settings.all();
  const shown = everySetting.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()));
  if (shown.length === 0)
    throw new CommandError(
      `No setting has ${word} in its name. Run "npm run shop -- settings list" to see all settings.`,
    );
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
    throw new CommandError(
      [...problemLines(error.problems, terminal), terminal.t('settings.unchanged')].join('\n'),
    );
  }
  terminal.print(
    `Changed ${setting.name} from ${inOneLine(settingIn(all, setting))} to ${inOneLine(value)}.`,
  );
  const note = notes[setting.key];
  if (note) terminal.print(note);
}

function inOneLine(value: unknown): string {
  const lists = Array.isArray(value) && value.some((each) => typeof each === 'object');
  return lists ? `(a list of ${value.length})` : written(value).replace(/\s+/g, ' ') || '(empty)';
}

const notes: Partial<Record<SettingKey, string>> = {
  currency:
    'Prices, coupons and shipping rates keep their digits and are now in the new currency: 24.00 CAD becomes 2400 JPY.',
  orderNumberPrefix: 'Existing orders keep their numbers.',
  reservationHours: 'Existing reservations keep their time.',
};

export interface Setting {
  name: string;
  key: SettingKey;
  /** The path to it within that row; empty if it is the whole row. */
  path: readonly string[];
  schema: Type.TSchema;
}

/** All settings. Each part of a row is a setting of its own; a list is one setting. */
export const everySetting: readonly Setting[] = Object.entries(ShopSettings.properties).flatMap(
  ([key, schema]) => partsOf(key as SettingKey, [], schema),
);

/** What may be left out is set as a whole: one part of it alone would lack the others. */
function partsOf(key: SettingKey, path: readonly string[], schema: Type.TSchema): Setting[] {
  const isWhole = path.length > 0 && Type.IsOptional(schema);
  if (isWhole || !Type.IsObject(schema)) return [{ name: [key, ...path].join('.'), key, path, schema }];
  return Object.entries(schema.properties).flatMap(([part, inner]) => partsOf(key, [...path, part], inner));
}

/** By its name, or by the end of the name if only one ends so. @throws {CommandError} that lists similar names, if any */
function findSetting(name: string): Setting {
  const typed = name.toLowerCase();
  const whole = everySetting.find((each) => each.name.toLowerCase() === typed);
  const [ending, ...others] = everySetting.filter((each) => each.name.toLowerCase().endsWith(`.${typed}`));
  const found = whole ?? (others.length === 0 ? ending : undefined);
  if (found) return found;
  const like = everySetting
    .filter((each) => each.name.toLowerCase().includes(typed))
    .map((each) => `  ${each.name}`);
  if (like.length === 0)
    throw new CommandError(
      `Unknown setting: ${name}. Run "npm run shop -- settings list" to see all settings.`,
    );
  throw new CommandError([`Unknown setting: ${name}. Did you mean:`, ...like].join('\n'));
}

function settingIn(all: ShopSettings, { key, path }: Setting): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], all[key]);
}

/** The row of a setting with its new value; undefined removes the setting. */
export function changed(all: ShopSettings, { key, path }: Setting, value: unknown): Partial<ShopSettings> {
  const row = structuredClone<unknown>(all[key]);
  const last = path.at(-1);
  if (last === undefined) return { [key]: value };
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], row);
  if (value === undefined) delete (holder as Record<string, unknown>)[last];
  else (holder as Record<string, unknown>)[last] = value;
  return { [key]: row };
}

const words: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  true: true,
  off: false,
  no: false,
  false: false,
};

/** Undefined for an empty text: what may be left out is. The schema validates it later. @throws {CommandError} if it is of another type */
function readValue({ name, schema }: Setting, text: string): unknown {
  // An empty translation would be shown, and what is left out means something else than off or none.
  if (text === '' && Type.IsOptional(schema)) return undefined;
  const isNullable = Type.IsUnion(schema) && schema.anyOf.some(Type.IsNull);
  const isFlag = Type.IsBoolean(schema) || (Type.IsUnion(schema) && schema.anyOf.some(Type.IsBoolean));
  if (isFlag && !(isNullable && text === 'null')) {
    const word = words[text.toLowerCase()];
    if (word === undefined)
      throw new CommandError(`${name} must be ${isNullable ? 'on, off or null' : 'on or off'}, not ${text}.`);
    return word;
  }
  if (isNumber(schema)) return number(name, text);
  if (Type.IsString(schema) || Type.IsEnum(schema)) return text;
  if (Type.IsArray(schema) && text.trim() === 'none') return [];
  if (Type.IsArray(schema) && isPlain(schema.items) && !text.trimStart().startsWith('['))
    return listOf(text).map((each) => (isNumber(schema.items) ? number(name, each) : each));
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(
      `${name} must be JSON. Run "npm run shop -- settings get ${name}" to see the format.`,
    );
  }
}

const isNumber = (schema: Type.TSchema) => Type.IsInteger(schema) || Type.IsNumber(schema);
/** Whether a value has no parts, so that lists of it are separated by commas. */
const isPlain = (schema: Type.TSchema) => isNumber(schema) || Type.IsString(schema) || Type.IsEnum(schema);

function number(name: string, text: string): number {
  if (!/^-?\d{1,12}(\.\d{1,6})?$/.test(text.trim()))
    throw new CommandError(`${name} must be a number, not ${text}.`);
  return Number(text);
}

/** Prints a value in the form that `readValue` parses. */
export function written(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(',');
  return typeof value === 'number' ? String(value) : JSON.stringify(value, null, 2);
}
