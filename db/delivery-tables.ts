import type { ColumnType } from 'kysely';
import type { Fixed, Json } from './tables.ts';

/** An address that receives events. */
export interface WebhookEndpointsTable {
  id: Fixed<string>;
  url: string;
  /** An array. */
  events: Json;
  /** 'active', 'paused' by the merchant, or 'gone': it answered 410. */
  state: string;
  /** `whsec_` and the key in base64. */
  secret: string;
  /** Also signs until `previous_until` (epoch ms). */
  previous_secret: string | null;
  previous_until: number | null;
  /** Every attempt since has failed, epoch ms; null after a success. */
  failing_since: number | null;
  created_at: Fixed<number>;
}

/** An email, or an event for one endpoint, written in the transaction of its cause. */
export interface DeliveriesTable {
  id: Fixed<string>;
  /** Null for an email. */
  endpoint_id: Fixed<string | null>;
  /** The same for each endpoint; null for an email. */
  event_id: Fixed<string | null>;
  /** Of an email, or the type of an event. */
  kind: Fixed<string>;
  /** The order that an email or ticket is about; null for others, and for events. */
  order_id: ColumnType<string | null, string | null | undefined, never>;
  /** Of the cause. Unique if not null, so that a cause that is repeated delivers nothing twice; null once the cause was taken back. */
  reference: string | null;
  /** Null for an event. */
  recipient: string | null;
  language: Fixed<string | null>;
  /** An email's data, or an event as it is signed and sent. */
  body: Fixed<Json>;
  /** 'waiting', 'sending' by one process until `due_at`, 'delivered' or 'failed'. */
  state: string;
  attempts: number;
  due_at: number;
  /** Null for an email, which has a number of attempts. */
  give_up_at: number | null;
  attempted_at: number | null;
  /** Such as `200`, or why there was none. */
  answer: string | null;
  created_at: Fixed<number>;
}

export interface DeliveryTables {
  webhook_endpoints: WebhookEndpointsTable;
  deliveries: DeliveriesTable;
}
