import { type RefObject, useRef, useState } from 'react';
import { billingAddressErrors } from '#contract/rules/address.ts';
import { isClean } from '#contract/rules/fields.ts';
import { type PaymentMethod, paymentErrors } from '#contract/rules/payment.ts';
import type { AddressInput, Order, PaymentConfig } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { AddressValue } from '#web/lib/address.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { type FieldTexts, fieldTexts } from '#web/lib/api-errors.ts';
import { isUndecided, type PaymentFailure, paymentFailure } from './failures.ts';
import { type OrderChange, orderChanges } from './order-changes.ts';
import { abandonAttempt, forgetAttempt, rememberAttempt } from './pending.ts';
import type { Paid, PanelHandle } from './provider-panel.ts';

export interface PaymentOptions {
  order: Order;
  config: PaymentConfig;
  choice: PaymentMethod | null;
  /** The provider behind the card gateway. */
  provider: string;
  panel: RefObject<PanelHandle | null>;
  /** What was typed as billing address; null: the shipping address. */
  billing: AddressValue | null;
  setErrors: (errors: FieldTexts) => void;
  /** Asks for the order as it is now. */
  reload: () => Promise<Order | undefined>;
  onPlaced: (orderID: string, payAtStore: boolean) => void;
  /** The shop refused to place the order: what the cart shows may no longer hold. */
  onRefused: () => void;
}

export interface Changed {
  changes: OrderChange[];
  refusals: string[];
  now: Order;
}

/** 'acting': the shopper is at what the provider asked for. */
export type PaymentPhase = 'idle' | 'paying' | 'acting';
/** 'cancelled': by the shopper, nothing was charged. 'undecided': whether it went through is not known yet. */
export type PaymentNews = 'cancelled' | 'undecided';

/**
 * Places the order: paid, to be paid at the store, or with nothing to pay. One attempt at a time: pay, do what the provider
 * asks of the shopper, have the shop ask what became of it. Sending again after a lost answer is safe,
 * since the server knows an attempt that is under way, and a bill it has placed, by its `billVersion`.
 */
export function usePayment(options: PaymentOptions) {
  const { order, config, choice, provider, panel, billing, setErrors, reload, onPlaced, onRefused } = options;
  const t = useT();
  const api = useApi();
  const under = useRef(false);
  const [phase, setPhase] = useState<PaymentPhase>('idle');
  const [failure, setFailure] = useState<PaymentFailure>();
  const [news, setNews] = useState<PaymentNews>();
  const [changed, setChanged] = useState<Changed>();

  const end = () => {
    under.current = false;
    setPhase('idle');
  };

  /** Runs one attempt, unless one is under way. Whatever it throws is explained as `judge` reads it. */
  const attempt = async (seen: Order, work: () => Promise<void>, judge = paymentFailure) => {
    if (under.current) return;
    under.current = true;
    setPhase('paying');
    setFailure(undefined);
    setChanged(undefined);
    // What is not decided stays so until it is.
    setNews((old) => (old === 'undecided' ? old : undefined));
    try {
      await work();
    } catch (error) {
      const undecided = isUndecided(error);
      setNews(undecided ? 'undecided' : undefined);
      if (!undecided) forgetAttempt();
      onRefused();
      await explain(judge(error), seen);
      end();
    }
  };

  const explain = async (found: PaymentFailure, seen: Order) => {
    if (found.kind === 'changed') {
      const now = (await reload()) ?? seen;
      const changes = orderChanges(seen, now);
      const named = new Set(changes.flatMap((change) => ('line' in change ? [`lineItems.${change.line.sku}`] : [])));
      const refusals = Object.entries(found.fields).flatMap(([field, text]) => (named.has(field) ? [] : [text]));
      setChanged({ changes, refusals, now });
      return;
    }
    if (found.kind === 'fields' || found.kind === 'popup') setErrors(found.fields);
    setFailure(found);
  };

  /** The page stays busy until the confirmation is there. */
  const placed = (orderID: string, atStore = false) => {
    forgetAttempt();
    onPlaced(orderID, atStore);
  };

  /** Has the shopper do what is asked, until there is an order or the shopper gives up. */
  const follow = async (first: Paid, asked: string) => {
    let paid = first;
    while (paid.orderID === null && paid.action) {
      setPhase('acting');
      // Without its panel (a page that was reloaded, and the script is blocked) nothing can be asked.
      const done = panel.current ? await panel.current.act(paid.action) : 'cancelled';
      setPhase('paying');
      if (done === 'cancelled') return giveCartBack();
      paid = await api.call('resumePayment', { body: { provider: asked } });
    }
    if (paid.orderID !== null) return placed(paid.orderID);
    setNews('undecided');
    end();
  };

  const giveCartBack = async () => {
    const after = await abandonAttempt(api);
    if (after.placedAt !== null && after.orderID) return placed(after.orderID);
    await reload();
    setNews('cancelled');
    end();
  };

  const pay = (seen: Order = order) =>
    attempt(seen, async () => {
      const free = seen.bill.total === 0;
      const online = choice === 'online' && !free;
      const found = {
        ...(free ? {} : paymentErrors(choice, config, seen.method)),
        ...(online && billing ? billingAddressErrors(billing) : {}),
      };
      setErrors(fieldTexts(found, t));
      const payCall = online ? await panel.current?.prepare() : null;
      const { billVersion } = seen.bill;
      if (!isClean(found)) return end();
      if (free || choice === 'payAtStore') {
        const { orderID } = await api.call('reserve', { body: { billVersion } });
        return placed(orderID, !free);
      }
      if (!payCall) return end();
      rememberAttempt(provider);
      const agreed = { billVersion, billingAddress: addressOf(billing, seen) };
      await follow(await payCall(api, agreed), provider);
    });

  return {
    phase,
    failure,
    news,
    changed,
    pay,
    attempt,
    follow,
    placed,
    /** Goes on with an attempt of before: after a reload, or once more after an answer that was none. */
    resume: (asked: string) =>
      attempt(order, async () => {
        rememberAttempt(asked);
        await follow(await api.call('resumePayment', { body: { provider: asked } }), asked);
      }),
    /** Ends what is under way but asks nothing more of the server. */
    rest: end,
    closeFailure: () => setFailure(undefined),
    closeChanged: () => setChanged(undefined),
    closeNews: () => setNews(undefined),
  };
}

/** Where the payer is: what was typed, else where the order goes; nothing where neither is known. */
export function addressOf(billing: AddressValue | null, order: Pick<Order, 'shippingAddress'>): AddressInput {
  return billing ?? (order.shippingAddress ? { ...order.shippingAddress } : {});
}
