import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import { chosenMethod, chosenStore, enabledMethods, methodErrors, pickupStores, stillOffered } from '#contract/rules/method.ts';
import { paymentErrors } from '#contract/rules/payment.ts';
import type { CheckoutConfig, Order, PaymentConfig } from '#contract/schemas/order.ts';
import type { PickupLocation, User } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { fieldTexts } from '#web/lib/api-errors.ts';
import { urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldError, focusFirstInvalid } from '#web/ui/field.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ContactFields } from './contact-fields.tsx';
import type { Draft } from './draft.ts';
import { FormSection } from './form-section.tsx';
import { MethodChoice } from './method-choice.tsx';
import { PickupFields } from './pickup-fields.tsx';
import { pickupSlotsQuery, shippingMethodsQuery } from './queries.ts';
import { ShippingFields } from './shipping-fields.tsx';
import { TableFields } from './table-fields.tsx';
import { useCartStock } from './use-cart-stock.ts';
import { type ChangeOrder, useDraft, useSendCheckout } from './use-checkout-form.ts';
import { useUnableMethods } from './use-unable-methods.ts';
import { type CheckoutFacts, chosenShippingMethod } from './validate.ts';

/** `shipping`: cents, null while no price is known. */
export interface CheckoutEstimate {
  method: CheckoutMethod | null;
  shipping: number | null;
}

export interface CheckoutFormProps {
  order: Order;
  config: CheckoutConfig;
  payment: PaymentConfig;
  stores: PickupLocation[];
  /** What to begin with where nothing was typed yet. */
  base: Draft;
  /** Null for a guest. */
  user: User | null;
  change: ChangeOrder;
  /** What the choices made so far come to. */
  onEstimate: (estimate: CheckoutEstimate) => void;
  /** The order has all it needs to be paid. */
  onDone: (order: Order) => void;
}

/** One column: how to get it, where, and whom to call. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { order, config, payment, stores, base, user, change: changeOrder, onEstimate, onDone } = props;
  const t = useT();
  const api = useApi();
  const form = useRef<HTMLFormElement>(null);
  const { draft: kept, errors, setErrors, change, changeMethod } = useDraft(base);
  const draft = { ...kept, methodName: stillOffered(kept.methodName, config) };
  const { choices } = draft;
  const choose = (changes: Partial<Draft['choices']>) => change('choices', changes);
  const stock = useCartStock(order.lineItems);
  const unable = useUnableMethods(order.lineItems, stores, stock);
  const method = chosenMethod(draft.methodName, config);
  const store = chosenStore(choices.pickupStore, pickupStores(stores), config.displayPickupLocations);
  const { countryISOCode: country, province } = draft.address;
  const shipping = useQuery(shippingMethodsQuery(api, order.version, country, province));
  const slots = useQuery(pickupSlotsQuery(api, method === 'pickup' && store ? store.localStoreName : '', choices.pickupDay));
  const shippingMethods = shipping.isPlaceholderData ? undefined : shipping.data;
  const facts: CheckoutFacts = { config, stores, shippingMethods, slots: slots.data };
  const { send, busy, problem } = useSendCheckout({ draft, facts, setErrors, change: changeOrder, onDone });

  const shippingPrice =
    method === 'shipping' ? (chosenShippingMethod(choices.shippingMethod, shipping.data)?.price ?? null) : null;
  useEffect(() => onEstimate({ method, shipping: shippingPrice }), [method, shippingPrice, onEstimate]);

  // Focus moves once the errors of an attempt are on the screen.
  const [attempts, setAttempts] = useState(0);
  const wrong = Object.keys(errors).length;
  useEffect(() => {
    if (attempts > 0) focusFirstInvalid(form.current);
  }, [attempts]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const why = method && unable[method];
    if (why) setErrors({ methodName: why });
    else await send();
    setAttempts((count) => count + 1);
  };

  const setup = fieldTexts({ ...notSetUp(config), ...paymentErrors('online', payment, null) }, t);
  const noPayment = !payment.paymentOnline && !payment.payAtStoreEnabled && order.bill.total > 0;
  const blocked = setup.methodName ?? (noPayment ? setup.paymentMethod : undefined);
  if (blocked) return <NotSetUp reason={blocked} />;

  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-10">
      {problem && (
        <Notice tone="bad" title={problem}>
          {Object.entries(errors).map(([field, text]) => (
            <p key={field}>{text}</p>
          ))}
        </Notice>
      )}
      <FormSection
        title={t(enabledMethods(config).length > 1 ? 'checkout.method.title' : `checkout.method.${method ?? 'shipping'}`)}
      >
        <MethodChoice
          methods={enabledMethods(config)}
          value={method}
          unable={unable}
          error={errors.methodName ?? (method ? unable[method] : undefined)}
          onChange={changeMethod}
        />
      </FormSection>
      {method === 'shipping' && (
        <ShippingFields
          draft={draft}
          methods={shipping.data}
          currency={order.bill.currency}
          errors={errors}
          saved={user?.shippingAddresses}
          onSave={(saveAddress) => choose({ saveAddress: saveAddress ? 'yes' : '' })}
          onAddress={(changes) => change('address', changes)}
          onMethod={(shippingMethod) => choose({ shippingMethod })}
        />
      )}
      {method === 'pickup' && (
        <PickupFields
          choices={choices}
          config={config}
          stores={stores}
          lines={order.lineItems}
          stock={stock}
          errors={errors}
          onChange={choose}
        />
      )}
      {method === 'instore' && (
        <FormSection title={t('checkout.table.title')}>
          <TableFields value={choices} stores={stores} errors={errors} onChange={choose} />
        </FormSection>
      )}
      <FormSection title={t('checkout.contact.title')}>
        <ContactFields
          value={draft.contact}
          method={method}
          config={config}
          errors={errors}
          onChange={(changes) => change('contact', changes)}
        />
      </FormSection>
      <div className="flex flex-col gap-3">
        <FieldError id="checkout-errors">{wrong > 0 && t('checkout.errors', { count: wrong })}</FieldError>
        <div className="flex flex-wrap-reverse items-center justify-between gap-4">
          <LinkButton href={urls.cart()} variant="quiet" className="-ml-2">
            {t('checkout.back')}
          </LinkButton>
          <Button type="submit" busy={busy} className="grow product:grow-0">
            {t('checkout.continue')}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** SPEC §5: 'Checkout method has not been setup'. */
function notSetUp(config: CheckoutConfig) {
  return enabledMethods(config).length === 0 ? methodErrors(null, config) : {};
}

function NotSetUp({ reason }: { reason: string }) {
  const t = useT();
  return (
    <div className="flex flex-col items-start gap-4">
      <Notice tone="bad" title={reason} className="w-full" />
      <LinkButton href={urls.cart()} variant="secondary">
        {t('checkout.back')}
      </LinkButton>
    </div>
  );
}
