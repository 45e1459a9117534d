import { useEffect, useRef } from 'react';
import { type Locale, locales } from '#contract/locales.ts';
import { useLocale } from '#ui/i18n.tsx';
import { loadScript, type WalletProps } from '#web/features/payment/provider-panel.ts';
import { useApi } from '#web/lib/api.ts';

declare global {
  interface Window {
    paypal?: PayPalSdk;
  }
}

/** Px, of the 25 to 55 that PayPal allows: the height of the shop's own buttons. */
const height = 52;

export default function PayPalButton(props: WalletProps) {
  const { order, onState, busy } = props;
  const { currency } = order.bill;
  const api = useApi();
  const locale = useLocale();
  const place = useRef<HTMLDivElement>(null);
  // The button outlives the bill it was rendered with; it pays the bill that is shown when it is pressed.
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    let wanted = true;
    let buttons: PayPalButtons | undefined;
    const show = async () => {
      const { payPalPaymentOption: option } = await api.call('payPalOption');
      const clientId = option.testingMode ? option.sandBoxClientID : option.prodClientID;
      const sdk = await loadPayPal(clientId, currency, locale);
      if (!wanted || !place.current) return;
      buttons = createButtons(sdk, latest);
      if (!buttons.isEligible()) throw new Error('PayPal cannot be used here');
      await buttons.render(place.current);
      if (wanted) onState('ready');
    };
    show().catch(() => wanted && onState('failed'));
    return () => {
      wanted = false;
      void buttons?.close().catch(() => {});
    };
  }, [api, currency, locale, onState]);

  // The window is in front while it is open, and must not open twice.
  return <div ref={place} inert={busy} className="min-h-13" />;
}

function createButtons(sdk: PayPalSdk, latest: { readonly current: WalletProps }): PayPalButtons {
  // PayPal reports the error that createOrder throws, which has been explained by then.
  let explained = false;
  return sdk.Buttons({
    fundingSource: sdk.FUNDING.PAYPAL,
    style: { height, shape: 'rect', color: 'gold' },
    async createOrder() {
      explained = false;
      try {
        return await latest.current.createToken();
      } catch (error) {
        explained = true;
        throw error;
      }
    },
    async onApprove({ orderID, payerID }, { restart }) {
      const next = await latest.current.onApprove({ paymentId: orderID, payerID: payerID ?? '' });
      // PayPal's window shows what was declined, and offers the customer's other cards and accounts.
      if (next === 'chooseAgain') restart();
    },
    onCancel: () => latest.current.onCancel(),
    onError(error) {
      if (!explained) latest.current.onError(error);
    },
  });
}

interface PayPalButtons {
  isEligible(): boolean;
  render(into: HTMLElement): Promise<void>;
  close(): Promise<void>;
}

interface ButtonsOptions {
  fundingSource: string;
  style: { height: number; shape: 'rect'; color: 'gold' };
  createOrder(): Promise<string>;
  /** `restart` opens PayPal's window again for the same order. */
  onApprove(data: { orderID: string; payerID?: string | null }, actions: { restart(): void }): Promise<void>;
  onCancel(): void;
  onError(error: unknown): void;
}

interface PayPalSdk {
  FUNDING: { PAYPAL: string };
  Buttons(options: ButtonsOptions): PayPalButtons;
}

/**
 * https://developer.paypal.com/sdk/js/configuration/ · https://developer.paypal.com/sdk/js/reference/
 * Currency and language are part of the script's address.
 */
async function loadPayPal(clientId: string, currency: string, locale: Locale): Promise<PayPalSdk> {
  const address = new URL('https://www.paypal.com/sdk/js');
  address.search = new URLSearchParams({
    'client-id': clientId,
    components: 'buttons',
    currency,
    intent: 'capture',
    locale: locales[locale].tag.replace('-', '_'),
  }).toString();
  await loadScript(address.href);
  if (!window.paypal) throw new Error("PayPal's script has run, but is not there");
  return window.paypal;
}
