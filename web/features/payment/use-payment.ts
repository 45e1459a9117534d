import { useQuery } from '@tanstack/react-query';
import { type Dispatch, type RefObject, useRef } from 'react';
import type { FieldErrors } from '#contract/errors.ts';
import { addressErrors } from '#contract/rules/address.ts';
import { isClean } from '#contract/rules/fields.ts';
import { type PaymentMethod, paymentErrors } from '#contract/rules/payment.ts';
import type { AddressInput, Order } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import { type FieldTexts, fieldTexts } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { type AddressValue, askedParts } from '#web/lib/address.ts';
import { addressFormQuery } from '#web/lib/address-form.ts';
import { type ApiClient, useApi } from '#web/lib/api.ts';
import { reserve } from '#web/lib/reserve.ts';
import {
  type ChangesReview,
  isUndecided,
  orderChanges,
  type PaymentEvent,
  type PaymentFailure,
  paymentFailure,
  walletFailure,
} from './payment-state.ts';
import type { Paid, PanelHandle, WalletProps } from './provider-panel.ts';
import type { PageWallet } from './registry.ts';
import { abandonAttempt, forgetAttempt, rememberAttempt } from './remembered-attempt.ts';

interface PaymentOptions extends AttemptOptions {
  order: Order;
  config: PaymentConfig;
  choice: PaymentMethod | null;
  provider: string;
  panel: RefObject<PanelHandle | null>;
  billing: AddressValue | null;
  onPlaced: (orderID: string, payAtStore: boolean) => void;
}

/** An attempt pays, has the customer act, then asks for the outcome. Sending again is safe: the server knows a bill by its `billVersion`. */
export function usePayment(options: PaymentOptions) {
  const { order, config, choice, provider, panel, billing, due, setErrors } = options;
  const t = useT();
  const api = useApi();
  const addressForm = useQuery(addressFormQuery(api, billing?.countryISOCode ?? '')).data;
  const { run, end } = useAttempt(options);
  const { placed, follow } = useFollow(options, end);

  const pay = (seen: Order = order) =>
    run(seen, async () => {
      const free = seen.bill.total === 0;
      const online = choice === 'online' && !free;
      const found: FieldErrors = {
        ...(free ? {} : paymentErrors(choice, config, seen.method)),
        ...(online && billing ? addressErrors(billing, 'billingAddress', addressForm) : {}),
      };
      setErrors(fieldTexts(found, t));
      // The panel validates its own fields even if others have errors, so that all errors show at once.
      const payCall = online ? await panel.current?.prepare() : null;
      const { billVersion } = seen.bill;
      if (!isClean(found)) return end({ type: 'attemptStopped' });
      if (free || choice === 'payAtStore') {
        const { orderID } = await reserve(api, seen);
        return placed(orderID, !free);
      }
      if (!payCall) return end({ type: 'attemptStopped' });
      rememberAttempt(provider, due);
      const typed = billing && askedParts(billing, addressForm);
      const agreed = { billVersion, billingAddress: payerAddress(typed, seen) };
      await follow(await payCall(api, agreed), provider);
    });

  /** Continues an earlier attempt: after a reload, or after a call without an answer. */
  const resume = (attempted: string) =>
    run(order, async () => {
      rememberAttempt(attempted, due);
      await follow(await askOutcome(api, attempted, due), attempted);
    });

  return { pay, resume, run, end, follow, placed };
}

/** Handles the answer of a call that pays: the provider's steps, then the confirmation or the cart. */
function useFollow(
  { dispatch, panel, reload, due, onPlaced }: PaymentOptions,
  end: (event: PaymentEvent) => void,
) {
  const api = useApi();

  const placed = (orderID: string, atStore = false) => {
    forgetAttempt(due);
    onPlaced(orderID, atStore);
  };
  const giveUp = async () => {
    const paid = paidOrder(await abandonAttempt(api, due));
    if (paid !== null) return placed(paid);
    await reload();
    end({ type: 'attemptCancelled' });
  };
  /** Has the customer do what the provider asks for, until the order is placed or the customer gives up. */
  const follow = async (first: Paid, attempted: string) => {
    let paid = first;
    while (paid.orderID === null && paid.action) {
      dispatch({ type: 'actionAsked' });
      // After a reload with a blocked provider script there is no panel that could run the step.
      const done = panel.current ? await panel.current.act(paid.action) : 'cancelled';
      dispatch({ type: 'actionEnded' });
      if (done === 'cancelled') return giveUp();
      paid = await askOutcome(api, attempted, due);
    }
    if (paid.orderID !== null) return placed(paid.orderID);
    end({ type: 'outcomeUnknown' });
  };
  return { placed, follow };
}

const askOutcome = (api: ApiClient, provider: string, due: string | undefined) =>
  api.call('resumePayment', { body: { provider, ...(due === undefined ? {} : { dueVersion: due }) } });

/** The id of an order that was paid before its payment could be ended; null if it was ended. */
const paidOrder = ({ placedAt, orderID, dueVersion }: Order) =>
  placedAt !== null && dueVersion === undefined ? orderID : null;

/** The payer's address: the typed billing address, else the shipping address; empty if neither is known. */
export function payerAddress(
  billing: AddressValue | null,
  order: Pick<Order, 'shippingAddress'>,
): AddressInput {
  return billing ?? (order.shippingAddress ? { ...order.shippingAddress } : {});
}

interface AttemptOptions {
  /** See `PaymentScreen`. */
  due: string | undefined;
  dispatch: Dispatch<PaymentEvent>;
  setErrors: (errors: FieldTexts) => void;
  reload: () => Promise<Order | undefined>;
  onRejected: () => void;
}

/** Runs one payment attempt at a time, and shows why it failed. */
function useAttempt({ due, dispatch, setErrors, reload, onRejected }: AttemptOptions) {
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
  /** `work` ends the attempt with `end`, or throws what `explain` turns into a failure. `seen`: the order that the customer saw. */
  const run = async (seen: Order, work: () => Promise<void>, explain = paymentFailure) => {
    if (running.current) return;
    running.current = true;
    dispatch({ type: 'attemptStarted' });
    try {
      await work();
    } catch (error) {
      const undecided = isUndecided(error);
      if (!undecided) forgetAttempt(due);
      onRejected();
      await fail(explain(error), undecided, seen);
    }
  };
  return { run, end };
}

function reviewChanges(seen: Order, now: Order, rejected: FieldTexts): ChangesReview {
  const changes = orderChanges(seen, now);
  const explained = new Set(
    changes.flatMap((change) => ('line' in change ? [`lineItems.${change.line.sku}`] : [])),
  );
  const refusals = Object.entries(rejected).flatMap(([path, text]) => (explained.has(path) ? [] : [text]));
  return { changes, refusals, now };
}

type Payment = ReturnType<typeof usePayment>;

/** Null if none is chosen. Each of its steps is a step of the payment (SPEC §4: cancelling leads back to checkout). */
export function useWallet(
  wallet: PageWallet | undefined,
  { run, end, follow, placed }: Payment,
  { order, due }: Pick<PaymentOptions, 'order' | 'due'>,
  onCancelled: () => void,
): Pick<WalletProps, 'createToken' | 'onApprove' | 'onCancel' | 'onError'> | null {
  const t = useT();
  const api = useApi();
  if (!wallet) return null;
  const { messages } = wallet;
  const tokenFailure = (error: unknown) => walletFailure(error, t(messages.invalid));
  return {
    async createToken() {
      let token: string | undefined;
      await run(
        order,
        async () => {
          rememberAttempt(wallet.name, due);
          token = await wallet.requestToken(api, order.bill.billVersion);
          // The wallet's own window is in front now; a customer who leaves it may pay in another way.
          end({ type: 'attemptStopped' });
        },
        tokenFailure,
      );
      if (token === undefined) throw new Error('The wallet has no token');
      return token;
    },

    async onApprove(approval) {
      let next: 'answered' | 'chooseAgain' = 'answered';
      await run(order, async () => {
        const paid = await wallet.approve(api, approval, due);
        if (!paid.action) return follow(paid, wallet.name);
        next = 'chooseAgain';
        end({ type: 'attemptStopped' });
      });
      return next;
    },

    onCancel: () =>
      void run(order, async () => {
        const paid = paidOrder(await abandonAttempt(api, due));
        if (paid !== null) return placed(paid);
        onCancelled();
      }),

    onError: () =>
      void run(
        order,
        async () => {
          await abandonAttempt(api, due);
          throw new Error('The wallet failed');
        },
        () => ({ kind: 'notice', words: t(messages.invalid) }),
      ),
  };
}
