import type { Bit, Fixed, Json } from './tables.ts';

export interface CustomersTable {
  id: Fixed<string>;
  /** As typed. */
  email: string;
  /** The lookup key: two spellings of one address share it. */
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
  /** When the customer last used something that only an email to their address contained; null: never. */
  email_confirmed_at: number | null;
  /** When the merchant blocked the account; null: not blocked. */
  blocked_at: number | null;
  /** A list of the contract's `TaxExemption`; null for none. */
  tax_exemptions: Json | null;
}

/** Valid once and for a limited time beside the real one. SHA-256, hex: they are random. */
export interface TemporaryPasswordsTable {
  /** Sending that email again replaces the password. */
  mail_id: Fixed<string>;
  customer_id: Fixed<string>;
  secret_hash: string;
  expires_at: number;
}

/** Where a customer has signed in; both are hashed into the key. */
export interface TrustedNetworksTable {
  key: Fixed<string>;
  customer_id: Fixed<string>;
  seen_at: number;
}

/** Limit and subject are hashed into the key. */
export interface RateLimitsTable {
  key: Fixed<string>;
  count: number;
  blocked_until: number;
  last_at: number;
}

/** Base64url. */
export interface SecretsTable {
  name: Fixed<string>;
  value: Fixed<string>;
}

/** What a customer is found by: see `personWords`. */
export interface CustomerWordsTable {
  word: Fixed<string>;
  customer_id: Fixed<string>;
}

/** What staff write about a customer for each other. */
export interface CustomerNotesTable {
  id: Fixed<string>;
  customer_id: Fixed<string>;
  /** Null once the person is gone, and for the terminal. */
  staff_id: string | null;
  text: Fixed<string>;
  at: Fixed<number>;
}

/** What owners set in the office to connect the shop with other machines. */
interface ConnectionsTable {
  /** Such as `mail.host`. */
  field: Fixed<string>;
  /** Secrets are encrypted. */
  value: string;
  /** The last four characters, where they may be shown. */
  tail: string | null;
  /** Who set it, as `actorText` says. */
  actor: string;
  at: number;
}

export interface AccountTables {
  connections: ConnectionsTable;
  customers: CustomersTable;
  customer_words: CustomerWordsTable;
  customer_notes: CustomerNotesTable;
  temporary_passwords: TemporaryPasswordsTable;
  trusted_networks: TrustedNetworksTable;
  rate_limits: RateLimitsTable;
  secrets: SecretsTable;
}
