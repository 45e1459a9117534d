import { describe, expect, it } from 'vitest';
import type { Order } from '#contract/schemas/order.ts';
import { initialPaymentState, isBusy, type PaymentEvent, paymentReducer, type ShownFailure } from './payment-state.ts';

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
    expect(stateAfter()).toEqual({ picked: 'online', stage: { name: 'idle' }, undecided: false, panel: 'loading' });
    expect(isBusy(stateAfter())).toBe(false);
  });

  it('the page is busy while a call is under way, while the shopper acts, and until the confirmation is shown', () => {
    expect(stateAfter(started).stage.name).toBe('sending');
    expect(stateAfter(started, { type: 'actionAsked' }).stage.name).toBe('acting');
    expect(stateAfter(started, { type: 'actionAsked' }, { type: 'actionEnded' }).stage.name).toBe('sending');
    expect(stateAfter(started, { type: 'orderPlaced' }).stage.name).toBe('placed');
    for (const event of [{ type: 'actionAsked' }, { type: 'actionEnded' }, { type: 'orderPlaced' }] as const) {
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
    expect(stateAfter(started, { type: 'orderChanged', review }).stage).toEqual({ name: 'reviewing', review });
    expect(stateAfter(started, { type: 'orderChanged', review }, { type: 'dialogClosed' }).stage).toEqual({ name: 'idle' });
  });

  it('an unknown outcome stays unknown through the next attempt until that one is decided', () => {
    expect(stateAfter(started, { type: 'outcomeUnknown' })).toMatchObject({ stage: { name: 'idle' }, undecided: true });
    expect(stateAfter(started, failed(true), { type: 'dialogClosed' }, started)).toMatchObject({ undecided: true });
    expect(stateAfter(started, failed(true), started, { type: 'attemptStopped' })).toMatchObject({ undecided: true });
    for (const outcome of [failed(), { type: 'attemptCancelled' }, { type: 'orderChanged', review }] as const) {
      expect(stateAfter(started, failed(true), started, outcome).undecided, outcome.type).toBe(false);
    }
  });

  it('another payment method ends the notice of the last attempt and loads its own panel', () => {
    const ready: PaymentEvent = { type: 'panelChanged', panel: 'ready' };
    const picked = (method: 'online' | 'payAtStore'): PaymentEvent => ({ type: 'methodPicked', method });
    expect(stateAfter(ready, picked('payAtStore'))).toMatchObject({ picked: 'payAtStore', panel: 'loading' });
    expect(stateAfter(ready, picked('online')).panel).toBe('ready');
    expect(stateAfter(started, { type: 'attemptCancelled' }, picked('payAtStore')).stage).toEqual({ name: 'idle' });
    expect(stateAfter(started, { type: 'outcomeUnknown' }, picked('payAtStore')).undecided).toBe(false);
  });

  it('a method picked while an attempt is under way leaves the page busy', () => {
    expect(isBusy(stateAfter(started, { type: 'methodPicked', method: 'payAtStore' }))).toBe(true);
  });
});
