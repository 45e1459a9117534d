import { type Dispatch, useRef } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { isUndecided, type PaymentFailure, paymentFailure } from './failures.ts';
import { orderChanges } from './order-changes.ts';
import type { ChangesReview, PaymentEvent } from './payment-state.ts';
import { forgetAttempt } from './remembered-attempt.ts';

export interface AttemptOptions {
  dispatch: Dispatch<PaymentEvent>;
  setErrors: (errors: FieldTexts) => void;
  /** Reloads the order. */
  reload: () => Promise<Order | undefined>;
  /** The shop did not place the order, so the displayed cart may be outdated. */
  onRejected: () => void;
}

/** Runs one payment attempt at a time, and shows why it failed. */
export function useAttempt({ dispatch, setErrors, reload, onRejected }: AttemptOptions) {
  const running = useRef(false);

  const end = (event: PaymentEvent) => {
    running.current = false;
    dispatch(event);
  };
  const fail = async (failure: PaymentFailure, undecided: boolean, seen: Order) => {
    if (failure.kind === 'changed') {
      const now = (await reload()) ?? seen;
      return end({ type: 'orderChanged', review: reviewChanges(seen, now, failure.fields) });
    }
    if (failure.kind === 'fields' || failure.kind === 'popup') setErrors(failure.fields);
    end({ type: 'attemptFailed', failure, undecided });
  };
  /**
   * Runs `work` unless an attempt is under way. `work` ends the attempt with `end`, or throws what `explain` turns into a
   * failure. `seen`: the order that the customer saw.
   */
  const run = async (seen: Order, work: () => Promise<void>, explain = paymentFailure) => {
    if (running.current) return;
    running.current = true;
    dispatch({ type: 'attemptStarted' });
    try {
      await work();
    } catch (error) {
      const undecided = isUndecided(error);
      if (!undecided) forgetAttempt();
      onRejected();
      await fail(explain(error), undecided, seen);
    }
  };
  return { run, end };
}

/** The differences between two orders, and the rejected lines that they do not explain. */
function reviewChanges(seen: Order, now: Order, rejected: FieldTexts): ChangesReview {
  const changes = orderChanges(seen, now);
  const explained = new Set(changes.flatMap((change) => ('line' in change ? [`lineItems.${change.line.sku}`] : [])));
  const refusals = Object.entries(rejected).flatMap(([path, text]) => (explained.has(path) ? [] : [text]));
  return { changes, refusals, now };
}
