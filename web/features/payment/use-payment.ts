import { useRef, useState } from 'react';
import { addressErrors } from '#contract/rules/address.ts';
import { cardErrors } from '#contract/rules/card.ts';
import { isClean } from '#contract/rules/fields.ts';
import { type PaymentMethod, paymentErrors } from '#contract/rules/payment.ts';
import type { Address, Order, PaymentConfig } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { AddressValue } from '#web/lib/address.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { type FieldTexts, fieldTexts } from '#web/lib/refusals.ts';
import type { CardValue } from './card-form.tsx';
import { type PaymentFailure, paymentFailure } from './failures.ts';
import { type OrderChange, orderChanges } from './order-changes.ts';

export interface PaymentForm {
  choice: PaymentMethod | null;
  card: CardValue;
  /** Null: the shipping address. */
  billing: AddressValue | null;
}

interface PaymentOptions {
  order: Order | undefined;
  config: PaymentConfig | undefined;
  form: PaymentForm;
  setErrors: (errors: FieldTexts) => void;
  /** Asks for the order as it is now. */
  reload: () => Promise<Order | undefined>;
  onPlaced: (orderID: string, payAtStore: boolean) => void;
}

export interface Changed {
  changes: OrderChange[];
  refusals: string[];
  now: Order;
}

/**
 * Places the order, paid or to be paid at the store. One attempt at a time; sending again after a lost
 * answer is safe, since the server knows a bill it has placed by its `billVersion`.
 */
export function usePayment({ order, config, form, setErrors, reload, onPlaced }: PaymentOptions) {
  const t = useT();
  const api = useApi();
  const under = useRef(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<PaymentFailure>();
  const [changed, setChanged] = useState<Changed>();

  const place = async (seen: Order, gatewayName: string) => {
    const { billVersion } = seen.bill;
    if (form.choice === 'payAtStore') return api.call('reserve', { body: { billVersion } });
    const { cardHolderName, creditCardNumber, cardCode, expirationMonth, expirationYear } = form.card;
    return api.call('postBilling', {
      params: { gatewayName },
      body: {
        paymentInstrucment: { cardHolderName, creditCardNumber, cardCode, expirationMonth, expirationYear },
        billingAddress: form.billing ?? plainAddress(seen.shippingAddress),
        billVersion,
      },
    });
  };

  const attempt = async (seen: Order, gatewayName: string) => {
    if (under.current) return;
    under.current = true;
    setBusy(true);
    setFailure(undefined);
    setChanged(undefined);
    try {
      const { orderID } = await place(seen, gatewayName);
      // The button stays busy until the confirmation is there.
      onPlaced(orderID, form.choice === 'payAtStore');
    } catch (error) {
      await explain(paymentFailure(error), seen);
      under.current = false;
      setBusy(false);
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

  const pay = async (seen: Order | undefined = order) => {
    if (!seen || !config || busy) return;
    const errors = { ...paymentErrors(form.choice, config, seen.method), ...(form.choice === 'online' ? formErrors(form) : {}) };
    setErrors(fieldTexts(errors, t));
    if (isClean(errors)) await attempt(seen, config.defaultGateWayProviderName);
  };

  return { pay, busy, failure, closeFailure: () => setFailure(undefined), changed, closeChanged: () => setChanged(undefined) };
}

function formErrors({ card, billing }: PaymentForm) {
  return { ...cardErrors(card, Date.now()), ...(billing ? addressErrors(billing, 'billingAddress') : {}) };
}

/** An address of an order, as a call takes it. */
function plainAddress(address: Address | null) {
  return address ? { ...address } : {};
}
