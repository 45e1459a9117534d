import type { Dropin, Options, PaymentMethodOptions, PaymentMethodPayload } from 'braintree-web-drop-in';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { locales } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import type { AddressInput, Order } from '#contract/schemas/order.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { loadScript, type PanelProps, type PayCall } from '#web/features/payment/provider-panel.ts';
import { useApi } from '#web/lib/api.ts';

/** Those on Braintree's host match braintree-web-drop-in on npm; this is the newest of November 2026. */
const version = '1.48.0';

/** The page treats the form as one field, because the form shows the errors inside it. */
const field = 'braintree';

interface Form {
  dropin: Dropin;
  threeDSecure: boolean;
}

/** After a failed payment the form is cleared: it would return the same nonce again. */
export default function BraintreePanel({
  ref,
  order,
  billing,
  errors,
  onErrors,
  onEdit,
  onState,
  busy,
}: PanelProps) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const form = useDropin(place, onState, () => onEdit([field]));
  const handedOut = useRef(false);

  useEffect(() => {
    if (busy || !handedOut.current) return;
    handedOut.current = false;
    form.current?.dropin.clearSelectedPaymentMethod();
  }, [busy, form]);

  /** `text` is shown under the form if the form itself shows nothing. */
  const refuse = (text: string): null => {
    onErrors({ [field]: text });
    return null;
  };

  const prepare = async (): Promise<PayCall | null> => {
    if (!form.current) return null;
    const { dropin, threeDSecure } = form.current;
    onErrors({});
    // The form is incomplete: requesting the nonce makes it mark its own fields.
    const filled = dropin.isPaymentMethodRequestable();
    try {
      const payload = await dropin.requestPaymentMethod(
        threeDSecure ? threeDSecureOptions(order, billing) : undefined,
      );
      handedOut.current = true;
      if (failedThreeDSecure(payload)) return refuse(t('payment.notVerified'));
      const { nonce, deviceData } = payload;
      // Absent if a content blocker stopped the data collector.
      const input = { payment_method_nonce: nonce, ...(deviceData ? { deviceData } : {}) };
      return (api, agreed) => api.call('payByBraintree', { body: { ...input, ...agreed } });
    } catch {
      if (!filled) return refuse(t('payment.error.validation.text'));
      handedOut.current = true;
      return refuse(t(threeDSecure ? 'payment.notVerified' : 'payment.cardAgain'));
    }
  };

  useImperativeHandle(ref, () => ({
    prepare,
    // The server asks for nothing more: 3-D Secure is part of the form.
    act: async () => 'done',
  }));

  return (
    <>
      <div ref={place} className="min-h-70" />
      {errors[field] && <Notice tone="bad" title={errors[field]} />}
    </>
  );
}

/** Null until the form is ready. Remounting tries again. */
function useDropin(
  place: RefObject<HTMLDivElement | null>,
  onState: PanelProps['onState'],
  onEdit: () => void,
): RefObject<Form | null> {
  const api = useApi();
  const locale = useLocale();
  const form = useRef<Form | null>(null);
  const edited = useRef(onEdit);
  useEffect(() => {
    edited.current = onEdit;
  });
  useEffect(() => {
    let wanted = true;
    const show = async () => {
      const [script, { token }] = await Promise.all([loadDropin(), api.call('braintreeToken')]);
      if (!wanted || !place.current) return;
      const threeDSecure = hasThreeDSecure(token);
      // A container of its own, because the form rejects one that is not empty.
      const container = place.current.appendChild(document.createElement('div'));
      const dropin = await script.create({
        authorization: token,
        container,
        locale: locales[locale].tag.replace('-', '_'),
        threeDSecure,
        dataCollector: true,
      });
      if (!wanted) return void dropin.teardown().catch(() => {});
      form.current = { dropin, threeDSecure };
      dropin.on('card:focus', () => edited.current());
      onState('ready');
    };
    show().catch(() => wanted && onState('failed'));
    return () => {
      wanted = false;
      void form.current?.dropin.teardown().catch(() => {});
      form.current = null;
    };
  }, [api, locale, onState, place]);
  return form;
}

/**
 * https://developer.paypal.com/braintree/docs/guides/3d-secure/client-side/javascript/v3/
 * The more data the bank has, the less often it asks. Names must be ASCII; others are left out rather than transliterated.
 */
export function threeDSecureOptions(
  { bill, orderContact, shippingContact }: Order,
  billing: AddressInput | null,
): PaymentMethodOptions {
  const contact = orderContact ?? shippingContact;
  const billingAddress = {
    givenName: ascii(contact?.firstName),
    surname: ascii(contact?.lastName),
    streetAddress: ascii(billing?.streetNumberAndNameDetails ?? billing?.streetNumberAndDetails),
    locality: ascii(billing?.city),
    postalCode: ascii(billing?.postCode),
    countryCodeAlpha2: ascii(billing?.countryISOCode),
  };
  return {
    threeDSecure: {
      amount: decimalText(bill.total, bill.currency),
      email: contact?.email || undefined,
      billingAddress: Object.fromEntries(
        Object.entries(billingAddress).filter(([, value]) => value !== undefined),
      ),
    },
  };
}

/** Whether the bank asked and got no correct answer. Cards that do not take part in 3-D Secure do not fail. */
export function failedThreeDSecure(payload: PaymentMethodPayload): boolean {
  return (
    payload.type === 'CreditCard' &&
    payload.liabilityShiftPossible === true &&
    payload.liabilityShifted === false
  );
}

function ascii(text: string | undefined): string | undefined {
  return text && /^[ -~]{1,50}$/.test(text) ? text : undefined;
}

interface DropinScript {
  create(options: Options): Promise<Dropin>;
}

/** From Braintree's own host: its terms for cards require that, and the package would add 65 MB of loaders. */
async function loadDropin(): Promise<DropinScript> {
  await loadScript(`https://js.braintreegateway.com/web/dropin/${version}/js/dropin.min.js`);
  const { braintree } = window as { braintree?: { dropin?: DropinScript } };
  if (!braintree?.dropin) throw new Error("Braintree's script has run, but is not there");
  return braintree.dropin;
}

/** Whether the account has 3-D Secure, from the client token (base64 of JSON). */
export function hasThreeDSecure(clientToken: string): boolean {
  try {
    return (JSON.parse(atob(clientToken)) as { threeDSecureEnabled?: unknown }).threeDSecureEnabled === true;
  } catch {
    return false;
  }
}
