/**
 * What becomes of everything that a person leaves behind, by the column that names them. A test walks it over all tables: a column
 * that names a person and is not here fails, and so does one of which something else becomes (`left-behind.test.ts`).
 */

/**
 * - `ends`: it is gone, or names nobody and does nothing.
 * - `asked`: it stays, and the person's right is asked whenever it is used.
 * - `stays`: a record of what happened, or a setting of the person that opens nothing.
 * - `unnamed`: the record stays without the person.
 */
export type Fate = 'ends' | 'asked' | 'stays' | 'unnamed';

interface StaffFate {
  /** Another role, or other stores. */
  changed: Fate;
  blocked: Fate;
  erased: Fate;
}

interface CustomerFate {
  blocked: Fate;
  erased: Fate;
}

const record: StaffFate = { changed: 'stays', blocked: 'stays', erased: 'stays' };
const own: StaffFate = { changed: 'stays', blocked: 'stays', erased: 'ends' };

export const leftByStaff: Readonly<Record<string, StaffFate>> = {
  'staff.email_key': own,
  // Each call asks what the person may do now.
  'staff_sessions.staff_id': { changed: 'asked', blocked: 'ends', erased: 'ends' },
  'staff_devices.staff_id': { changed: 'stays', blocked: 'ends', erased: 'ends' },
  'staff_invitations.email_key': { changed: 'ends', blocked: 'ends', erased: 'ends' },
  'staff_invitations.invited_by': { changed: 'ends', blocked: 'ends', erased: 'ends' },
  'staff_stations.started_by': { changed: 'asked', blocked: 'ends', erased: 'ends' },
  'staff_stations.person_id': { changed: 'asked', blocked: 'ends', erased: 'ends' },
  'staff_keys.staff_id': { changed: 'asked', blocked: 'ends', erased: 'ends' },
  'staff_push.session_id': { changed: 'asked', blocked: 'ends', erased: 'ends' },
  // They open nothing while the person is blocked.
  'staff_recovery_codes.staff_id': { changed: 'stays', blocked: 'asked', erased: 'ends' },
  'staff_passkeys.staff_id': { changed: 'stays', blocked: 'asked', erased: 'ends' },
  'staff_challenges.staff_id': { changed: 'stays', blocked: 'asked', erased: 'ends' },
  'draft_links.created_by': { changed: 'ends', blocked: 'ends', erased: 'ends' },
  'order_views.staff_id': own,
  'order_notes.staff_id': { ...record, erased: 'unnamed' },
  'customer_notes.staff_id': { ...record, erased: 'unnamed' },
  // A file that was judged is applied by somebody who may: whoever does it is then its actor.
  'bulk_changes.actor': { changed: 'asked', blocked: 'asked', erased: 'stays' },
  'journal.actor': record,
  'payments.actor': record,
  'ledger_entries.actor': record,
  'bank_lines.actor': record,
  'bank_statements.actor': record,
  'payout_arrivals.actor': record,
  'settlement_notes.actor': record,
  'cash_moves.actor': record,
  'handed_files.actor': record,
  'connections.actor': record,
  'form_messages.done_by': record,
  'ledger_periods.closed_by': record,
  'ledger_periods.reopened_by': record,
  'stock_movements.actor': record,
  'stock_takes.started_by': record,
  'stock_take_counts.actor': record,
  // Answers to repeated requests, for the session or person who asked, until they are old.
  'request_keys.owner': { changed: 'asked', blocked: 'asked', erased: 'stays' },
};

export const leftByCustomers: Readonly<Record<string, CustomerFate>> = {
  'customers.email_key': { blocked: 'stays', erased: 'ends' },
  'customer_words.customer_id': { blocked: 'stays', erased: 'ends' },
  'customer_notes.customer_id': { blocked: 'stays', erased: 'ends' },
  'sessions.customer_id': { blocked: 'ends', erased: 'ends' },
  'trusted_networks.customer_id': { blocked: 'ends', erased: 'ends' },
  'temporary_passwords.customer_id': { blocked: 'asked', erased: 'ends' },
  'orders.customer_id': { blocked: 'stays', erased: 'unnamed' },
  // An id that no account has any more: it limits a coupon to one use for each buyer.
  'coupon_uses.customer_id': { blocked: 'stays', erased: 'stays' },
  'coupon_uses.email_hash': { blocked: 'stays', erased: 'stays' },
  'form_messages.customer_id': { blocked: 'stays', erased: 'ends' },
  'form_messages.reply_to': { blocked: 'stays', erased: 'ends' },
  'blog_likes.liker': { blocked: 'stays', erased: 'ends' },
  'deliveries.recipient': { blocked: 'stays', erased: 'ends' },
};

/** What opens something for a person by what it says itself: no column names them. Each has a test beside the walk. */
export const leftElsewhere: Readonly<Record<string, StaffFate | CustomerFate>> = {
  // It says for whom it was made and what they have to be allowed, which is asked when the file is loaded.
  'the link of a file that staff export': { changed: 'asked', blocked: 'asked', erased: 'asked' },
  // An act of the shop, made while the right was there; it publishes what was written then, and can be taken back.
  'the time at which a draft is published': { changed: 'stays', blocked: 'stays', erased: 'stays' },
  // Whoever has the mail sees the order, which is paid for; an account that is blocked is another thing.
  'the links to orders in mails': { blocked: 'stays', erased: 'ends' },
};

/** Columns of these names that name something else. */
export const namesNobody: Readonly<Record<string, string>> = {
  'bulk_changes.owner': 'a process',
  'bulk_changes.found_by': 'how its rows were found',
  'disputes.respond_by': 'a moment',
  'staff_trials.used_by': 'a request',
  'orders.session_hash': 'a session of a guest, who has no account; the cart ends with it',
};
