import { describe, expect, it } from 'vitest';
import en from '#contract/messages/en.json' with { type: 'json' };
import type { ErrorBody } from '#contract/schemas/common.ts';
import { ApiError } from '#ui/errors.ts';
import { isUndecided, paymentFailure, walletFailure } from './failures.ts';

const failed = (status: number, body: Partial<ErrorBody>) => paymentFailure(new ApiError(status, { errorType: 'X', ...body }));

function popupWords(failure: ReturnType<typeof paymentFailure>) {
  if (failure.kind !== 'popup') throw new Error(`no popup but ${failure.kind}`);
  return [en[failure.title], failure.words ?? en[failure.text]];
}

describe('payment failures', () => {
  it('a failed payment shows the popups of the error catalogue', () => {
    expect(popupWords(failed(401, { errorType: 'AUTHORIZATION_ERROR', message: 'Please sign in.' }))).toEqual([
      'Authorization Error',
      'Please sign in.',
    ]);
    const number = { 'paymentInstrucment.creditCardNumber': 'Card number is invalid' };
    expect(popupWords(failed(422, { errorType: 'VALIDATION_ERROR', errors: number }))).toEqual([
      'Validation Error',
      'Card number is invalid',
    ]);
    expect(popupWords(failed(402, { errorType: 'TRANSACTION_ERROR', message: 'The card was declined.' }))[0]).toBe(
      'Transaction Error',
    );
    expect(popupWords(failed(500, { errorType: 'SYSTEM_ERROR', message: 'x' }))).toEqual([
      'System Error',
      'Please try again later.',
    ]);
  });

  it('a failed payment names each invalid checkout field once and sends the shopper to checkout to fix it', () => {
    const errors = {
      pickupDate: 'That time has passed',
      'contact.email': 'Email is missing',
      'contact.phoneNumber': 'Email is missing',
    };
    expect(failed(400, { errorType: 'REQUEST_VALIDATION_ERROR', errors })).toEqual({
      kind: 'checkout',
      words: ['That time has passed', 'Email is missing'],
    });
    const own = { 'billingAddress.city': 'City is missing' };
    expect(failed(400, { errorType: 'REQUEST_VALIDATION_ERROR', errors: own })).toEqual({ kind: 'fields', fields: own });
  });

  it('a payment answered 404, 400, 503 or not at all is a system error, and any other status a network error', () => {
    for (const status of [404, 400, 503, 0]) {
      expect(popupWords(failed(status, {}))).toEqual(['System Error', 'Please try again later.']);
    }
    expect(popupWords(failed(502, {}))).toEqual(['Network Error', 'Please make sure network connection is ok.']);
    expect(popupWords(paymentFailure(new TypeError('x')))[0]).toBe('Network Error');
  });

  it('a payment failure ends the session only for an authorization error', () => {
    expect(failed(401, { errorType: 'AUTHORIZATION_ERROR' })).toMatchObject({ signIn: true });
    expect(failed(402, { errorType: 'TRANSACTION_ERROR' })).toMatchObject({ signIn: false });
  });

  it('a payment failure that names fields marks them instead of showing a popup', () => {
    const fields = { 'billingAddress.city': 'Your city is missing' };
    expect(failed(400, { errorType: 'REQUEST_VALIDATION_ERROR', errors: fields })).toEqual({ kind: 'fields', fields });
  });

  it('a payment conflict asks the shopper to review the changes', () => {
    expect(failed(409, { errorType: 'CONFLICT', errorKey: 'billChanged' })).toEqual({ kind: 'changed', fields: {} });
    const fields = { 'lineItems.MC-1': 'Mug is out of stock' };
    expect(failed(409, { errorType: 'CONFLICT', errors: fields })).toEqual({ kind: 'changed', fields });
  });

  it('a payment that is already under way is reported in the words of the server', () => {
    expect(failed(409, { errorType: 'CONFLICT', message: 'Please wait.' })).toEqual({ kind: 'notice', words: 'Please wait.' });
  });
});

describe('wallet failures', () => {
  const words = 'The PayPal settings for this store is invalid, please use another method of payment';
  const refused = (status: number, body: Partial<ErrorBody>) =>
    walletFailure(new ApiError(status, { errorType: 'SYSTEM_ERROR', ...body }), words);

  it('a wallet without a token reports that its settings are wrong', () => {
    expect(refused(503, {})).toEqual({ kind: 'notice', words });
    expect(refused(404, { errorType: 'NOT_FOUND' })).toEqual({ kind: 'notice', words });
  });

  it('a wallet failure because of the bill, the session or the connection is reported as such', () => {
    expect(refused(409, { errorType: 'CONFLICT', errorKey: 'billChanged' })).toMatchObject({ kind: 'changed' });
    expect(refused(401, { errorType: 'AUTHORIZATION_ERROR' })).toMatchObject({ kind: 'popup', signIn: true });
    expect(walletFailure(new ApiError(0, { errorType: 'NETWORK_ERROR' }), words)).toMatchObject({ kind: 'popup' });
  });
});

it('a payment is undecided only if the provider has not decided or no answer came', () => {
  const refused = (status: number, body: Partial<ErrorBody>) => new ApiError(status, { errorType: 'SYSTEM_ERROR', ...body });
  expect(isUndecided(refused(503, { errorKey: 'payment.undecided' }))).toBe(true);
  expect(isUndecided(refused(0, {}))).toBe(true);
  expect(isUndecided(refused(503, { errorKey: 'payment.unavailable' }))).toBe(false);
  expect(isUndecided(refused(402, { errorType: 'TRANSACTION_ERROR' }))).toBe(false);
});
