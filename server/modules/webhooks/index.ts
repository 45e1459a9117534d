export {
  type ModifierPayload,
  type OrderEventType,
  type OrderPayload,
  type RefundPayload,
  type WebhookEventType,
  webhookEventTypes,
} from './event-types.ts';
export type { LowStockEvents, StockChange, WebhookEvents } from './events.service.ts';
export type { WebhookFailure } from './sender.ts';
export type { DeliveryRecord } from './webhooks.repository.ts';
export {
  type WebhookEndpoint,
  type WebhookProblem,
  type WebhooksService,
  webhookProblems,
} from './webhooks.service.ts';
