import type { Bit, Fixed, Json } from './tables.ts';

export interface FormMessagesTable {
  id: Fixed<string>;
  form_name: Fixed<string>;
  /** The form named it. */
  mail_to: Fixed<string>;
  language: Fixed<string>;
  /** Fields in the form's order: `{ name, label, value }`. */
  details: Fixed<Json>;
  /** The value of the form's email field. */
  reply_to: Fixed<string | null>;
  suspected: Bit;
  /** The same text from the same caller on one day. Unique. */
  fingerprint: Fixed<string>;
  created_at: Fixed<number>;
  /** Null for a guest. */
  customer_id: Fixed<string | null>;
  /** Null until somebody of the staff has dealt with it. */
  done_at: number | null;
  /** The id of this person. */
  done_by: string | null;
}

/** With when to read it again. */
export interface ExternalSourcesTable {
  /** 'feed:' and a URL, or 'photos'. */
  key: Fixed<string>;
  /** Null before the first good one. */
  value: Json | null;
  /** For conditional requests: `{ etag, lastModified }`. */
  validators: Json;
  /** The earliest time of the next request, epoch ms. */
  due_at: number;
  good_at: number | null;
  /** Consecutive failures. */
  failures: number;
  problem: string | null;
}

/** Shown if no social account is set up. */
export interface GalleryPhotosTable {
  id: Fixed<string>;
  caption: Json;
  image: string;
  /** It shows the same subject; or ''. */
  link: string;
  taken_at: number;
}
