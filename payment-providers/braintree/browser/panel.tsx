import type { Dropin } from 'braintree-web-drop-in';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { locales } from '#contract/locales.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import type { PanelProps, PayCall } from '#web/features/payment/provider-panel.ts';
import { useApi } from '#web/lib/api.ts';
import { failedThreeDSecure, hasThreeDSecure, loadDropin, threeDSecureOptions } from './dropin.ts';

/** The page treats the form as one field, because the form shows the errors inside it. */
const field = 'braintree';

interface Form {
  dropin: Dropin;
  threeDSecure: boolean;
}

/** After a failed payment the form is cleared: it would return the same nonce again. */
export default function BraintreePanel({ ref, order, billing, errors, onErrors, onEdit, onState, busy }: PanelProps) {
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
      const payload = await dropin.requestPaymentMethod(threeDSecure ? threeDSecureOptions(order, billing) : undefined);
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
