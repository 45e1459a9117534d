/** The tables of what forms send and of what is read from other sites, as rows. */
import type { Bit, Fixed, Json } from './tables.ts';

/** What somebody sent by a form of a page. */
export interface FormMessagesTable {
  id: Fixed<string>;
  form_name: Fixed<string>;
  /** The address that the form named. */
  mail_to: Fixed<string>;
  language: Fixed<string>;
  /** Fields in the form's order: `{ name, label, value }`. */
  details: Fixed<Json>;
  /** Who may be answered: what stands in the form's email field. */
  reply_to: Fixed<string | null>;
  /** Looks like spam: kept aside, not mailed. */
  suspected: Bit;
  /** Of the same words, sent again by the same caller on one day. Unique. */
  fingerprint: Fixed<string>;
  created_at: Fixed<number>;
  /** The customer who was signed on when sending it; null for a guest. */
  customer_id: Fixed<string | null>;
}

/** What was last read from a place on the web, and when to look again. */
export interface OutsideSourcesTable {
  /** 'feed:' and an address, or 'photos'. */
  key: Fixed<string>;
  /** The last good answer; null before the first. */
  value: Json | null;
  /** For asking whether anything has changed: `{ etag, lastModified }`. */
  validators: Json;
  /** Not to be asked before. */
  due_at: number;
  good_at: number | null;
  /** In a row. */
  failures: number;
  problem: string | null;
}

/** Photographs of the shop's own, for where no social account is set up. */
export interface GalleryPhotosTable {
  id: Fixed<string>;
  caption: Json;
  image: string;
  /** A page of the shop that shows the same thing, or empty. */
  link: string;
  taken_at: number;
}
