/** What webhooks tell other systems of. */
export const webhookEventTypes = [
  'order.placed',
  'order.paid',
  'order.ready',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
  'stock.low',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];
