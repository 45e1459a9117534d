import { Elements } from '@stripe/react-stripe-js';
import type { Stripe, StripeElementsOptionsMode } from '@stripe/stripe-js';
import { useEffect, useMemo, useState } from 'react';
import { useLocale } from '#ui/i18n.tsx';
import type { PanelProps } from '#web/features/payment/provider-panel.ts';
import { useApi } from '#web/lib/api.ts';
import { delayedStripeMethods, stripeAmount } from '../intent-values.ts';
import { useAppearance } from './appearance.ts';
import { StripeForm } from './stripe-form.tsx';
import { loadStripeScript } from './stripe-js.ts';

/** The entered data goes from Stripe's frame to Stripe: https://docs.stripe.com/payments/accept-a-payment-deferred */
export default function StripePanel(props: PanelProps) {
  const { order, onState } = props;
  const locale = useLocale();
  const appearance = useAppearance();
  const stripe = useStripeScript(() => onState('failed'));
  const { total, currency } = order.bill;
  const options = useMemo<StripeElementsOptionsMode>(
    () => ({
      mode: 'payment',
      amount: stripeAmount(total, currency),
      currency: currency.toLowerCase(),
      locale,
      appearance,
      excludedPaymentMethodTypes: [...delayedStripeMethods],
      // The page has a skeleton of its own.
      loader: 'never',
    }),
    [total, currency, locale, appearance],
  );
  if (!stripe) return null;
  return (
    <Elements stripe={stripe} options={options}>
      <StripeForm {...props} />
    </Elements>
  );
}

/** Null until the script has loaded. Remounting tries again. */
function useStripeScript(onFail: () => void): Stripe | null {
  const api = useApi();
  const locale = useLocale();
  const [stripe, setStripe] = useState<Stripe | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per mount
  useEffect(() => {
    let wanted = true;
    api
      .call('stripePublicKey')
      .then(({ publishableKey }) => loadStripeScript(publishableKey, locale))
      .then(
        (loaded) => wanted && setStripe(loaded),
        () => wanted && onFail(),
      );
    return () => {
      wanted = false;
    };
  }, []);
  return stripe;
}
