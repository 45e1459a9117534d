import { describe, expect, it } from 'vitest';
import en from '#contract/messages/en.json' with { type: 'json' };
import type { ErrorBody } from '#contract/schemas/common.ts';
import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';
import { ApiError } from '#ui/errors.ts';
import {
  initialPaymentState,
  isBlocked,
  isBusy,
  isUndecided,
  noticeOf,
  orderChanges,
  type PaymentEvent,
  paymentFailure,
  paymentReducer,
  type ShownFailure,
  walletFailure,
} from './payment-state.ts';

const popup: ShownFailure = {
  kind: 'popup',
  title: 'payment.error.system.title',
  text: 'payment.error.system.text',
  words: undefined,
  signIn: false,
  fields: {},
};
const review = { changes: [], refusals: ['Mug is out of stock'], now: {} as Order };

/** The state after these events. */
function stateAfter(...events: PaymentEvent[]) {
  return events.reduce(paymentReducer, initialPaymentState('online'));
}
const started: PaymentEvent = { type: 'attemptStarted' };
const failed = (undecided = false): PaymentEvent => ({ type: 'attemptFailed', failure: popup, undecided });

describe('the state of the payment page', () => {
  it('a payment page starts idle, with its panel loading', () => {
    expect(stateAfter()).toEqual({
      picked: 'online',
      stage: { name: 'idle' },
      undecided: false,
      panel: 'loading',
    });
    expect(isBusy(stateAfter())).toBe(false);
  });

  it('the page is busy while a call is under way, while the shopper acts, and until the confirmation is shown', () => {
    expect(stateAfter(started).stage.name).toBe('sending');
    expect(stateAfter(started, { type: 'actionAsked' }).stage.name).toBe('acting');
    expect(stateAfter(started, { type: 'actionAsked' }, { type: 'actionEnded' }).stage.name).toBe('sending');
    expect(stateAfter(started, { type: 'orderPlaced' }).stage.name).toBe('placed');
    for (const event of [
      { type: 'actionAsked' },
      { type: 'actionEnded' },
      { type: 'orderPlaced' },
    ] as const) {
      expect(isBusy(stateAfter(started, event)), event.type).toBe(true);
    }
  });

  it('every other outcome of an attempt lets the shopper pay again', () => {
    const outcomes: PaymentEvent[] = [
      { type: 'attemptStopped' },
      failed(),
      { type: 'attemptCancelled' },
      { type: 'outcomeUnknown' },
      { type: 'orderChanged', review },
    ];
    for (const outcome of outcomes) expect(isBusy(stateAfter(started, outcome)), outcome.type).toBe(false);
  });

  it('a failure is shown until it is closed or the shopper tries again', () => {
    expect(stateAfter(started, failed()).stage).toEqual({ name: 'failed', failure: popup });
    expect(stateAfter(started, failed(), { type: 'dialogClosed' }).stage).toEqual({ name: 'idle' });
    expect(stateAfter(started, failed(), started).stage).toEqual({ name: 'sending' });
  });

  it('changes of the order are reviewed before the shopper pays again', () => {
    expect(stateAfter(started, { type: 'orderChanged', review }).stage).toEqual({
      name: 'reviewing',
      review,
    });
    expect(stateAfter(started, { type: 'orderChanged', review }, { type: 'dialogClosed' }).stage).toEqual({
      name: 'idle',
    });
  });

  it('an unknown outcome stays unknown through the next attempt until that one is decided', () => {
    expect(stateAfter(started, { type: 'outcomeUnknown' })).toMatchObject({
      stage: { name: 'idle' },
      undecided: true,
    });
    expect(stateAfter(started, failed(true), { type: 'dialogClosed' }, started)).toMatchObject({
      undecided: true,
    });
    expect(stateAfter(started, failed(true), started, { type: 'attemptStopped' })).toMatchObject({
      undecided: true,
    });
    for (const outcome of [
      failed(),
      { type: 'attemptCancelled' },
      { type: 'orderChanged', review },
    ] as const) {
      expect(stateAfter(started, failed(true), started, outcome).undecided, outcome.type).toBe(false);
    }
  });

  it('another payment method ends the notice of the last attempt and loads its own panel', () => {
    const ready: PaymentEvent = { type: 'panelChanged', panel: 'ready' };
    const picked = (method: 'online' | 'payAtStore'): PaymentEvent => ({ type: 'methodPicked', method });
    expect(stateAfter(ready, picked('payAtStore'))).toMatchObject({ picked: 'payAtStore', panel: 'loading' });
    expect(stateAfter(ready, picked('online')).panel).toBe('ready');
    expect(stateAfter(started, { type: 'attemptCancelled' }, picked('payAtStore')).stage).toEqual({
      name: 'idle',
    });
    expect(stateAfter(started, { type: 'outcomeUnknown' }, picked('payAtStore')).undecided).toBe(false);
  });

  it('a method picked while an attempt is under way leaves the page busy', () => {
    expect(isBusy(stateAfter(started, { type: 'methodPicked', method: 'payAtStore' }))).toBe(true);
  });
});

const failureOf = (status: number, body: Partial<ErrorBody>) =>
  paymentFailure(new ApiError(status, { errorType: 'X', ...body }));

function popupWords(failure: ReturnType<typeof paymentFailure>) {
  if (failure.kind !== 'popup') throw new Error(`no popup but ${failure.kind}`);
  return [en[failure.title], failure.words ?? en[failure.text]];
}

describe('payment failures', () => {
  it('a failed payment shows the popups of the error catalogue', () => {
    expect(
      popupWords(failureOf(401, { errorType: 'AUTHORIZATION_ERROR', message: 'Please sign in.' })),
    ).toEqual(['Authorization Error', 'Please sign in.']);
    const number = { 'paymentInstrucment.creditCardNumber': 'Card number is invalid' };
    expect(popupWords(failureOf(422, { errorType: 'VALIDATION_ERROR', errors: number }))).toEqual([
      'Validation Error',
      'Card number is invalid',
    ]);
    expect(
      popupWords(failureOf(402, { errorType: 'TRANSACTION_ERROR', message: 'The card was declined.' }))[0],
    ).toBe('Transaction Error');
    expect(popupWords(failureOf(500, { errorType: 'SYSTEM_ERROR', message: 'x' }))).toEqual([
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
    expect(failureOf(400, { errorType: 'REQUEST_VALIDATION_ERROR', errors })).toEqual({
      kind: 'checkout',
      words: ['That time has passed', 'Email is missing'],
    });
    const own = { 'billingAddress.city': 'City is missing' };
    expect(failureOf(400, { errorType: 'REQUEST_VALIDATION_ERROR', errors: own })).toEqual({
      kind: 'fields',
      fields: own,
    });
  });

  it('a payment answered 404, 400, 503 or not at all is a system error, and any other status a network error', () => {
    for (const status of [404, 400, 503, 0]) {
      expect(popupWords(failureOf(status, {}))).toEqual(['System Error', 'Please try again later.']);
    }
    expect(popupWords(failureOf(502, {}))).toEqual([
      'Network Error',
      'Please make sure network connection is ok.',
    ]);
    expect(popupWords(paymentFailure(new TypeError('x')))[0]).toBe('Network Error');
  });

  it('a payment failure ends the session only for an authorization error', () => {
    expect(failureOf(401, { errorType: 'AUTHORIZATION_ERROR' })).toMatchObject({ signIn: true });
    expect(failureOf(402, { errorType: 'TRANSACTION_ERROR' })).toMatchObject({ signIn: false });
  });

  it('a payment failure that names fields marks them instead of showing a popup', () => {
    const fields = { 'billingAddress.city': 'Your city is missing' };
    expect(failureOf(400, { errorType: 'REQUEST_VALIDATION_ERROR', errors: fields })).toEqual({
      kind: 'fields',
      fields,
    });
  });

  it('a payment conflict asks the shopper to review the changes', () => {
    expect(failureOf(409, { errorType: 'CONFLICT', errorKey: 'billChanged' })).toEqual({
      kind: 'changed',
      fields: {},
    });
    const fields = { 'lineItems.MC-1': 'Mug is out of stock' };
    expect(failureOf(409, { errorType: 'CONFLICT', errors: fields })).toEqual({ kind: 'changed', fields });
  });

  it('a payment that is already under way is reported in the words of the server', () => {
    expect(failureOf(409, { errorType: 'CONFLICT', message: 'Please wait.' })).toEqual({
      kind: 'notice',
      words: 'Please wait.',
    });
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
    expect(refused(409, { errorType: 'CONFLICT', errorKey: 'billChanged' })).toMatchObject({
      kind: 'changed',
    });
    expect(refused(401, { errorType: 'AUTHORIZATION_ERROR' })).toMatchObject({ kind: 'popup', signIn: true });
    expect(walletFailure(new ApiError(0, { errorType: 'NETWORK_ERROR' }), words)).toMatchObject({
      kind: 'popup',
    });
  });
});

it('a payment without an answer is told in one way at a time', () => {
  const unanswered = stateAfter(started, failed(true));
  expect(noticeOf(unanswered)).toBeNull();
  expect(noticeOf(paymentReducer(unanswered, { type: 'dialogClosed' }))).toBe('undecided');
  const words = { kind: 'notice', words: 'Please don’t pay again yet.' } as const;
  expect(noticeOf(stateAfter(started, { type: 'attemptFailed', failure: words, undecided: true }))).toBe(
    'undecided',
  );
  expect(noticeOf(stateAfter(started, { type: 'attemptFailed', failure: words, undecided: false }))).toBe(
    'failure',
  );
  expect(noticeOf(stateAfter(started, { type: 'attemptCancelled' }))).toBe('cancelled');
  expect(noticeOf(stateAfter())).toBeNull();
});

it('a payment is undecided only if the provider has not decided or no answer came', () => {
  const refused = (status: number, body: Partial<ErrorBody>) =>
    new ApiError(status, { errorType: 'SYSTEM_ERROR', ...body });
  expect(isUndecided(refused(503, { errorKey: 'payment.undecided' }))).toBe(true);
  expect(isUndecided(refused(0, {}))).toBe(true);
  expect(isUndecided(refused(503, { errorKey: 'payment.unavailable' }))).toBe(false);
  expect(isUndecided(refused(402, { errorType: 'TRANSACTION_ERROR' }))).toBe(false);
});

const mug = {
  id: 'line-1',
  sku: 'mug',
  quantity: 2,
  unitPrice: 2400,
  obtainable: 9,
  inventoryProcessingStatus: 'available',
} as LineItem;
const bill = {
  discount: 0,
  couponCode: null,
  coupon: null,
  shipping: 1200,
  tax: 780,
  tip: 0,
  total: 6780,
} as Bill;
const seen = { lineItems: [mug], bill };

describe('changes since the shopper last looked at the order', () => {
  it('an unchanged order has no changes to review', () => {
    expect(orderChanges(seen, structuredClone(seen))).toEqual([]);
  });

  it('a new price is listed with every part of the bill that it changed', () => {
    const now = { lineItems: [{ ...mug, unitPrice: 2600 }], bill: { ...bill, tax: 832, total: 7232 } };
    const changes = orderChanges(seen, now);
    expect(changes.map(({ kind }) => kind)).toEqual(['price', 'tax', 'total']);
    expect(changes[0]).toMatchObject({ now: 2600, before: 2400 });
    expect(isBlocked(changes)).toBe(false);
  });

  it('a sold-out or short item is listed and blocks payment', () => {
    const out = { ...mug, inventoryProcessingStatus: 'notAvailable' } as const;
    expect(orderChanges(seen, { lineItems: [{ ...out, obtainable: 0 }], bill })).toMatchObject([
      { kind: 'gone' },
    ]);
    const few = orderChanges(seen, { lineItems: [{ ...out, obtainable: 1 }], bill });
    expect(few).toMatchObject([{ kind: 'fewer', left: 1 }]);
    expect(isBlocked(few)).toBe(true);
  });

  it('an item that another tab added or removed is listed', () => {
    const pot = { ...mug, id: 'line-2', sku: 'pot', quantity: 1 };
    expect(orderChanges(seen, { lineItems: [{ ...mug, quantity: 5 }, pot], bill })).toMatchObject([
      { kind: 'quantity', now: 5, before: 2 },
      { kind: 'quantity', now: 1, before: 0 },
    ]);
    expect(orderChanges(seen, { lineItems: [], bill })).toMatchObject([
      { kind: 'quantity', now: 0, before: 2 },
    ]);
  });

  it('a promo code that no longer applies is listed with the tip that followed it', () => {
    const held = {
      lineItems: [mug],
      bill: { ...bill, couponCode: 'TEA10', discount: 480, tip: 432, total: 6668 },
    };
    const coupon = { code: 'TEA10', message: 'It has ended' } as Bill['coupon'];
    const lapsed = { lineItems: [mug], bill: { ...bill, coupon, tip: 480, total: 7260 } };
    const changes = orderChanges(held, lapsed);
    expect(changes.map(({ kind }) => kind)).toEqual(['couponGone', 'discount', 'tip', 'total']);
    expect(changes[0]).toMatchObject({ code: 'TEA10', why: 'It has ended' });
    expect(isBlocked(changes)).toBe(false);
    expect(orderChanges(lapsed, held)[0]).toMatchObject({ kind: 'couponNew', code: 'TEA10' });
  });
});
