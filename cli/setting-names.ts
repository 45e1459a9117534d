/** Names settings for the terminal, and reads and prints their values as a merchant types them. */
import Type from 'typebox';
import { type SettingKey, ShopSettings } from '#server/modules/settings/index.ts';
import { CommandError, listOf } from './command.ts';

export interface Setting {
  /** A dotted name such as `checkoutConfig.enabledGuestOrders`. */
  name: string;
  /** The row that stores it. */
  key: SettingKey;
  /** The path to it within that row; empty if it is the whole row. */
  path: readonly string[];
  schema: Type.TSchema;
}

/** All settings. Each part of a row is a setting of its own; a list is one setting. */
export const everySetting: readonly Setting[] = Object.entries(ShopSettings.properties).flatMap(([key, schema]) =>
  partsOf(key as SettingKey, [], schema),
);

function partsOf(key: SettingKey, path: readonly string[], schema: Type.TSchema): Setting[] {
  if (!Type.IsObject(schema)) return [{ name: [key, ...path].join('.'), key, path, schema }];
  return Object.entries(schema.properties).flatMap(([part, inner]) => partsOf(key, [...path, part], inner));
}

/**
 * Finds a setting by its name, or by the end of the name if only one ends so. @throws {CommandError} that lists similar names
 * if there are any
 */
export function findSetting(name: string): Setting {
  const typed = name.toLowerCase();
  const whole = everySetting.find((each) => each.name.toLowerCase() === typed);
  const [ending, ...others] = everySetting.filter((each) => each.name.toLowerCase().endsWith(`.${typed}`));
  const found = whole ?? (others.length === 0 ? ending : undefined);
  if (found) return found;
  const like = everySetting.filter((each) => each.name.toLowerCase().includes(typed)).map((each) => `  ${each.name}`);
  if (like.length === 0)
    throw new CommandError(`Unknown setting: ${name}. Run "npm run shop -- settings list" to see all settings.`);
  throw new CommandError([`Unknown setting: ${name}. Did you mean:`, ...like].join('\n'));
}

/** The value of a setting; undefined for a missing translation. */
export function settingIn(all: ShopSettings, { key, path }: Setting): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], all[key]);
}

/** The row of a setting with its new value; undefined removes the setting. */
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

/**
 * Parses the typed text into the type of the setting; the schema validates it later. @throws {CommandError} if it is of another
 * type
 */
export function readValue({ name, schema }: Setting, text: string): unknown {
  if (Type.IsBoolean(schema)) {
    const word = words[text.toLowerCase()];
    if (word === undefined) throw new CommandError(`${name} must be on or off, not ${text}.`);
    return word;
  }
  if (isNumber(schema)) return number(name, text);
  // An empty translation would be shown, so it is removed instead.
  if (Type.IsString(schema) || Type.IsEnum(schema)) return text === '' && Type.IsOptional(schema) ? undefined : text;
  if (Type.IsArray(schema) && text.trim() === 'none') return [];
  if (Type.IsArray(schema) && isPlain(schema.items) && !text.trimStart().startsWith('['))
    return listOf(text).map((each) => (isNumber(schema.items) ? number(name, each) : each));
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${name} must be JSON. Run "npm run shop -- settings get ${name}" to see the format.`);
  }
}

const isNumber = (schema: Type.TSchema) => Type.IsInteger(schema) || Type.IsNumber(schema);
/** Whether a value has no parts, so that lists of it are separated by commas. */
const isPlain = (schema: Type.TSchema) => isNumber(schema) || Type.IsString(schema) || Type.IsEnum(schema);

function number(name: string, text: string): number {
  if (!/^-?\d{1,12}(\.\d{1,6})?$/.test(text.trim())) throw new CommandError(`${name} must be a number, not ${text}.`);
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
