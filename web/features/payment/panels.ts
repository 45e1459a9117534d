/**
 * The ways to pay online, as the payment page sees them. Each is a chunk of its own, fetched when the
 * shopper comes to it; only then does it load its provider's script (`script.ts`).
 */
import type { ComponentType, Ref } from 'react';
import type { AddressInput, Order, PaymentInstrument } from '#contract/schemas/order.ts';
import type { PaymentAction } from '#contract/schemas/payment.ts';
import type { FieldTexts } from '#web/lib/api-errors.ts';

/** The call that pays, and what the panel gives to it. The page adds `billVersion` and `billingAddress`. */
export type PanelInput =
  | { call: 'postBilling'; body: { paymentInstrucment: PaymentInstrument } }
  | { call: 'payByStripe'; body: { confirmationToken: string } }
  | { call: 'payByBraintree'; body: { payment_method_nonce: string; deviceData?: string } };

/** 'failed': the provider's script cannot be had. The page then says so and offers to try again, which mounts the panel anew. */
export type PanelState = 'loading' | 'ready' | 'failed';

export interface PanelHandle {
  /** Validates, and collects what the call takes. Null: something is wrong and shown by the panel or by `onErrors`. */
  prepare(): Promise<PanelInput | null>;
  /**
   * Does what the provider asks of the shopper. 'done': the shop asks the provider what became of it.
   * 'cancelled': the shopper gave up. Throws what `paymentFailure` explains (an `ApiError`).
   */
  act(action: PaymentAction): Promise<'done' | 'cancelled'>;
}

export interface PanelProps {
  ref: Ref<PanelHandle>;
  /** With the bill as it now is: cents and currency. It may change while the panel stands. */
  order: Order;
  /** Who pays from where: what was typed as billing address, else the shipping address. Not yet checked. */
  billing: AddressInput;
  /** What is wrong with which field, by its path in the call; counted and announced by the page. */
  errors: FieldTexts;
  /** Marks fields, in place of all the panel marked before. */
  onErrors: (errors: FieldTexts) => void;
  /** Fields that the shopper edits: what was said of them is over. */
  onEdit: (fields: string[]) => void;
  /** To be told once the panel can be used, or that it cannot. Until then a skeleton stands in its place. */
  onState: (state: PanelState) => void;
  /** A payment is under way: nothing may be edited. */
  busy: boolean;
  /** Test cards are offered. */
  demonstration: boolean;
}

/** Fetches a part's chunk. May be asked again after it failed. */
export type LoadPart<Props> = () => Promise<{ default: ComponentType<Props> }>;

export interface Panel {
  /** The provider's name, as `resumePayment` takes it. */
  provider: string;
  load: LoadPart<PanelProps>;
  /** Whether the page asks for the billing address beside the panel. */
  billingAddress: boolean;
}

/** By the gateway name of `paymentConfig.defaultGateWayProviderName`. */
export const panels: Readonly<Record<string, Panel>> = {
  '{host}': { provider: 'house', load: () => import('./house/panel.tsx'), billingAddress: true },
  Stripe: { provider: 'Stripe', load: () => import('./stripe/panel.tsx'), billingAddress: true },
  Braintree: { provider: 'Braintree', load: () => import('./braintree/panel.tsx'), billingAddress: true },
};

/** A wallet's own button, which stands in place of the Pay button. The page makes the calls and explains what fails. */
export interface WalletProps {
  order: Order;
  /** A token for the bill as the shopper sees it. Rejects where there is none: already explained, so let it rest. */
  createToken: () => Promise<string>;
  /**
   * The shopper agreed in the wallet's window. Settles when the shop has answered: 'chooseAgain' where the wallet declined
   * what they chose, and its window is to open again for the same payment.
   */
  onApprove: (payment: { paymentId: string; payerID: string }) => Promise<'answered' | 'chooseAgain'>;
  /** The shopper closed the wallet's window. */
  onCancel: () => void;
  /** The wallet itself failed after its button was there. */
  onError: (error: unknown) => void;
  onState: (state: PanelState) => void;
  busy: boolean;
}

/** PayPal's, by the provider's name as `resumePayment` takes it. */
export const payPal: { provider: string; load: LoadPart<WalletProps> } = {
  provider: 'PayPal',
  load: () => import('./paypal/button.tsx'),
};
