import type { PaymentMethodPayload } from 'braintree-web-drop-in';
import { describe, expect, it } from 'vitest';
import type { Order } from '#contract/schemas/order.ts';
import { failedThreeDSecure, hasThreeDSecure, threeDSecureOptions } from './panel.tsx';

// Only the fields that the code reads.
const order = (firstName: string) =>
  ({
    bill: { total: 4972 },
    orderContact: { firstName, lastName: 'Lin', email: 'lin@example.com' },
  }) as unknown as Order;

describe('3-D Secure at Braintree', () => {
  it('the 3-D Secure request has the amount as text and the payer as far as the name is ASCII', () => {
    const { threeDSecure } = threeDSecureOptions(order('茗'), {
      city: 'Montréal',
      postCode: 'M5G 1Z8',
      countryISOCode: 'CA',
    });
    expect(threeDSecure).toMatchObject({ amount: '49.72', email: 'lin@example.com' });
    expect(threeDSecure.billingAddress).toEqual({
      surname: 'Lin',
      postalCode: 'M5G 1Z8',
      countryCodeAlpha2: 'CA',
    });
  });

  it('the 3-D Secure request names no address where the page asks for none', () => {
    expect(threeDSecureOptions(order('Mei'), null).threeDSecure.billingAddress).toEqual({
      givenName: 'Mei',
      surname: 'Lin',
    });
  });

  it('3-D Secure has failed only where the bank could have answered for the payer', () => {
    const card = (liabilityShiftPossible: boolean, liabilityShifted: boolean) =>
      ({ type: 'CreditCard', liabilityShiftPossible, liabilityShifted }) as PaymentMethodPayload;
    expect([card(true, false), card(true, true), card(false, false)].map(failedThreeDSecure)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('the client token tells whether 3-D Secure is on', () => {
    const token = (content: object) => btoa(JSON.stringify(content));
    expect([token({ threeDSecureEnabled: true }), token({}), 'sandbox_key'].map(hasThreeDSecure)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
