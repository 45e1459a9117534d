/** Making one takes 20 to 50 µs, so each is made once. */
import { defaultLocale, type Locale, locales } from './locales.ts';
import { currencyDigits, inUnits } from './money.ts';

const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

export function numberFormat(locale: Locale, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const { tag } = locales[locale];
  return once(`n${tag}${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options));
}

/** Of a time zone, since that of the process means nothing to a customer. Chinese weekdays are 周二 everywhere, never 星期二. */
export function dateFormat(locale: Locale, options: Intl.DateTimeFormatOptions & { timeZone: string }): Intl.DateTimeFormat {
  const { tag } = locales[locale];
  const used = locale === 'zh' && options.weekday ? { ...options, weekday: 'short' as const } : options;
  return once(`d${tag}${JSON.stringify(used)}`, () => new Intl.DateTimeFormat(tag, used));
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
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
    ...(brief ? { trailingZeroDisplay: 'stripIfInteger' } : {}),
  });
}
