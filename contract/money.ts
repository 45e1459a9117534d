/**
 * Amounts of money are integers in the smallest unit of their currency: cents of a dollar, whole yen, fils of a Kuwaiti dinar. What is
 * called cents elsewhere is that unit. Only this file knows how many of them make one unit of a currency.
 */

/**
 * Digits after the point where they are not two, by ISO 4217, list one of 2026-01-01: https://www.six-group.com/en/products-services/financial-information/data-standards.html
 * Not asked of `Intl`: engines answer by the habits of CLDR (HUF, COP and IQD with 0), and differ from one another.
 */
const otherDigits = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
] as const;

/** A currency's digits after the point: CAD 2, JPY 0, KWD 3. */
export function currencyDigits(currency: string): number {
  return otherDigits.find(([, codes]) => codes.split(' ').includes(currency))?.[0] ?? 2;
}

/** What one process sells in, for sentences that are made far from the settings, as `offerLocales`. */
let ofShop = 'CAD';

/** The settings service calls it. */
export function sellIn(currency: string): void {
  ofShop = currency;
}

/** How many of the smallest unit make one of the shop's currency: 100 cents, 1 yen. */
export const smallestInUnit = (): number => ofUnits(1, ofShop);

/** An amount in units of its currency, for `Intl` and for people: 4972 CAD is 49.72, 497 JPY is 497. Not for computing. */
export function inUnits(amount: number, currency: string): number {
  return amount / 10 ** currencyDigits(currency);
}

/** The amount of so many whole units: 30 CAD is 3000, 30 JPY is 30. */
export function ofUnits(units: number, currency: string): number {
  return units * 10 ** currencyDigits(currency);
}

/** As decimal text with all digits of the currency: 4972 CAD is '49.72', -1250 CAD '-12.50', 497 JPY '497', 4970 KWD '4.970'. */
export function decimalText(amount: number, currency: string): string {
  return inUnits(amount, currency).toFixed(currencyDigits(currency));
}

/**
 * The amount that somebody typed, or that another program wrote: `12.34`, `12,34`, `$1,234.50`, `CAD 5`, `５元`. Null if it is none, or has
 * more digits than its currency: it is never rounded. Below zero only with `negative`.
 */
export function parseAmount(
  text: string,
  currency: string,
  { negative = false, delimiter = ',' } = {},
): number | null {
  const bare = text.normalize('NFKC').replaceAll(/[\s\p{Sc}元円'’]|zł/gu, '');
  const plain = plainDecimal(
    bare.replace(/^[a-z]{2,3}(?=[\d-])/i, '').replace(new RegExp(`${currency}$`, 'i'), ''),
    delimiter,
  );
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d{1,15})(?:\.(\d*))?$/.exec(plain ?? '') ?? [];
  const digits = currencyDigits(currency);
  if (whole === '' || /[1-9]/.test(part.slice(digits)) || (sign && !negative)) return null;
  const amount = Number(whole + part.slice(0, digits).padEnd(digits, '0'));
  if (!Number.isSafeInteger(amount)) return null;
  return sign && amount > 0 ? -amount : amount;
}

/**
 * A decimal number with neither groups nor commas, `1234.5` for `1,234.50` and for `1.234,50`; null for what is none. Three digits after a
 * comma, or after a point in a table that is delimited by semicolons, are a group.
 */
export function plainDecimal(text: string, delimiter = ','): string | null {
  if (!/^-?(?=[.,]?\d)[\d.,]+$/.test(text)) return null;
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  const isGrouped = (delimiter === ';' ? /^-?\d{1,3}(?:\.\d{3})+$/ : /^-?\d{1,3}(?:,\d{3})+$/).test(text);
  const decimal = isGrouped ? '' : comma > point ? ',' : '.';
  const plain = [...text]
    .map((sign) => (sign === decimal ? '.' : sign === ',' || sign === '.' ? '' : sign))
    .join('');
  return /^-?\d*(?:\.\d*)?$/.test(plain) ? plain.replace(/^(-?)\./, '$10.') : null;
}

/** Amounts that end like 0.95 do in dollars: 1.95 CAD, 1.950 KWD, and 195 JPY, which has no smaller unit. */
export function priceEnding(hundredths: number, currency: string): { step: number; end: number } {
  const step = Math.max(100, ofUnits(1, currency));
  return { step, end: (hundredths * step) / 100 };
}
