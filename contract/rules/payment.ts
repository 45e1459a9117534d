import type { FieldErrors } from '../errors.ts';
import { type CheckoutMethod, limits } from '../limits.ts';
import type { MessageKey } from '../locales.ts';
import { ofUnits } from '../money.ts';
import { type Wallet, wallets } from '../payment-providers.ts';
import type { PaymentInstrument } from '../schemas/order.ts';
import type { PaymentConfig } from '../schemas/payment-config.ts';
import { isBlank } from './fields.ts';

export type PaymentMethod = 'online' | Wallet['method'] | 'payAtStore';

/** In display order. Paying at the store is not offered for shipping. With wallets only, there is no card form. */
export function offeredPaymentMethods(config: PaymentConfig, method: CheckoutMethod | null): PaymentMethod[] {
  const offered: PaymentMethod[] = [];
  const enabled = wallets.filter(({ enabledFlag }) => config[enabledFlag]);
  const noCards = config.defaultGateWayProviderName === '' && enabled.length > 0;
  if (config.paymentOnline && !noCards) offered.push('online');
  if (config.paymentOnline) offered.push(...enabled.map(({ method }) => method));
  if (config.payAtStoreEnabled && method !== 'shipping') offered.push('payAtStore');
  return offered;
}

/** `choice` is not needed if only one method is offered. */
export function paymentErrors(
  choice: PaymentMethod | null,
  config: PaymentConfig,
  method: CheckoutMethod | null,
): FieldErrors {
  if (!config.paymentOnline && !config.payAtStoreEnabled) return { paymentMethod: 'rule.paymentMethodsNone' };
  const offered = offeredPaymentMethods(config, method);
  const chosen = choice ?? (offered.length === 1 ? offered[0] : undefined);
  if (offered.length > 0 && !chosen) return { paymentMethod: 'rule.paymentMethodMissing' };
  if (!chosen || !offered.includes(chosen)) return { paymentMethod: 'rule.paymentMethodNotSetUp' };
  if (chosen === 'online' && config.defaultGateWayProviderName === '')
    return { paymentMethod: 'rule.gatewayNotSetUp' };
  return {};
}

const prefix = 'paymentInstrucment';
/** The westernmost time zone: a month that is over here is over everywhere. */
const lastTimeZoneMs = 12 * 3_600_000;
const cardNumber = new RegExp(`^\\d{${limits.cardNumberMin},${limits.cardNumberMax}}$`);
const cardCode = new RegExp(`^\\d{${limits.cardCodeMin},${limits.cardCodeMax}}$`);

export function cardDigits(text: string): string {
  return text.replace(/[\s\-–]/g, '');
}

/** `now` is epoch ms. A card is valid until the end of its expiry month. */
export function cardErrors(card: PaymentInstrument, now: number): FieldErrors {
  const errors: FieldErrors = {};
  const say = (field: keyof PaymentInstrument, key: MessageKey) => {
    errors[`${prefix}.${field}`] = key;
  };

  if (isBlank(card.cardHolderName)) say('cardHolderName', 'rule.cardHolderMissing');

  if (isBlank(card.creditCardNumber)) say('creditCardNumber', 'rule.cardNumberMissing');
  else if (!cardNumber.test(cardDigits(card.creditCardNumber ?? '')))
    say('creditCardNumber', 'rule.cardNumberInvalid');

  if (isBlank(card.cardCode)) say('cardCode', 'rule.cardCodeMissing');
  else if (!cardCode.test((card.cardCode ?? '').trim())) say('cardCode', 'rule.cardCodeInvalid');

  const month = wholeNumber(card.expirationMonth);
  const year = fullYear(card.expirationYear);
  if (isBlank(card.expirationMonth)) say('expirationMonth', 'rule.cardMonthMissing');
  else if (month === null || month < 1 || month > 12) say('expirationMonth', 'rule.cardMonthInvalid');
  if (isBlank(card.expirationYear)) say('expirationYear', 'rule.cardYearMissing');
  else if (year === null) say('expirationYear', 'rule.cardYearInvalid');

  const named = `${prefix}.expirationMonth` in errors || `${prefix}.expirationYear` in errors;
  if (!named && month !== null && year !== null && isExpired(month, year, now))
    say('expirationMonth', 'rule.cardExpired');
  return errors;
}

function isExpired(month: number, year: number, now: number): boolean {
  return now - lastTimeZoneMs >= Date.UTC(year, month, 1);
}

function fullYear(typed: number | string | undefined): number | null {
  const year = wholeNumber(typed);
  if (year === null) return null;
  if (year < 100) return 2000 + year;
  return year >= 1000 ? year : null;
}

function wholeNumber(typed: number | string | undefined): number | null {
  const text = String(typed ?? '').trim();
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}

export function couponErrors(code: string): FieldErrors {
  return isBlank(code) ? { code: 'rule.couponMissing' } : {};
}

/** Null if the text is no amount. */
/** A thousand dollars, dinars or the like; where that is little, as in yen, a hundred thousand. */
const mostTip = (currency: string): number => Math.max(limits.tipMaxCents, ofUnits(1000, currency));

export function tipErrors(cents: number | null, currency: string): FieldErrors {
  if (cents === null || !Number.isInteger(cents) || cents < 0) return { tipAmount: 'rule.tipInvalid' };
  return cents > mostTip(currency) ? { tipAmount: 'rule.tipTooMuch' } : {};
}

/**
 * What is recorded of an amount that was handed over at the counter, and the change to give back. Only cash can be more than is due, and
 * `cashDue` of it pays all that is due: null for what cannot be recorded.
 */
export function takenAtCounter(
  handedOver: number | null,
  due: number,
  isCash: boolean,
  cashDue = due,
): { taken: number; change: number } | null {
  if (handedOver === null || handedOver < 0 || (handedOver > due && !isCash)) return null;
  const isAll = isCash ? handedOver >= Math.min(cashDue, due) : handedOver === due;
  if (handedOver === 0 && !isAll) return null;
  return isAll
    ? { taken: due, change: Math.max(0, isCash ? handedOver - cashDue : 0) }
    : { taken: handedOver, change: 0 };
}
