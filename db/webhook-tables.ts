/** Row types of the tables of outgoing webhooks (see `tables.ts`). */
import type { Fixed, Json } from './tables.ts';

/** An address that receives events. */
export interface WebhookEndpointsTable {
  id: Fixed<string>;
  url: Fixed<string>;
  /** The subscribed event types, an array. */
  events: Fixed<Json>;
  /** 'active', 'paused' by the merchant, or 'gone': it answered 410. */
  state: string;
  /** `whsec_` and the key in base64. */
  secret: string;
  /** The secret before the last rotation, which also signs until `previous_until` (epoch ms); null if there is none. */
  previous_secret: string | null;
  previous_until: number | null;
  /** Since when every attempt has failed, epoch ms; null after a success. */
  failing_since: number | null;
  created_at: Fixed<number>;
}

/** Something that happened, as it is sent. Never changed. */
export interface WebhookEventsTable {
  id: Fixed<string>;
  type: Fixed<string>;
  /** Identifies the cause. Unique, so that a cause that is repeated makes one event. */
  reference: Fixed<string>;
  /** The body that is signed and sent. */
  body: Fixed<Json>;
  created_at: Fixed<number>;
}

/** One event for one endpoint. (event_id, endpoint_id) is unique. */
export interface WebhookDeliveriesTable {
  id: Fixed<string>;
  event_id: Fixed<string>;
  endpoint_id: Fixed<string>;
  /** 'waiting', 'sending' by one process until `due_at`, 'delivered' or 'failed'. */
  state: string;
  /** Attempts begun. */
  attempts: number;
  due_at: number;
  /** The time of the last attempt: after it the delivery fails, epoch ms. */
  give_up_at: number;
  attempted_at: number | null;
  /** What the endpoint answered last, such as `200` or `500 database is locked`, or why it did not; null before. */
  answer: string | null;
  created_at: Fixed<number>;
}

/** The tables of outgoing webhooks, by name. */
export interface WebhookTables {
  webhook_endpoints: WebhookEndpointsTable;
  webhook_events: WebhookEventsTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
