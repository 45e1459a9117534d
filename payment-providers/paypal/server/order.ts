/** https://developer.paypal.com/api/orders/v2/orders-create */
import type { OrderRequest, PaypalWalletExperienceContext, ShippingDetails } from '@paypal/paypal-server-sdk';
import { locales } from '#contract/locales.ts';
import { currencyDigits, decimalAmount } from '#server/modules/payments/providers/amounts.ts';
import type { Charge, ShipTo } from '#server/modules/payments/providers/provider.ts';

/** Currencies that PayPal accepts in whole units only. https://developer.paypal.com/api/rest/reference/currency-codes/ */
const wholeUnits = ['HUF', 'JPY', 'TWD'];

/** @throws {RangeError} for an amount that PayPal cannot represent */
export function orderAmount({ amount, currency }: Pick<Charge, 'amount' | 'currency'>): { currencyCode: string; value: string } {
  const digits = wholeUnits.includes(currency) ? 0 : currencyDigits(currency);
  return { currencyCode: currency, value: decimalAmount(amount, currency, digits) };
}

/** The invoice id is the order's number, which PayPal shows to merchant and customer. */
export function orderRequest({ shipTo, ...charge }: Charge): OrderRequest {
  // Importing the SDK's enumerations would load it; these are their values.
  const context = {
    locale: locales[charge.locale].tag,
    // The shop has collected the address. The amount is final, so PayPal's window must not change the address either.
    shippingPreference: shipTo ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING',
    userAction: 'PAY_NOW',
    // Nothing that arrives days later, such as an eCheck: items are held for minutes.
    paymentMethodPreference: 'IMMEDIATE_PAYMENT_REQUIRED',
  } as PaypalWalletExperienceContext;
  return {
    intent: 'CAPTURE' as OrderRequest['intent'],
    purchaseUnits: [
      {
        amount: orderAmount(charge),
        // Identifies the attempt in webhooks.
        customId: charge.reference,
        referenceId: charge.orderId,
        ...(charge.orderNumber ? { invoiceId: charge.orderNumber } : {}),
        ...(shipTo ? { shipping: shippingOf(shipTo) } : {}),
      },
    ],
    paymentSource: { paypal: { experienceContext: context } },
  };
}

/** PayPal's own code for China. https://developer.paypal.com/api/rest/reference/country-codes/ */
const countryCodes: Readonly<Record<string, string>> = { CN: 'C2' };

/** The address that PayPal's seller protection covers. It must be the delivery address. */
function shippingOf({ name, line1, line2, city, province, postCode, country }: ShipTo): ShippingDetails {
  return {
    name: { fullName: name.slice(0, 300) },
    address: {
      addressLine1: line1.slice(0, 300),
      ...(line2 ? { addressLine2: line2.slice(0, 300) } : {}),
      adminArea2: city.slice(0, 120),
      ...(province ? { adminArea1: province.slice(0, 300) } : {}),
      ...(postCode ? { postalCode: postCode.slice(0, 60) } : {}),
      countryCode: countryCodes[country] ?? country,
    },
  };
}
