import { typedDigits } from './card-number.ts';

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'unionpay' | 'jcb' | 'diners';

const prefixes: readonly (readonly [CardBrand, RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['jcb', /^35(?:2[89]|[3-8])/],
  ['diners', /^3(?:0[0-5]|[689])/],
  ['unionpay', /^62/],
  ['discover', /^(?:6011|64[4-9]|65)/],
];

export const brandNames: Record<CardBrand, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  unionpay: 'UnionPay',
  jcb: 'JCB',
  diners: 'Diners Club',
};

/** Null while the digits fit none, or several. */
export function cardBrand(number: string): CardBrand | null {
  const digits = typedDigits(number);
  return prefixes.find(([, prefix]) => prefix.test(digits))?.[0] ?? null;
}
