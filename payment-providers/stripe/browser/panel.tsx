import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type {
  Appearance,
  PaymentMethodCreateParams,
  Stripe,
  StripeElementLocale,
  StripeElementsOptionsMode,
  StripeError,
  StripePaymentElementOptions,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useImperativeHandle, useMemo, useState, useSyncExternalStore } from 'react';
import { addressDefaults } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { AddressInput, Contact } from '#contract/schemas/order.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import type { PanelProps, PayCall } from '#web/features/payment/provider-panel.ts';
import { useApi } from '#web/lib/api.ts';
import { delayedStripeMethods, stripeAmount } from '../intent-values.ts';

/** The page treats the frame as one field, because the frame shows the errors inside it. */
const field = 'stripe';
const postCodeField = 'billingAddress.postCode';

const dark = '(prefers-color-scheme: dark)';

let shown: { scheme: boolean; appearance: Appearance } | undefined;

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
      amount: stripeAmount(total, currency, { rounds: true }),
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

/** Reads computed token values by their names without dashes, such as `read('color-paper')`. */
type ReadToken = (name: string) => string;

/**
 * Styles Stripe's form like the shop: its frame has no access to our style sheets, so it receives the token values.
 * The frame does not have our fonts either; it uses the next one of the family that it has.
 */
export function appearanceOf(read: ReadToken): Appearance {
  const edge = `1px solid ${read('color-edge')}`;
  return {
    theme: 'flat',
    variables: {
      colorPrimary: read('color-action'),
      accessibleColorOnColorPrimary: read('color-on-action'),
      colorBackground: read('color-raised'),
      colorText: read('color-ink'),
      colorTextSecondary: read('color-ink-soft'),
      colorTextPlaceholder: read('color-ink-soft'),
      colorDanger: read('color-clay'),
      colorSuccess: read('color-action'),
      iconColor: read('color-ink-soft'),
      fontFamily: read('font-sans'),
      fontSizeBase: '18px',
      fontSizeSm: '18px',
      fontSizeXs: '15px',
      fontWeightMedium: read('font-weight-semibold'),
      fontLineHeight: '1.4',
      borderRadius: read('radius-md'),
      gridRowSpacing: '20px',
      gridColumnSpacing: '16px',
    },
    rules: {
      '.Label': { fontWeight: read('font-weight-semibold'), color: read('color-ink'), marginBottom: '6px' },
      '.Input': { border: edge, boxShadow: 'none', padding: '11px 14px' },
      '.Input:hover': { borderColor: read('color-ink') },
      '.Input:focus': { borderColor: read('color-focus'), boxShadow: `0 0 0 2px ${read('color-focus')}` },
      '.Input--invalid': {
        borderColor: read('color-clay'),
        boxShadow: `inset 0 0 0 1px ${read('color-clay')}`,
      },
      '.Error': { color: read('color-clay'), fontSize: '15px' },
      '.Tab': { border: edge, boxShadow: 'none', backgroundColor: read('color-raised') },
      '.Tab--selected': {
        borderColor: read('color-action'),
        backgroundColor: read('color-action-tint'),
        color: read('color-ink'),
        boxShadow: `inset 0 0 0 1px ${read('color-action')}`,
      },
      '.TabIcon--selected': { fill: read('color-ink') },
      '.Block': { border: edge, boxShadow: 'none', backgroundColor: read('color-raised') },
    },
  };
}

function readPage(): Appearance {
  const style = getComputedStyle(document.documentElement);
  return appearanceOf((name) => style.getPropertyValue(`--${name}`).trim());
}

function current(): Appearance {
  const scheme = matchMedia(dark).matches;
  if (shown?.scheme !== scheme) shown = { scheme, appearance: readPage() };
  return shown.appearance;
}

function useAppearance(): Appearance {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(dark);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    current,
    current,
  );
}

/** Inside `Elements`. */
function StripeForm({ ref, order, billing, errors, onErrors, onEdit, onState, busy }: PanelProps) {
  const t = useT();
  const stripe = useStripe();
  const elements = useElements();
  const [refused, setRefused] = useState<string>();
  const contact = order.orderContact ?? order.shippingContact;
  const ownAddress = billing === null;
  const options = useMemo<StripePaymentElementOptions>(
    () => ({
      layout: 'tabs',
      fields: { billingDetails: { address: ownAddress ? 'auto' : 'never' } },
      defaultValues: { billingDetails: knownPayer(contact) },
      readOnly: busy,
    }),
    [contact, busy, ownAddress],
  );

  // A refused postal code is shown at its field, which is in Stripe's form where the page asks for no address.
  const shown = refused ?? (ownAddress ? errors[postCodeField] : undefined);

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
            if (errors[field] || errors[postCodeField]) onEdit([field, postCodeField]);
          }}
        />
      </div>
      {shown && <Notice tone="bad" title={shown} />}
    </>
  );
}

type BillingDetails = PaymentMethodCreateParams.BillingDetails;

/** Stripe's form shows no address fields, since the page does, so every part must be passed, empty ones too. */
export function billingAddressOf(billing: AddressInput): NonNullable<BillingDetails['address']> {
  return {
    line1: billing.streetNumberAndNameDetails ?? billing.streetNumberAndDetails ?? '',
    line2: billing.addressDescription ?? '',
    city: billing.city ?? '',
    state: billing.province ?? '',
    postal_code: billing.postCode ?? '',
    country: billing.countryISOCode || addressDefaults.countryISOCode,
  };
}

/** Radar scores name and email, and some payment methods require them. Without an address of the page, Stripe's form asks for its own. */
export function payerDetails(contact: Contact | null, billing: AddressInput | null): BillingDetails {
  return { ...knownPayer(contact), ...(billing ? { address: billingAddressOf(billing) } : {}) };
}

/** Prefilled if a payment method asks for it. */
export function knownPayer(contact: Contact | null): { name?: string; email?: string; phone?: string } {
  if (!contact) return {};
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  return {
    ...(name ? { name } : {}),
    ...(contact.email ? { email: contact.email } : {}),
    ...(contact.phoneNumber ? { phone: contact.phoneNumber } : {}),
  };
}

/** The customer may leave the page; /payment continues. 'cancelled' also if Stripe still waits: the shop asks again. */
export async function handleNextAction(
  stripe: Pick<Stripe, 'handleNextAction'>,
  token: string,
): Promise<'done' | 'cancelled'> {
  const { paymentIntent, error } = await stripe.handleNextAction({ clientSecret: token });
  const status = paymentIntent?.status ?? error?.payment_intent?.status;
  return status === undefined || status === 'requires_action' ? 'cancelled' : 'done';
}

/** Milliseconds after which the script counts as blocked. */
const patienceMs = 20_000;

/** On request: the plain import would load the script at once. Rejects if the script is blocked, offline or too slow; may be called again then. */
async function loadStripeScript(publishableKey: string, locale: Locale): Promise<Stripe> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error('Stripe did not load in time')), patienceMs);
  });
  try {
    const stripe = await Promise.race([loadStripe(publishableKey, { locale: stripeLocale(locale) }), late]);
    if (!stripe) throw new Error('Stripe is for browsers');
    return stripe;
  } finally {
    clearTimeout(timer);
  }
}

/** If Stripe does not support a language, its form uses the browser's. */
function stripeLocale(locale: Locale): StripeElementLocale {
  return locale as StripeElementLocale;
}
