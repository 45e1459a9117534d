import type { ColumnType } from 'kysely';
import type { Bit, Fixed, Json } from './tables.ts';

/** Staff are not customers. */
export interface StaffTable {
  id: Fixed<string>;
  name: string;
  email: Fixed<string>;
  /** The lookup key: two spellings of one address share it. */
  email_key: Fixed<string>;
  role: string;
  /** Ids of the stores they work in; null: all. */
  stores: Json | null;
  password_hash: string;
  /** The secret of the authenticator app, base32; null without one. `totp_confirmed` is 0 until a code of it was sent. */
  totp_secret: string | null;
  totp_confirmed: Bit;
  /** The time step of the last code, so that none works twice. */
  totp_step: number;
  /** How many they have. */
  passkeys: number;
  /** Of their PIN at stations; null without one. */
  pin_hash: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: Fixed<number>;
  last_seen_at: number | null;
  blocked_at: number | null;
}

/** Not accepted yet. The token itself is only in the link. */
export interface StaffInvitationsTable {
  email_key: Fixed<string>;
  token_hash: string;
  email: string;
  role: string;
  stores: Json | null;
  expires_at: number;
  /** Whose right to invite is asked again when it is accepted; null: the terminal or the start of the shop. */
  invited_by: string | null;
}

export interface StaffSessionsTable {
  id: Fixed<string>;
  token_hash: Fixed<string>;
  staff_id: Fixed<string>;
  device: Fixed<string>;
  created_at: Fixed<number>;
  last_seen_at: number;
  expires_at: number;
  /** Password and second factor, epoch ms. */
  confirmed_at: number;
}

/** Browsers in which somebody has signed in, by the hash of what their cookie keeps; for 90 days since the last time. */
export interface StaffDevicesTable {
  token_hash: Fixed<string>;
  staff_id: Fixed<string>;
  used_at: number;
}

/** Devices that are signed in as the counter of a store. */
export interface StaffStationsTable {
  id: Fixed<string>;
  token_hash: Fixed<string>;
  store_id: Fixed<string>;
  device: Fixed<string>;
  created_at: Fixed<number>;
  last_seen_at: number;
  expires_at: number;
  /** Whose right to have stations it lives by; null where that was not kept. */
  started_by: Fixed<string | null>;
  /** Who entered a PIN, until `person_until` (epoch ms); null with the account. */
  person_id: string | null;
  person_until: number;
}

/** By which programs make calls in place of a person: SHA-256, because they are random. */
export interface StaffKeysTable {
  id: Fixed<string>;
  token_hash: Fixed<string>;
  /** Whose rights bound it. */
  staff_id: Fixed<string>;
  name: Fixed<string>;
  permissions: Fixed<Json>;
  /** Ids; null: all stores of the person. */
  stores: Fixed<Json | null>;
  created_at: Fixed<number>;
  expires_at: Fixed<number>;
  last_used_at: number | null;
}

/** What a program tried and has not done yet. */
export interface StaffTrialsTable {
  token_hash: Fixed<string>;
  key_id: Fixed<string>;
  /** A hash of the call and all that it was given. */
  asked: Fixed<string>;
  /** Hashes of what each of its transactions saw. */
  seen: Fixed<Json>;
  expires_at: Fixed<number>;
  /** The request that made the change; null while it is not made. */
  used_by: string | null;
}

/** Where a device is notified, as its browser gave it; deleted with its session. */
export interface StaffPushTable {
  /** Of a person or a station. */
  session_id: Fixed<string>;
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
}

/** Not used yet: SHA-256, because they are random. */
export interface StaffRecoveryCodesTable {
  code_hash: Fixed<string>;
  staff_id: Fixed<string>;
}

export interface StaffPasskeysTable {
  id: Fixed<string>;
  staff_id: Fixed<string>;
  /** Base64url, as the public key. */
  credential_id: Fixed<string>;
  public_key: Fixed<string>;
  /** How often the device says that it was used; always 0 for passkeys that are on several devices. */
  counter: number;
  device: Fixed<string>;
  created_at: Fixed<number>;
  last_used_at: number | null;
}

/** What devices have to sign, once. */
export interface StaffChallengesTable {
  hash: Fixed<string>;
  /** Whose new passkey it is for; null for showing one. */
  staff_id: Fixed<string | null>;
  expires_at: Fixed<number>;
}

/** The shop's own roles, beside those of `contract/staff/permissions.ts`. */
export interface StaffRolesTable {
  id: Fixed<string>;
  name: string;
  permissions: Json;
}

export interface StaffTables {
  staff: StaffTable;
  staff_invitations: StaffInvitationsTable;
  staff_sessions: StaffSessionsTable;
  staff_devices: StaffDevicesTable;
  staff_stations: StaffStationsTable;
  staff_keys: StaffKeysTable;
  staff_trials: StaffTrialsTable;
  staff_push: StaffPushTable;
  staff_recovery_codes: StaffRecoveryCodesTable;
  staff_passkeys: StaffPasskeysTable;
  staff_roles: StaffRolesTable;
  staff_challenges: StaffChallengesTable;
}
