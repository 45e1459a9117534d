/** Who exports and deletes it on request. A test finds columns that look like a person's (`personal-data.test.ts`). */
export type PersonalData =
  | { exportedBy: string; deletedBy: string }
  /** Why there is nothing to export or delete. */
  | { kept: string };

const accounts = 'server/modules/customers/accounts.repository.ts';
const ownOrders = 'server/modules/orders/order/customer-orders.repository.ts';
const notes = 'db/notes.ts';
const messages = 'server/modules/content/forms/form-messages.repository.ts';
const emails = 'server/modules/notifications/emails.repository.ts';
const imports = 'server/modules/imports/runs/imports.repository.ts';
const likes = 'server/modules/content/blog/likes.repository.ts';
const sessions = 'server/platform/sessions/sessions.repository.ts';

export const personalData: Readonly<Record<string, PersonalData>> = {
  customers: { exportedBy: accounts, deletedBy: accounts },
  customer_words: { kept: 'derived from the account, and deleted with it' },
  customer_notes: { exportedBy: notes, deletedBy: notes },
  orders: { exportedBy: ownOrders, deletedBy: ownOrders },
  order_words: {
    kept: 'derived from the contacts and notes of orders, and deleted with them (order-pages.repository.ts)',
  },
  order_notes: { exportedBy: notes, deletedBy: notes },
  shipments: { kept: 'what was sent when, part of the books; tracking numbers name nobody' },
  order_views: { kept: 'filters by names that staff gave them, without search texts' },
  order_lines: { exportedBy: ownOrders, deletedBy: ownOrders },
  form_messages: { exportedBy: messages, deletedBy: messages },
  deliveries: { exportedBy: emails, deletedBy: emails },
  blog_likes: { exportedBy: likes, deletedBy: likes },
  sessions: { exportedBy: sessions, deletedBy: sessions },
  trusted_networks: { kept: 'hashes of networks and browsers; deleted with the account and after 90 days' },
  temporary_passwords: { kept: 'a hash, deleted with the account and after 30 minutes' },
  coupon_uses: { kept: 'a hash of the email, which limits a coupon to one use for each buyer' },
  bank_lines: {
    kept: 'lines of a bank statement that may be payouts, in the words of the bank; lines about people are not kept',
  },
  settlement_rows: {
    kept: 'what a payment provider says of its balance, with ids of orders, which name nobody; part of the books',
  },
  refunds: { kept: 'what the merchant wrote about a refund, part of the books' },
  journal: {
    kept: 'kinds and ids of what changed; private fields without their values (server/modules/changes/fields.ts)',
  },
  stock_movements: { kept: 'ids of orders, which name nobody, and no customers' },
  agent_carts: {
    kept: 'what an agent said of a buyer it shops for; emptied when the cart is cancelled, deleted 60 days after its last change',
  },
  agent_requests: { kept: 'answers to agents for their idempotency keys; deleted after 48 hours' },
  request_keys: { kept: 'hashes of sessions, and answers to staff that name nobody; deleted after a week' },
  picture_addresses: {
    kept: 'addresses of the pictures of products that an import downloads; nothing of a person',
  },
  bulk_change_rows: { exportedBy: imports, deletedBy: imports },
  imports: {
    kept: 'the header of a file and examples of its cells; the examples go with a person, and after 30 days',
  },
  geocoded_addresses: {
    kept: 'a hash of the address and its point, without anything about who asked; deleted after 30 days',
  },
  staff: { kept: 'people who work for the merchant, not customers; the owner ends their access' },
  staff_invitations: { kept: 'an invited person of the staff, for 72 hours' },
  staff_sessions: { kept: 'sessions of staff, deleted after a week' },
  staff_devices: {
    kept: 'hashes of browsers, deleted with the person, a block or a new invitation, and after 90 days',
  },
  staff_stations: { kept: 'who stands at a device of the counter, for minutes' },
  staff_keys: { kept: 'hashes and names of programs; deleted with the person, a block or a new invitation' },
  staff_trials: { kept: 'hashes, deleted after minutes' },
  staff_recovery_codes: { kept: 'hashes' },
  staff_passkeys: {
    kept: 'public keys of staff, who remove them; deleted with the person and by a new invitation',
  },
  staff_roles: { kept: 'names of roles, not of people' },
  staff_challenges: { kept: 'hashes, deleted after minutes' },
  stores: { kept: 'addresses of the shop itself' },
};
