/** Making one takes 20 to 50 µs, so each is made once. */
import { type CheckoutMethod, type Weekday, weekdays } from './limits.ts';
import { defaultLocale, type Locale, locales } from './locales.ts';
import { currencyDigits, inUnits } from './money.ts';

const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

export function numberFormat(locale: Locale, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const { tag } = locales[locale];
  return once(`n${tag}${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
}

/** Of a time zone, since that of the process means nothing to a customer. Chinese weekdays are 周二 everywhere, never 星期二. */
export function dateFormat(
  locale: Locale,
  options: Intl.DateTimeFormatOptions & { timeZone: string },
): Intl.DateTimeFormat {
  const { tag } = locales[locale];
  const used = locale === 'zh' && options.weekday ? { ...options, weekday: 'short' as const } : options;
  return once(`d${tag}${JSON.stringify(used)}`, () => new Intl.DateTimeFormat(tag, used));
}

const monday = Date.UTC(2024, 0, 1);

export function weekdayName(day: Weekday, locale: Locale, form: 'long' | 'short' = 'long'): string {
  const at = monday + weekdays.indexOf(day) * 86_400_000;
  return dateFormat(locale, { weekday: form, timeZone: 'UTC' }).format(at);
}

function once<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const known = made.get(key) as T | undefined;
  if (known) return known;
  const format = make();
  made.set(key, format);
  return format;
}

type SymbolStyle = 'narrowSymbol' | 'symbol' | 'brief';

/** `currency` is ISO 4217; such as `$24.00`, and `−$24.00` below zero. */
export function formatMoney(cents: number, locale: Locale, currency: string): string {
  return withMinus(formatOf(locale, currency, 'narrowSymbol').format(inUnits(cents, currency)));
}

/**
 * Where the currencies are at home whose symbol stands for others too, by the countries of ISO 4217, list one of 2026-01-01:
 * https://www.six-group.com/en/products-services/financial-information/data-standards.html
 */
const homes: Readonly<Record<string, string>> = {
  USD: 'US AS BQ EC FM GU HT IO MH MP PA PR PW SV TC TL UM VG VI',
  CAD: 'CA',
  AUD: 'AU CC CX HM KI NF NR TV',
  NZD: 'NZ CK NU PN TK',
  HKD: 'HK',
  SGD: 'SG',
  TWD: 'TW',
  MXN: 'MX',
  ARS: 'AR',
  CLP: 'CL',
  COP: 'CO',
  UYU: 'UY',
  BBD: 'BB',
  BMD: 'BM',
  BND: 'BN',
  BSD: 'BS',
  BZD: 'BZ',
  CUP: 'CU',
  DOP: 'DO',
  FJD: 'FJ',
  GYD: 'GY',
  JMD: 'JM',
  KYD: 'KY',
  LRD: 'LR',
  NAD: 'NA',
  SBD: 'SB',
  SRD: 'SR',
  TTD: 'TT',
  XCD: 'AG AI DM GD KN LC MS VC',
  JPY: 'JP',
  CNY: 'CN',
  GBP: 'GB GG IM JE GS',
  EGP: 'EG',
  LBP: 'LB',
  SYP: 'SY',
  GIP: 'GI',
  FKP: 'FK',
  SHP: 'SH',
  SEK: 'SE',
  NOK: 'NO BV SJ',
  DKK: 'DK FO GL',
  ISK: 'IS',
  KRW: 'KR',
  KPW: 'KP',
  PKR: 'PK',
  LKR: 'LK',
  MUR: 'MU',
  NPR: 'NP',
  SCR: 'SC',
};

/** Of an order: how it reaches its buyer, and the country that it is sent to. */
export interface ReadBy {
  method: CheckoutMethod | null;
  shippingAddress?: { countryISOCode: string } | null;
}

/**
 * What an order comes to, is due, or gets back: with the code, such as `$24.00 CAD`, where the symbol could be taken for another currency.
 * That is where it is sent to a country with another one, or, before that is known, where its language is at home in another. Who stands in
 * a store reads its prices as they are meant.
 */
export function formatTotal(cents: number, locale: Locale, currency: string, readBy: ReadBy): string {
  const text = formatMoney(cents, locale, currency);
  const home = homes[currency];
  const here = readBy.method === 'pickup' || readBy.method === 'instore';
  if (home === undefined || here) return text;
  const country = readBy.shippingAddress?.countryISOCode || (locales[locale].tag.split('-')[1] ?? '');
  return home.split(' ').includes(country) ? text : `${text}\u00a0${currency}`;
}

/** Most languages of `Intl` write a hyphen. */
const withMinus = (text: string): string => text.replace('-', '−');

export function formatPriceLimit(cents: number, locale: Locale, currency: string): string {
  return formatOf(locale, currency, 'brief').format(inUnits(cents, currency));
}

/** For merchants and logs: default language, and the country of a foreign dollar, such as `US$24.00`. */
export function formatMerchantMoney(cents: number, currency: string): string {
  return withMinus(formatOf(defaultLocale, currency, 'symbol').format(inUnits(cents, currency)));
}

function formatOf(locale: Locale, currency: string, display: SymbolStyle): Intl.NumberFormat {
  const brief = display === 'brief';
  const digits = currencyDigits(currency);
  return numberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: brief ? 'narrowSymbol' : display,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    ...(brief ? { trailingZeroDisplay: 'stripIfInteger' } : {}),
  });
}
