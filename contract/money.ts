import { numberFormat } from './formatters.ts';
import { defaultLocale, type Locale } from './locales.ts';

type SymbolStyle = 'narrowSymbol' | 'symbol' | 'brief';

/** `currency` is ISO 4217; such as `$24.00`. */
export function formatMoney(cents: number, locale: Locale, currency: string): string {
  return formatOf(locale, currency, 'narrowSymbol').format(cents / 100);
}

export function formatPriceLimit(cents: number, locale: Locale, currency: string): string {
  return formatOf(locale, currency, 'brief').format(cents / 100);
}

/** For merchants and logs: default language, and the country of a foreign dollar, such as `US$24.00`. */
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
