import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { appearanceOf, billingAddressOf, handleNextAction, knownPayer, payerDetails } from './panel.tsx';

describe("Stripe's form", () => {
  it('the appearance of Stripe’s form uses tokens that exist', () => {
    const tokens = readFileSync(join(import.meta.dirname, '../../../web/styles/tokens.css'), 'utf8');
    const asked: string[] = [];
    const { variables } = appearanceOf((name) => {
      asked.push(name);
      return `value of ${name}`;
    });
    expect(asked.filter((name) => !tokens.includes(`--${name}:`))).toEqual([]);
    expect(variables).toMatchObject({ colorText: 'value of color-ink', borderRadius: 'value of radius-md' });
  });

  it('the Stripe form receives the whole address that the page asked for', () => {
    expect(
      billingAddressOf({
        streetNumberAndNameDetails: '18 Dundas Street West',
        city: 'Toronto',
        province: 'Ontario',
        postCode: 'M5G 1Z8',
        countryISOCode: 'CA',
      }),
    ).toEqual({
      line1: '18 Dundas Street West',
      line2: '',
      city: 'Toronto',
      state: 'Ontario',
      postal_code: 'M5G 1Z8',
      country: 'CA',
    });
    // Stripe rejects a missing part and an empty country.
    expect(billingAddressOf({})).toEqual({
      line1: '',
      line2: '',
      city: '',
      state: '',
      postal_code: '',
      country: 'CA',
    });
  });

  it('the Stripe form knows the shopper from the order’s contact only', () => {
    const contact = { firstName: 'Mei', lastName: 'Tremblay', email: 'mei@example.com', phoneNumber: '' };
    expect(knownPayer(contact)).toEqual({ name: 'Mei Tremblay', email: 'mei@example.com' });
    expect(knownPayer({ firstName: '', lastName: '', email: '', phoneNumber: '' })).toEqual({});
    expect(knownPayer(null)).toEqual({});
  });

  it('the payment method carries the name, email, phone and address of the customer', () => {
    const contact = {
      firstName: 'Mei',
      lastName: 'Tremblay',
      email: 'mei@example.com',
      phoneNumber: '+1 416-555-0117',
    };
    expect(payerDetails(contact, { city: 'Toronto' })).toEqual({
      name: 'Mei Tremblay',
      email: 'mei@example.com',
      phone: '+1 416-555-0117',
      address: { line1: '', line2: '', city: 'Toronto', state: '', postal_code: '', country: 'CA' },
    });
  });

  it('Stripe’s form is left to ask for what it needs without an address of the page', () => {
    const contact = { firstName: 'Mei', lastName: '', email: '', phoneNumber: '' };
    expect(payerDetails(contact, null)).toEqual({ name: 'Mei' });
  });
});

describe('Stripe’s next action', () => {
  const answered = (result: object) => {
    const stripe = { handleNextAction: vi.fn(async () => result) };
    return handleNextAction(stripe as unknown as Parameters<typeof handleNextAction>[0], 'pi_1_secret_2');
  };

  it('a next action is done once Stripe has decided either way, and the shop asks for the outcome', async () => {
    expect(await answered({ paymentIntent: { status: 'succeeded' } })).toBe('done');
    expect(await answered({ paymentIntent: { status: 'processing' } })).toBe('done');
    expect(await answered({ error: { payment_intent: { status: 'requires_payment_method' } } })).toBe('done');
    expect(await answered({ error: { payment_intent: { status: 'canceled' } } })).toBe('done');
  });

  it('a next action is cancelled where Stripe still waits or was not reached', async () => {
    expect(await answered({ paymentIntent: { status: 'requires_action' } })).toBe('cancelled');
    expect(await answered({ error: { payment_intent: { status: 'requires_action' } } })).toBe('cancelled');
    expect(await answered({ error: { type: 'api_connection_error' } })).toBe('cancelled');
  });
});
