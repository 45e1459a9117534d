/** Outgoing webhooks: endpoints, events, and their delivery. */
export type { DeliveryRecord, DeliveryState } from './deliveries.repository.ts';
export {
  type OrderEventType,
  type OrderPayload,
  type RefundPayload,
  type WebhookEventType,
  webhookEventTypes,
} from './event-types.ts';
export type { WebhookEvents } from './events.service.ts';
export { type WebhookProblem, webhookProblems } from './health.ts';
export type { LowStockEvents, StockChange } from './low-stock.ts';
export type { WebhookFailure } from './sender.ts';
export { WebhookError } from './webhook-error.ts';
export type { WebhookEndpoint, WebhooksService } from './webhooks.service.ts';
