/** Formats money. The one place that does. */
import { defaultLocale, type Locale, locales } from './locales.ts';

type SymbolStyle = 'narrowSymbol' | 'symbol';

const formats = new Map<string, Intl.NumberFormat>();

/** Integer cents of `currency` (ISO 4217) as shoppers read them, such as `$24.00`. */
export function formatMoney(cents: number, locale: Locale, currency: string): string {
  return formatOf(locale, currency, 'narrowSymbol').format(cents / 100);
}

/** The same for merchants and logs, in the default language and with the country of a foreign dollar: `US$24.00`. */
export function formatMerchantMoney(cents: number, currency: string): string {
  return formatOf(defaultLocale, currency, 'symbol').format(cents / 100);
}

function formatOf(locale: Locale, currency: string, currencyDisplay: SymbolStyle): Intl.NumberFormat {
  const key = `${locale} ${currency} ${currencyDisplay}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(locales[locale].tag, { style: 'currency', currency, currencyDisplay });
  formats.set(key, format);
  return format;
}
