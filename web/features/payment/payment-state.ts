import type { MessageKey } from '#contract/locales.ts';
import type { PaymentMethod } from '#contract/rules/payment.ts';
import type { Bill, LineItem, Order } from '#contract/schemas/order.ts';
import { ApiError, type FieldTexts, fieldErrorsOf } from '#ui/errors.ts';
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

/** What the page says of the last attempt, one thing at a time: a popup stands alone, and whoever waits is not told to try later. */
export function noticeOf({ stage, undecided }: PaymentState): 'failure' | 'cancelled' | 'undecided' | null {
  if (stage.name === 'failed' && stage.failure.kind === 'popup') return null;
  if (undecided) return 'undecided';
  if (stage.name === 'failed') return 'failure';
  return stage.name === 'cancelled' ? 'cancelled' : null;
}

export type PaymentFailure =
  /** A popup with the title and text of SPEC §8; `words` is the server's own text if it has one. */
  | {
      kind: 'popup';
      title: MessageKey;
      text: MessageKey;
      words: string | undefined;
      signIn: boolean;
      fields: FieldTexts;
    }
  | { kind: 'fields'; fields: FieldTexts }
  /** Price, stock or coupon differ from what the customer saw; the changes are shown for confirmation. */
  | { kind: 'changed'; fields: FieldTexts }
  /** A temporary rejection, shown on the page in the server's words. */
  | { kind: 'notice'; words: string }
  /** A choice made at checkout is no longer valid, for instance a pickup time: shown here, corrected at checkout. */
  | { kind: 'checkout'; words: string[] };

type Popup = 'authorization' | 'validation' | 'transaction' | 'system' | 'network';

const popup = (name: Popup, words?: string, fields: FieldTexts = {}): PaymentFailure => ({
  kind: 'popup',
  title: `payment.error.${name}.title`,
  text: `payment.error.${name}.text`,
  words,
  signIn: name === 'authorization',
  fields,
});

/** Fields of the checkout, which the payment page does not have. */
const checkoutField =
  /^(methodName|localStoreName|tableNumber|partySize|pickupDate|shippingMethod|(shippingC|c)ontact\..*|address\..*)$/;

const systemStatuses = [404, 400, 503, 0];

export function paymentFailure(error: unknown): PaymentFailure {
  if (!(error instanceof ApiError)) return popup('network');
  const { status, body } = error;
  const fields = fieldErrorsOf(error);
  const marked = Object.keys(fields);
  if (body.errorKey === 'billChanged' || marked.some((field) => field.startsWith('lineItems.')))
    return { kind: 'changed', fields };
  const elsewhere = marked.filter((field) => checkoutField.test(field)).map((field) => fields[field] ?? '');
  if (elsewhere.length > 0) return { kind: 'checkout', words: [...new Set(elsewhere)] };
  switch (body.errorType) {
    case 'AUTHORIZATION_ERROR':
      return popup('authorization', body.message);
    case 'VALIDATION_ERROR':
      return popup('validation', fields['paymentInstrucment.creditCardNumber'] ?? body.message, fields);
    case 'TRANSACTION_ERROR':
      return popup('transaction', body.message);
    case 'SYSTEM_ERROR':
      return popup('system');
    case 'REQUEST_VALIDATION_ERROR':
      return marked.length > 0 ? { kind: 'fields', fields } : popup('system');
    case 'CONFLICT':
    case 'RATE_LIMITED':
      return body.message ? { kind: 'notice', words: body.message } : popup('network');
  }
  return popup(systemStatuses.includes(status) ? 'system' : 'network');
}

/** SPEC §8. `words` blames the shop's settings, unless the cause was the bill, the session or the connection. */
export function walletFailure(error: unknown, words: string): PaymentFailure {
  const failure = paymentFailure(error);
  const ours = error instanceof ApiError && error.status !== 0 && failure.kind === 'popup' && !failure.signIn;
  return ours ? { kind: 'notice', words } : failure;
}

/** The provider has not decided yet: the order is neither paid nor editable, and a later request returns the outcome. */
export function isUndecided(error: unknown): boolean {
  return error instanceof ApiError && (error.body.errorKey === 'payment.undecided' || error.status === 0);
}

export type OrderChange =
  | { kind: 'gone'; line: LineItem }
  | { kind: 'fewer'; line: LineItem; left: number }
  | { kind: 'price'; line: LineItem; now: number; before: number }
  | { kind: 'quantity'; line: LineItem; now: number; before: number }
  /** `why`, in the customer's language; '' if the coupon was removed. */
  | { kind: 'couponGone'; code: string; why: string }
  | { kind: 'couponNew'; code: string }
  | { kind: BillPart; now: number; before: number };

const billParts = ['discount', 'shipping', 'tax', 'tip', 'total'] as const;
type BillPart = (typeof billParts)[number];

type Seen = Pick<Order, 'lineItems' | 'bill'>;

export function orderChanges(before: Seen, now: Seen): OrderChange[] {
  const changes = before.lineItems.flatMap((line) => lineChanges(line, now.lineItems));
  const added = now.lineItems.filter(({ id }) => !before.lineItems.some((line) => line.id === id));
  return [
    ...changes,
    ...added.map((line): OrderChange => ({ kind: 'quantity', line, now: line.quantity, before: 0 })),
    ...couponChanges(before.bill, now.bill),
    ...billParts.flatMap((part) => billChange(part, before.bill, now.bill)),
  ];
}

/** The order cannot be placed as it is: an item is no longer available. */
export function isBlocked(changes: readonly OrderChange[]): boolean {
  return changes.some(({ kind }) => kind === 'gone' || kind === 'fewer');
}

function lineChanges(before: LineItem, lines: readonly LineItem[]): OrderChange[] {
  const now = lines.find(({ id }) => id === before.id);
  if (!now) return [{ kind: 'quantity', line: before, now: 0, before: before.quantity }];
  const changes: OrderChange[] = [];
  if (
    now.inventoryProcessingStatus === 'notAvailable' ||
    now.inventoryProcessingStatus === 'processingFailed'
  ) {
    changes.push(
      now.obtainable > 0 && now.obtainable < now.quantity
        ? { kind: 'fewer', line: now, left: now.obtainable }
        : { kind: 'gone', line: now },
    );
  }
  if (now.quantity !== before.quantity)
    changes.push({ kind: 'quantity', line: now, now: now.quantity, before: before.quantity });
  if (now.unitPrice !== before.unitPrice)
    changes.push({ kind: 'price', line: now, now: now.unitPrice, before: before.unitPrice });
  return changes;
}

/** The coupon expired, was used up or no longer applies to the cart; or it was replaced in another tab. */
function couponChanges({ couponCode: before }: Bill, { couponCode: now, coupon }: Bill): OrderChange[] {
  if (before === now) return [];
  const why = coupon?.code === before ? coupon?.message : undefined;
  return [
    ...(before === null ? [] : [{ kind: 'couponGone', code: before, why: why ?? '' } as const]),
    ...(now === null ? [] : [{ kind: 'couponNew', code: now } as const]),
  ];
}

function billChange(part: BillPart, before: Bill, now: Bill): OrderChange[] {
  return before[part] === now[part] ? [] : [{ kind: part, now: now[part], before: before[part] }];
}
