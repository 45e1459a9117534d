/** Formats money. No other module does. */
import { numberFormat } from './formatters.ts';
import { defaultLocale, type Locale } from './locales.ts';

type SymbolStyle = 'narrowSymbol' | 'symbol' | 'brief';

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
  const brief = display === 'brief';
  return numberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: brief ? 'narrowSymbol' : display,
    ...(brief ? { trailingZeroDisplay: 'stripIfInteger' } : {}),
  });
}
