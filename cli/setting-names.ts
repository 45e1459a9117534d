/** Settings as a terminal has them: each by a name, its value written as a merchant would type it. */
import Type from 'typebox';
import { type SettingKey, ShopSettings } from '#server/modules/settings/index.ts';
import { CommandError } from './command.ts';

export interface Setting {
  /** Like `checkoutConfig.enabledGuestOrders`. */
  name: string;
  /** The row that it is kept in. */
  key: SettingKey;
  /** The way to it within that row; empty where it is all of it. */
  path: readonly string[];
  schema: Type.TSchema;
}

/** All there are. What has parts is as many settings; a list is one. */
export const everySetting: readonly Setting[] = Object.entries(ShopSettings.properties).flatMap(([key, schema]) =>
  partsOf(key as SettingKey, [], schema),
);

function partsOf(key: SettingKey, path: readonly string[], schema: Type.TSchema): Setting[] {
  if (!Type.IsObject(schema)) return [{ name: [key, ...path].join('.'), key, path, schema }];
  return Object.entries(schema.properties).flatMap(([part, inner]) => partsOf(key, [...path, part], inner));
}

/** By its name, or by the end of it where only one ends so. @throws CommandError naming those that were meant, perhaps */
export function findSetting(name: string): Setting {
  const typed = name.toLowerCase();
  const whole = everySetting.find((each) => each.name.toLowerCase() === typed);
  const [ending, ...others] = everySetting.filter((each) => each.name.toLowerCase().endsWith(`.${typed}`));
  const found = whole ?? (others.length === 0 ? ending : undefined);
  if (found) return found;
  const like = everySetting.filter((each) => each.name.toLowerCase().includes(typed)).map((each) => `  ${each.name}`);
  if (like.length === 0) throw new CommandError(`There is no setting ${name}. \`settings list\` has them all.`);
  throw new CommandError([`There is no setting ${name}. Is it one of these?`, ...like].join('\n'));
}

/** Undefined for a translation that is not there. */
export function settingIn(all: ShopSettings, { key, path }: Setting): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], all[key]);
}

/** The row of a setting with its new value; undefined takes it out. */
export function changed(all: ShopSettings, { key, path }: Setting, value: unknown): Partial<ShopSettings> {
  const row = structuredClone<unknown>(all[key]);
  const last = path.at(-1);
  if (last === undefined) return { [key]: value };
  const holder = path.slice(0, -1).reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], row);
  if (value === undefined) delete (holder as Record<string, unknown>)[last];
  else (holder as Record<string, unknown>)[last] = value;
  return { [key]: row };
}

const words: Readonly<Record<string, boolean>> = { on: true, yes: true, true: true, off: false, no: false, false: false };

/** What was typed, as its kind of setting has it; whether it may be so is for the schema. @throws CommandError where it is of another kind */
export function readValue({ name, schema }: Setting, text: string): unknown {
  if (Type.IsBoolean(schema)) {
    const word = words[text.toLowerCase()];
    if (word === undefined) throw new CommandError(`${name} is on or off, not ${text}.`);
    return word;
  }
  if (Type.IsInteger(schema) || Type.IsNumber(schema)) return number(name, text);
  // A translation that is empty would be shown.
  if (Type.IsString(schema)) return text === '' && Type.IsOptional(schema) ? undefined : text;
  if (Type.IsArray(schema) && Type.IsNumber(schema.items) && !text.trimStart().startsWith('[')) {
    return text.trim() === '' || text === 'none' ? [] : text.split(',').map((each) => number(name, each));
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${name} is JSON, as \`settings get ${name}\` prints it.`);
  }
}

function number(name: string, text: string): number {
  if (!/^-?\d{1,12}(\.\d{1,6})?$/.test(text.trim())) throw new CommandError(`${name} takes numbers, not ${text}.`);
  return Number(text);
}

/** As `readValue` takes it again. */
export function written(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'number')) return value.join(',');
  return typeof value === 'number' ? String(value) : JSON.stringify(value, null, 2);
}
