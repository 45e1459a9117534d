/** A charge as an order of PayPal's. https://developer.paypal.com/api/orders/v2/orders-create */
import type { OrderRequest, PaypalWalletExperienceContext } from '@paypal/paypal-server-sdk';
import { locales } from '#contract/locales.ts';
import { currencyDigits, decimalAmount } from '../amounts.ts';
import type { Charge } from '../provider.ts';

/** Currencies that PayPal takes in whole units only. https://developer.paypal.com/api/rest/reference/currency-codes/ */
const wholeUnits = ['HUF', 'JPY', 'TWD'];

/** @throws RangeError for an amount PayPal has no way to write */
export function orderAmount({ amount, currency }: Pick<Charge, 'amount' | 'currency'>): { currencyCode: string; value: string } {
  const digits = wholeUnits.includes(currency) ? 0 : currencyDigits(currency);
  return { currencyCode: currency, value: decimalAmount(amount, currency, digits) };
}

export function orderRequest(charge: Charge): OrderRequest {
  return {
    // The SDK's own enumerations would load it for their sake; these are their values.
    intent: 'CAPTURE' as OrderRequest['intent'],
    purchaseUnits: [
      {
        amount: orderAmount(charge),
        // By this a webhook finds its way back, and the merchant finds the order.
        customId: charge.reference,
        referenceId: charge.orderId,
      },
    ],
    paymentSource: {
      paypal: {
        experienceContext: {
          locale: locales[charge.locale].tag,
          // The shop has asked where it goes, and the amount is final.
          shippingPreference: 'NO_SHIPPING' as NonNullable<PaypalWalletExperienceContext['shippingPreference']>,
          userAction: 'PAY_NOW' as NonNullable<PaypalWalletExperienceContext['userAction']>,
        },
      },
    },
  };
}
