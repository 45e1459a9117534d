/** The tables of accounts and mail as rows. */
import type { Bit, Fixed, Json } from './tables.ts';

export interface CustomersTable {
  id: Fixed<string>;
  /** As it was typed. */
  email: string;
  /** As it is looked up: two spellings of one address meet here. */
  email_key: string;
  first_name: string;
  last_name: string;
  mobile_phone: string;
  /** A PHC string, `$argon2id$…`, which names its own parameters. */
  password_hash: string;
  accept_newsletter: Bit;
  language: string;
  /** Lists of the contract's `Address`, the default one first. */
  shipping_addresses: Json;
  billing_addresses: Json;
  created_at: number;
  updated_at: number;
  password_changed_at: number;
  last_login_at: number | null;
  /** When the customer last used something that only a mail to their address told them; null: never yet. */
  email_confirmed_at: number | null;
  /** When the merchant blocked the account; null: it may sign on. */
  blocked_at: number | null;
}

/** Passwords that were mailed, good once and for a while beside the real one. SHA-256, hex: they are random. */
export interface TemporaryPasswordsTable {
  /** The mail that carries it; sending that again replaces it. */
  mail_id: Fixed<string>;
  customer_id: Fixed<string>;
  secret_hash: string;
  expires_at: number;
}

/** Where a customer has signed on from: both hashed into the key. */
export interface KnownPlacesTable {
  key: Fixed<string>;
  customer_id: Fixed<string>;
  seen_at: number;
}

/** How often somebody tried something: what and who are hashed into the key. */
export interface AttemptsTable {
  key: Fixed<string>;
  count: number;
  blocked_until: number;
  last_at: number;
}

/** Random keys that the shop has made for itself, base64url. */
export interface SecretsTable {
  name: Fixed<string>;
  value: Fixed<string>;
}

/** A mail to be sent, written with what causes it. */
export interface MailsTable {
  id: Fixed<string>;
  kind: Fixed<string>;
  /** Unique where there is one: what is to be said once only, such as an order's confirmation. */
  reference: Fixed<string | null>;
  recipient: string;
  language: string;
  /** What its template needs. */
  data: Json;
  /** 'waiting', 'sending', 'sent' or 'failed'. */
  state: string;
  attempts: number;
  /** When it is to be sent; while `sending`, when whoever claimed it has lost the claim. */
  due_at: number;
  created_at: number;
  sent_at: number | null;
  error: string | null;
}

export interface AccountTables {
  customers: CustomersTable;
  temporary_passwords: TemporaryPasswordsTable;
  known_places: KnownPlacesTable;
  attempts: AttemptsTable;
  mails: MailsTable;
  secrets: SecretsTable;
}
