/** Parses the arguments of `coupon add` into a coupon. */
import type { ParseArgsConfig } from 'node:util';
import { defaultLocale, type Locale, type LocalText, localeCodes } from '#contract/locales.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import { instantAt, isCalendarDay } from '#server/platform/time-zone.ts';
import { CommandError, usageError } from './command.ts';

const otherLocales = localeCodes.filter((locale) => locale !== defaultLocale);
type NameOption = `name-${Exclude<Locale, typeof defaultLocale>}`;
const nameOption = (locale: Locale) => `name-${locale}` as NameOption;
/** `--name-<code>` for each language except the default one. */
const translations = Object.fromEntries(otherLocales.map((locale) => [nameOption(locale), { type: 'string' }])) as Record<
  NameOption,
  { type: 'string' }
>;

export const couponOptions = {
  percent: { type: 'string' },
  amount: { type: 'string' },
  'free-shipping': { type: 'boolean' },
  name: { type: 'string' },
  ...translations,
  min: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  'per-customer': { type: 'string' },
  countries: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

export const couponUsage = 'coupon add <code> --percent 10 | --amount 15.00 | --free-shipping';

export type CouponValues = { [K in Exclude<keyof typeof couponOptions, 'free-shipping'>]?: string } & {
  'free-shipping'?: boolean;
};

/**
 * Parses the arguments. Days are those of the shop's time zone, the last one included.
 * @throws {CommandError} naming the invalid argument
 */
export function couponInput(code: string | undefined, values: CouponValues, timeZone: string): Coupon {
  if (code === undefined || !/^[\p{L}\p{N}._-]{2,40}$/u.test(code)) {
    throw usageError('Expected a code of 2 to 40 letters, digits, dots, dashes and underscores.', couponUsage);
  }
  const kinds = [values.percent, values.amount, values['free-shipping']].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) throw usageError('Expected exactly one of --percent, --amount or --free-shipping.', couponUsage);
  const percent = values.percent === undefined ? 0 : number(values.percent, '--percent', 3);
  if (percent > 100_000 || (values.percent !== undefined && percent === 0)) {
    throw new CommandError('--percent must be more than 0 and at most 100.');
  }
  const amount = values.amount === undefined ? 0 : number(values.amount, '--amount', 2);
  if (values.amount !== undefined && amount === 0) throw new CommandError('--amount must be more than 0.');
  const startsAt = values.from === undefined ? null : startOf(values.from, '--from', timeZone);
  const endsAt = values.until === undefined ? null : startOf(dayAfter(values.until), '--until', timeZone);
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) throw new CommandError('--until must not be before --from.');
  return {
    code,
    name: nameOf(code, values),
    kind: values.percent !== undefined ? 'percent' : values.amount !== undefined ? 'amount' : 'freeShipping',
    percent,
    amount,
    minSubtotal: values.min === undefined ? 0 : number(values.min, '--min', 2),
    countries: (values.countries ?? '').split(',').filter(Boolean).map(country),
    startsAt,
    endsAt,
    totalLimit: limit(values.limit, '--limit'),
    customerLimit: limit(values['per-customer'], '--per-customer'),
  };
}

function nameOf(code: string, values: CouponValues): LocalText {
  const given = otherLocales.flatMap((locale) => {
    const name = values[nameOption(locale)];
    return name === undefined ? [] : [[locale, name] as const];
  });
  return { [defaultLocale]: values.name ?? code, ...Object.fromEntries(given) };
}

/** The languages in which a coupon has no name. */
export function unnamedIn({ name }: Coupon): Locale[] {
  return otherLocales.filter((locale) => name[locale] === undefined);
}

/** Parses a number with at most that many decimals into an integer of its smallest unit. */
function number(text: string, option: string, decimals: number): number {
  const [, whole, part = ''] = new RegExp(`^(\\d{1,7})(?:\\.(\\d{1,${decimals}}))?$`).exec(text.trim()) ?? [];
  if (whole === undefined) throw new CommandError(`${option} must be a number such as 10 or 12.5, not ${text}.`);
  return Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, '0'));
}

function limit(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommandError(`${option} must be a whole number from 1, not ${text}.`);
  return Number(text);
}

function country(text: string): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) throw new CommandError(`--countries must be two-letter codes separated by commas, not ${text}.`);
  return code;
}

function startOf(date: string, option: string, timeZone: string): number {
  // Where clocks skip midnight, the day begins at 01:00.
  const at = isCalendarDay(date) ? (instantAt(date, 0, timeZone) ?? instantAt(date, 60, timeZone)) : null;
  if (at === null) throw new CommandError(`${option} must be a day such as 2026-12-31, not ${date}.`);
  return at;
}

function dayAfter(date: string): string {
  return isCalendarDay(date) ? new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10) : '';
}
