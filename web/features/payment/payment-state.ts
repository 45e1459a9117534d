import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PaymentFailure } from './failures.ts';
import type { OrderChange } from './order-changes.ts';
import type { PanelState } from './provider-panel.ts';

/** Differences between the order that the customer saw and the current one, which need confirmation before payment. */
export interface ChangesReview {
  changes: OrderChange[];
  refusals: string[];
  now: Order;
}

/** A failure that the page shows; changes of the order are reviewed instead. */
export type ShownFailure = Exclude<PaymentFailure, { kind: 'changed' }>;

export type PaymentStage =
  | { name: 'idle' }
  | { name: 'sending' }
  | { name: 'acting' }
  | { name: 'failed'; failure: ShownFailure }
  | { name: 'reviewing'; review: ChangesReview }
  /** The customer gave up the attempt. Nothing was charged. */
  | { name: 'cancelled' }
  | { name: 'placed' };

export interface PaymentState {
  picked: PaymentMethod | null;
  stage: PaymentStage;
  /** The outcome of the last attempt is unknown, until another attempt has one. */
  undecided: boolean;
  panel: PanelState;
}

export type PaymentEvent =
  | { type: 'methodPicked'; method: PaymentMethod }
  | { type: 'panelChanged'; panel: PanelState }
  | { type: 'attemptStarted' }
  | { type: 'actionAsked' }
  | { type: 'actionEnded' }
  /** The attempt stopped before it had an outcome: the form is incomplete, or a wallet's window is open. */
  | { type: 'attemptStopped' }
  | { type: 'attemptFailed'; failure: ShownFailure; undecided: boolean }
  | { type: 'attemptCancelled' }
  | { type: 'outcomeUnknown' }
  | { type: 'orderChanged'; review: ChangesReview }
  | { type: 'dialogClosed' }
  | { type: 'orderPlaced' };

export function initialPaymentState(picked: PaymentMethod | null): PaymentState {
  return { picked, stage: { name: 'idle' }, undecided: false, panel: 'loading' };
}

export function paymentReducer(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'methodPicked':
      return {
        picked: event.method,
        stage: state.stage.name === 'cancelled' ? { name: 'idle' } : state.stage,
        undecided: false,
        // Another method has another panel, which must load first.
        panel: event.method === state.picked ? state.panel : 'loading',
      };
    case 'panelChanged':
      return { ...state, panel: event.panel };
    case 'attemptStarted':
    case 'actionEnded':
      return { ...state, stage: { name: 'sending' } };
    case 'actionAsked':
      return { ...state, stage: { name: 'acting' } };
    case 'attemptStopped':
    case 'dialogClosed':
      return { ...state, stage: { name: 'idle' } };
    case 'attemptFailed':
      return { ...state, stage: { name: 'failed', failure: event.failure }, undecided: event.undecided };
    case 'attemptCancelled':
      return { ...state, stage: { name: 'cancelled' }, undecided: false };
    case 'outcomeUnknown':
      return { ...state, stage: { name: 'idle' }, undecided: true };
    case 'orderChanged':
      return { ...state, stage: { name: 'reviewing', review: event.review }, undecided: false };
    case 'orderPlaced':
      return { ...state, stage: { name: 'placed' } };
  }
}

/** Whether an attempt is under way. The page stays busy until the confirmation is shown. */
export function isBusy({ stage }: PaymentState): boolean {
  return stage.name === 'sending' || stage.name === 'acting' || stage.name === 'placed';
}
