import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeError, StripePaymentElementOptions } from '@stripe/stripe-js';
import { useImperativeHandle, useMemo, useState } from 'react';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import type { PanelProps, PayCall } from '#web/features/payment/provider-panel.ts';
import { handleNextAction, knownPayer, payerDetails } from './stripe-js.ts';

/** The page treats the frame as one field, because the frame shows the errors inside it. */
const field = 'stripe';

/** Inside `Elements`. */
export function StripeForm({ ref, order, billing, errors, onErrors, onEdit, onState, busy }: PanelProps) {
  const t = useT();
  const stripe = useStripe();
  const elements = useElements();
  const [refused, setRefused] = useState<string>();
  const contact = order.orderContact ?? order.shippingContact;
  const options = useMemo<StripePaymentElementOptions>(
    () => ({
      layout: 'tabs',
      fields: { billingDetails: { address: 'never' } },
      defaultValues: { billingDetails: knownPayer(contact) },
      readOnly: busy,
    }),
    [contact, busy],
  );

  /** Errors that the frame does not show are shown under it. */
  const explain = ({ type, message }: StripeError): null => {
    const text = message ?? t('payment.error.validation.text');
    if (type !== 'validation_error') setRefused(text);
    onErrors({ [field]: text });
    return null;
  };

  const prepare = async (): Promise<PayCall | null> => {
    if (!stripe || !elements) return null;
    setRefused(undefined);
    // Before anything else: wallets open only in direct response to a button press.
    const { error: invalid } = await elements.submit();
    if (invalid) {
      elements.getElement('payment')?.focus();
      return explain(invalid);
    }
    const { confirmationToken, error } = await stripe.createConfirmationToken({
      elements,
      params: {
        payment_method_data: { billing_details: payerDetails(contact, billing) },
        return_url: location.origin + location.pathname + location.search,
      },
    });
    if (error) return explain(error);
    onErrors({});
    const { id } = confirmationToken;
    return (api, agreed) => api.call('payByStripe', { body: { confirmationToken: id, ...agreed } });
  };

  useImperativeHandle(ref, () => ({
    prepare,
    act: async ({ token }) => (stripe ? handleNextAction(stripe, token) : 'cancelled'),
  }));

  return (
    <>
      {/* Its frame uses the colours of our scheme but declares itself light: on a dark page browsers would draw a white
         background behind it. */}
      <div className="scheme-light">
        <PaymentElement
          options={options}
          onReady={() => onState('ready')}
          onLoadError={() => onState('failed')}
          onChange={() => {
            setRefused(undefined);
            if (errors[field]) onEdit([field]);
          }}
        />
      </div>
      {refused && <Notice tone="bad" title={refused} />}
    </>
  );
}
