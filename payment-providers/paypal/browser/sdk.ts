/** https://developer.paypal.com/sdk/js/configuration/ · https://developer.paypal.com/sdk/js/reference/ */
import { type Locale, locales } from '#contract/locales.ts';
import { loadScript } from '#web/features/payment/script.ts';

export interface PayPalButtons {
  isEligible(): boolean;
  render(into: HTMLElement): Promise<void>;
  close(): Promise<void>;
}

export interface ButtonsOptions {
  fundingSource: string;
  style: { height: number; shape: 'rect'; color: 'gold' };
  createOrder(): Promise<string>;
  /** `restart` opens PayPal's window again for the same order. */
  onApprove(data: { orderID: string; payerID?: string | null }, actions: { restart(): void }): Promise<void>;
  onCancel(): void;
  onError(error: unknown): void;
}

export interface PayPalSdk {
  FUNDING: { PAYPAL: string };
  Buttons(options: ButtonsOptions): PayPalButtons;
}

declare global {
  interface Window {
    paypal?: PayPalSdk;
  }
}

/** Currency and language are part of the script's address. */
export async function loadPayPal(clientId: string, currency: string, locale: Locale): Promise<PayPalSdk> {
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
