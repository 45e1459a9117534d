/** The interface of a payment provider's browser part, which `payment-providers/browser-registry.ts` lists. */
import type { ComponentType, Ref } from 'react';
import type { MessageKey } from '#contract/locales.ts';
import type { AddressInput, Order } from '#contract/schemas/order.ts';
import type { PaymentAction } from '#contract/schemas/payment.ts';
import type { Response } from '#contract/shop/endpoints.ts';
import type { FieldTexts } from '#ui/errors.ts';
import type { ApiClient } from '#web/lib/api.ts';

/** A placed order, or the action that the provider needs from the customer first. Neither: it has not decided yet. */
export type Paid = Response<'resumePayment'>;

/** The fields that every call that pays sends besides the panel's own input. */
interface AgreedBill {
  /** Of the bill that the customer saw. */
  billVersion: string;
  billingAddress: AddressInput;
}

/** Makes the provider's call that pays, with the data that its panel collected. */
export type PayCall = (api: ApiClient, agreed: AgreedBill) => Promise<Paid>;

/** 'failed': the provider's script cannot be loaded. The page offers to try again, which remounts the panel. */
export type PanelState = 'loading' | 'ready' | 'failed';

export interface PanelHandle {
  /** Validates the input, and returns the call that pays with it. Null: the panel or `onErrors` shows the errors. */
  prepare(): Promise<PayCall | null>;
  /** 'done': the shop asks the provider for the outcome. 'cancelled': the customer gave up. Throws what `paymentFailure` explains (an `ApiError`). */
  act(action: PaymentAction): Promise<'done' | 'cancelled'>;
}

export interface PanelProps {
  ref: Ref<PanelHandle>;
  /** With the current bill: cents and currency. It may change while the panel is mounted. */
  order: Order;
  /**
   * The payer's address: the typed billing address, else the shipping address. Not validated. Null: the page asks for none, and the
   * provider's form asks for what it needs itself.
   */
  billing: AddressInput | null;
  /** The errors by the path of the field in the call; the page counts and announces them. */
  errors: FieldTexts;
  onErrors: (errors: FieldTexts) => void;
  onEdit: (fields: string[]) => void;
  /** Reports that the panel is ready or failed. Until then the page shows a skeleton. */
  onState: (state: PanelState) => void;
  busy: boolean;
  demonstration: boolean;
}

/** A wallet's own button, which replaces the Pay button. The page makes the calls and explains failures. */
export interface WalletProps {
  order: Order;
  /** A token for the bill that the customer sees. Rejects if there is none; the page has explained that already. */
  createToken: () => Promise<string>;
  /** 'chooseAgain': the wallet declined the chosen source, and its window has to open again for the same payment. */
  onApprove: (payment: WalletApproval) => Promise<'answered' | 'chooseAgain'>;
  onCancel: () => void;
  /** The wallet itself failed after its button was shown. */
  onError: (error: unknown) => void;
  onState: (state: PanelState) => void;
  busy: boolean;
}

interface WalletApproval {
  paymentId: string;
  payerID: string;
}

/** Loads the chunk of a part. May be called again after it failed. */
export type LoadPart<Props> = () => Promise<{ default: ComponentType<Props> }>;

export interface GatewayPart {
  load: LoadPart<PanelProps>;
  billingAddress: boolean;
  externalScripts: boolean;
  testCards: boolean;
  /** What the provider adds to the address of this page when a customer returns from another site. `secret` is always among them. */
  returnParameters?: { secret: string; all: readonly string[] };
}

export interface WalletPart {
  load: LoadPart<WalletProps>;
  messages: { title: MessageKey; note: MessageKey; invalid: MessageKey };
  /** Begins to pay the bill of this version. Returns the token that the customer approves in the wallet's window. */
  requestToken(api: ApiClient, billVersion: string): Promise<string>;
  /** `due`: the `dueVersion` of the order that is paid in place of the cart. */
  approve(api: ApiClient, approval: WalletApproval, due: string | undefined): Promise<Paid>;
}

/** Milliseconds after which a script counts as blocked. */
const patienceMs = 20_000;
const loads = new Map<string, Promise<void>>();

/** The same address is loaded once. Rejects if it is blocked, offline or too slow, after which it may be requested again. */
export function loadScript(src: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
  const known = loads.get(src);
  if (known) return known;
  const load = append(src, attributes).catch((error: unknown) => {
    loads.delete(src);
    throw error;
  });
  loads.set(src, load);
  return load;
}

function append(src: string, attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = document.createElement('script');
  return new Promise<void>((done, failed) => {
    const fail = () => {
      script.remove();
      failed(new Error(`No script from ${new URL(src).host}`));
    };
    const timer = setTimeout(fail, patienceMs);
    script.addEventListener('load', () => {
      clearTimeout(timer);
      done();
    });
    script.addEventListener('error', () => {
      clearTimeout(timer);
      fail();
    });
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
    script.src = src;
    document.head.append(script);
  });
}
