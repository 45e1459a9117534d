/** Row types of the tables of emails and outgoing webhooks (see `tables.ts`). */
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

/** An email, or an event for one endpoint, written in the transaction of its cause. */
export interface DeliveriesTable {
  id: Fixed<string>;
  /** Null for an email. */
  endpoint_id: Fixed<string | null>;
  /** What endpoints know the event by, the same for each of them; null for an email. */
  event_id: Fixed<string | null>;
  /** The kind of an email, or the type of an event. */
  kind: Fixed<string>;
  /** Identifies the cause. Unique if not null, so that a cause that is repeated delivers nothing twice. */
  reference: Fixed<string | null>;
  /** Of an email; null for an event. */
  recipient: Fixed<string | null>;
  language: Fixed<string | null>;
  /** The data of an email's template, or an event as it is signed and sent. */
  body: Fixed<Json>;
  /** 'waiting', 'sending' by one process until `due_at`, 'delivered' or 'failed'. */
  state: string;
  /** Attempts begun. */
  attempts: number;
  due_at: number;
  /** After this time an event is attempted no more; null for an email, which has a number of attempts. */
  give_up_at: number | null;
  attempted_at: number | null;
  /** What the other side answered last, such as `200`, or why it did not. */
  answer: string | null;
  created_at: Fixed<number>;
}

export interface DeliveryTables {
  webhook_endpoints: WebhookEndpointsTable;
  deliveries: DeliveriesTable;
}
