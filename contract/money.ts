/** Formats money. No other module does. */
import { defaultLocale, type Locale, locales } from './locales.ts';

type SymbolStyle = 'narrowSymbol' | 'symbol' | 'brief';

const formats = new Map<string, Intl.NumberFormat>();

/** Formats integer cents of `currency` (ISO 4217) for customers, such as `$24.00`. */
export function formatMoney(cents: number, locale: Locale, currency: string): string {
  return formatOf(locale, currency, 'narrowSymbol').format(cents / 100);
}

/** Formats a limit of prices, without the cents of a whole amount: `$30`. */
export function formatPriceLimit(cents: number, locale: Locale, currency: string): string {
  return formatOf(locale, currency, 'brief').format(cents / 100);
}

/** Formats cents for merchants and logs: default language, and the country of a foreign dollar, such as `US$24.00`. */
export function formatMerchantMoney(cents: number, currency: string): string {
  return formatOf(defaultLocale, currency, 'symbol').format(cents / 100);
}

function formatOf(locale: Locale, currency: string, display: SymbolStyle): Intl.NumberFormat {
  const key = `${locale} ${currency} ${display}`;
  const known = formats.get(key);
  if (known) return known;
  const brief = display === 'brief';
  const format = new Intl.NumberFormat(locales[locale].tag, {
    style: 'currency',
    currency,
    currencyDisplay: brief ? 'narrowSymbol' : display,
    ...(brief ? { trailingZeroDisplay: 'stripIfInteger' } : {}),
  });
  formats.set(key, format);
  return format;
}
