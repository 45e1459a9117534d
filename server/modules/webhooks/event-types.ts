import type { CheckoutMethod } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { OrderState, Shipment } from '#contract/schemas/order.ts';
import { type WebhookEventType, webhookEventTypes } from '#contract/webhook-events.ts';

export { type WebhookEventType, webhookEventTypes };
export type OrderEventType = Exclude<WebhookEventType, 'stock.low'>;

/** Cents, epoch ms. It names no person, so that nothing has to be deleted at a receiver. */
export interface OrderPayload {
  id: string;
  /** Such as MC-2026-000204. */
  number: string | null;
  /** The state after the event. */
  state: OrderState;
  method: CheckoutMethod | null;
  /** Of a pickup or dine-in order, or one that it delivers itself; null if it is shipped. */
  storeId: string | null;
  pickupAt: number | null;
  shippingMethod: string | null;
  /** As far as taxes and rates need it; null if the order is not shipped. */
  destination: { country: string; province: string | null } | null;
  language: Locale;
  placedAt: number | null;
  lines: {
    id: string;
    sku: string;
    productId: string;
    /** In the shop's default language, as `options`. */
    name: string;
    /** Such as `#Glaze:Oat`; '' without options. */
    options: string;
    modifiers: ModifierPayload[];
    quantity: number;
    unitPrice: number;
    total: number;
  }[];
  /** The parcels that were sent, oldest first. */
  shipments: Shipment[];
  /** ISO 4217. */
  currency: string;
  amounts: {
    subtotal: number;
    discount: number;
    shipping: number;
    serviceCharge: number;
    taxLines: { label: string; amount: number }[];
    tax: number;
    tip: number;
    total: number;
  };
  couponCode: string | null;
  payment: {
    /** A provider, `payAtStore`, or null for an order that costs nothing. */
    method: string | null;
    paid: boolean;
    /** Refunded or being refunded. */
    refunded: number;
    due: number;
  };
}

export interface ModifierPayload {
  group: string;
  modifier: string;
  name: string;
  /** In a unit of the line. */
  quantity: number;
  /** To a unit, of all of its quantity, without what it opened. */
  amount: number;
  modifiers: ModifierPayload[];
}

export interface RefundPayload {
  id: string;
  /** `tip` included. */
  amount: number;
  tip: number;
}

export interface StockPayload {
  sku: string;
  /** A store's id, or `warehouse`. */
  store: string;
  left: number;
  /** Of the SKU at this location, or else the setting `lowStockThreshold`. */
  threshold: number;
}

/** The `data` of an event, by type. */
export interface WebhookData
  extends Record<Exclude<OrderEventType, 'order.refunded'>, { order: OrderPayload }> {
  'order.refunded': { order: OrderPayload; refund: RefundPayload };
  'stock.low': StockPayload;
}
