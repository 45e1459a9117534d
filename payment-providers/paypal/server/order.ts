/** https://developer.paypal.com/api/orders/v2/orders-create */
import type {
  CaptureIncompleteReason,
  Order,
  OrderRequest,
  OrdersCapture,
  PaypalWalletExperienceContext,
  ShippingDetails,
} from '@paypal/paypal-server-sdk';
import { locales } from '#contract/locales.ts';
import { decimalAmount } from '#server/modules/payments/providers/amounts.ts';
import {
  type Decision,
  type Decisions,
  decisionName,
  failedWith,
  mostDecisions,
  settledBy,
} from '#server/modules/payments/providers/decisions.ts';
import {
  type Attempt,
  attemptEnded,
  type Charge,
  type PaymentFailure,
  type PaymentOutcome,
  type ShipTo,
} from '#server/modules/payments/providers/provider.ts';
import type { PayPalClient, PayPalRefusal } from './client.ts';
import { captureRefusal, declined, merchantNotes } from './refusals.ts';

/** Currencies that PayPal accepts in whole units only. https://developer.paypal.com/api/rest/reference/currency-codes/ */
const wholeUnits = ['HUF', 'JPY', 'TWD'];

/** @throws {RangeError} for an amount that PayPal cannot represent */
export function orderAmount({ amount, currency }: Pick<Charge, 'amount' | 'currency'>): {
  currencyCode: string;
  value: string;
} {
  return {
    currencyCode: currency,
    value: decimalAmount(amount, currency, wholeUnits.includes(currency) ? 0 : undefined),
  };
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

/** Stored with an approval that was declined while the attempt continues; never shown to a customer. */
const fundingDeclined: PaymentFailure = {
  errorType: 'TRANSACTION_ERROR',
  errorKey: 'payment.paypal.chooseAgain',
};

export interface Approval<D extends Decision | null = Decision> {
  /** The name of its decision: the attempt's reference for the first, then `<reference>:2` and so on. */
  name: string;
  /** From 1. */
  number: number;
  decision: D;
}

type Approvals = ReturnType<typeof createApprovals>;

/**
 * When PayPal declines the chosen funding, its window opens again on the same order and the customer approves once more. Each
 * approval has its own decision (decisions.ts) and so its own request id: PayPal may repeat a refusal to the one that first
 * received it.
 */
export function createApprovals(decisions: Decisions) {
  const isPast = (decision: Decision | null) => decision?.failure?.errorKey === fundingDeclined.errorKey;

  async function current(reference: string): Promise<Approval<Decision | null>> {
    for (let number = 1; ; number++) {
      const name = decisionName(reference, number);
      const decision = await decisions.find(name);
      if (!isPast(decision)) return { name, number, decision };
    }
  }

  return {
    /** The current approval; its decision is null until its capture is sent or it is ended. */
    current,
    async decide(
      reference: string,
      verdict: Decision['verdict'],
      failure?: PaymentFailure,
    ): Promise<Approval> {
      for (;;) {
        const { name, number } = await current(reference);
        const decision = await decisions.decide(name, verdict, failure);
        // Declined in another process meanwhile: the next one is current.
        if (!isPast(decision)) return { name, number, decision };
      }
    },
    /** Another approval may follow. False if this was the last one: the attempt has to end. */
    async declined({ name, number }: Approval): Promise<boolean> {
      // PayPal has a limit of its own.
      if (number >= mostDecisions) return false;
      await decisions.fail(name, fundingDeclined);
      return true;
    },
  };
}

export interface PayPalContext {
  /** The SDK is loaded with the first call. */
  client(): Promise<PayPalClient>;
  decisions: Decisions;
  approvals: Approvals;
}

/** Records that nothing was charged and, since no capture will be sent any more, nothing ever will be. */
export async function failAttempt(
  context: PayPalContext,
  reference: string,
  failure: PaymentFailure,
): Promise<PaymentOutcome> {
  const { name, decision } = await context.approvals.decide(reference, 'end', failure);
  if (decision.verdict === 'charge') await context.decisions.fail(name, failure);
  return settledBy(decision) ?? failedWith(failure);
}

export async function failRefused(
  context: PayPalContext,
  reference: string,
  failure: PaymentFailure,
  refusal: PayPalRefusal,
): Promise<PaymentOutcome> {
  const outcome = await failAttempt(context, reference, failure);
  return outcome.state === 'failed' ? { ...outcome, ...merchantNotes(failure, refusal) } : outcome;
}

async function capture(context: PayPalContext, attempt: Attempt, orderId: string): Promise<PaymentOutcome> {
  const { decision } = await context.approvals.current(attempt.reference);
  // Once a capture may have been sent, its money has to reach the order, whatever is in stock.
  const soldOut = decision === null && attempt.hold !== undefined && !(await attempt.hold());
  if (soldOut) return failAttempt(context, attempt.reference, attemptEnded);
  const approval = await context.approvals.decide(attempt.reference, 'charge');
  const over = settledBy(approval.decision);
  if (over) return over;
  try {
    const order = await (await context.client()).captureOrder(orderId, `${approval.name}:capture`);
    return await outcomeOf(context, attempt, order, false);
  } catch (error) {
    if (error instanceof NotReturned) throw error;
    const refusal = asRefusal(error);
    return refusal
      ? await notCaptured(context, attempt, { approval, orderId, refusal })
      : { state: 'undecided' };
  }
}

async function notCaptured(
  context: PayPalContext,
  attempt: Attempt,
  { approval, orderId, refusal }: { approval: Approval; orderId: string; refusal: PayPalRefusal },
): Promise<PaymentOutcome> {
  const read = captureRefusal(refusal);
  if (read === 'chooseAgain')
    return (await context.approvals.declined(approval))
      ? chooseAgain(orderId)
      : failAttempt(context, attempt.reference, declined);
  if (read !== 'look' && read !== 'unknown') return failRefused(context, attempt.reference, read, refusal);
  const order = await (await context.client()).findOrder(orderId).catch(() => null);
  if (!order) return { state: 'undecided' };
  if (read === 'unknown' && capturesOf(order).length === 0)
    return failAttempt(context, attempt.reference, declined);
  return outcomeOf(context, attempt, order, false);
}

/** Captures the order if only that is missing and `mayCapture`. */
export async function outcomeOf(
  context: PayPalContext,
  attempt: Attempt,
  order: Order,
  mayCapture: boolean,
): Promise<PaymentOutcome> {
  const [taken] = capturesOf(order);
  switch (taken?.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      if (!taken.amount) return { state: 'undecided' };
      return agrees(attempt, taken.amount) ? { state: 'succeeded' } : returnCapture(context, attempt, taken);
    case 'DECLINED':
    case 'FAILED':
      return failAttempt(context, attempt.reference, declined);
    case 'PENDING':
      return { state: 'undecided', ...merchantWait(taken) };
  }
  switch (order.status) {
    case 'APPROVED':
      if (!mayCapture || !order.id) return { state: 'undecided' };
      return agrees(attempt, order.purchaseUnits?.[0]?.amount)
        ? capture(context, attempt, order.id)
        : failAttempt(context, attempt.reference, attemptEnded);
    case 'VOIDED':
      return failAttempt(context, attempt.reference, declined);
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      return chooseAgain(order.id ?? '');
    default:
      return { state: 'undecided' };
  }
}

/**
 * What the merchant has to do at PayPal before a capture is decided; the other reasons wait for PayPal or the buyer.
 * https://developer.paypal.com/docs/api/payments/v2/#definition-capture_status_details
 */
export const merchantWaits: Readonly<Partial<Record<`${CaptureIncompleteReason}`, string>>> = {
  INTERNATIONAL_WITHDRAWAL:
    'accept or refuse it yourself under Activity, since your account has no way to withdraw it',
  RECEIVING_PREFERENCE_MANDATES_MANUAL_ACTION:
    'accept or refuse it yourself under Activity, or let PayPal convert this currency by itself, under Account settings → Payment preferences',
  UNILATERAL: 'confirm the email address of your PayPal account',
  VERIFICATION_REQUIRED: 'verify your PayPal account',
};

function merchantWait({ statusDetails }: OrdersCapture): { waitsForMerchant?: string } {
  const reason = statusDetails?.reason;
  const act = reason && merchantWaits[reason];
  return act ? { waitsForMerchant: `${reason}: ${act}` } : {};
}

/** @throws {NotReturned} the money is there and belongs to no order */
async function returnCapture(
  context: PayPalContext,
  { reference }: Attempt,
  { id = '', status }: OrdersCapture,
): Promise<PaymentOutcome> {
  if (status === 'REFUNDED') return failAttempt(context, reference, attemptEnded);
  const refund = await (await context.client())
    .refundCapture(id, {}, `${reference}:other`)
    .catch((error: unknown) => {
      throw new NotReturned(error instanceof Error ? error.message : String(error));
    });
  if (refund.status === 'FAILED' || refund.status === 'CANCELLED')
    throw new NotReturned(`the refund is ${refund.status}`);
  return failAttempt(context, reference, attemptEnded);
}

/** The next request tries again. */
export class NotReturned extends Error {
  override name = 'NotReturned';

  constructor(why: string) {
    super(`PayPal holds money of another amount than asked for, and does not give it back: ${why}`);
  }
}

export const chooseAgain = (orderId: string): PaymentOutcome => ({
  state: 'action',
  action: { type: 'paypal', token: orderId },
});

export const capturesOf = ({ purchaseUnits = [] }: Order): OrdersCapture[] =>
  purchaseUnits.flatMap(({ payments }) => payments?.captures ?? []);

function agrees(attempt: Attempt, amount: { currencyCode: string; value: string } | undefined): boolean {
  const { currencyCode, value } = orderAmount(attempt);
  return amount?.currencyCode === currencyCode && Number(amount.value) === Number(value);
}

/** By name: importing the class would load the SDK. */
export function asRefusal(error: unknown): PayPalRefusal | null {
  return error instanceof Error && error.name === 'PayPalRefusal' ? (error as PayPalRefusal) : null;
}
