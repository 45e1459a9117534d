/** Row types of the tables of form messages and external sources. */
import type { Bit, Fixed, Json } from './tables.ts';

/** A message submitted by a page's form. */
export interface FormMessagesTable {
  id: Fixed<string>;
  form_name: Fixed<string>;
  /** The recipient that the form named. */
  mail_to: Fixed<string>;
  language: Fixed<string>;
  /** Fields in the form's order: `{ name, label, value }`. */
  details: Fixed<Json>;
  /** The reply address: the value of the form's email field. */
  reply_to: Fixed<string | null>;
  /** Suspected spam: stored, not emailed. */
  suspected: Bit;
  /** Identifies the same text from the same caller on one day. Unique. */
  fingerprint: Fixed<string>;
  created_at: Fixed<number>;
  /** The customer who was signed in when sending it; null for a guest. */
  customer_id: Fixed<string | null>;
}

/** The last value read from an external source, and when to read it again. */
export interface ExternalSourcesTable {
  /** 'feed:' and a URL, or 'photos'. */
  key: Fixed<string>;
  /** The last good value; null before the first. */
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

/** The shop's own photos, shown if no social account is set up. */
export interface GalleryPhotosTable {
  id: Fixed<string>;
  caption: Json;
  image: string;
  /** A page of the shop that shows the same subject, or ''. */
  link: string;
  taken_at: number;
}
