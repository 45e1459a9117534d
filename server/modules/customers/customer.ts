/** The wire shape of customers, and the keys and secrets of their accounts. */
import { createHash, randomInt } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { SessionInfo, User } from '#contract/schemas/shop.ts';
import type { Trx } from '#db/database.ts';
import type { CustomerSession, SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { CustomerRow } from './accounts.repository.ts';
import type { CustomerData, CustomerOrderData } from './customer-data.ts';

export function toUser(row: CustomerRow): User {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    mobilePhone: row.mobile_phone,
    shippingAddresses: JSON.parse(row.shipping_addresses),
    billingAddresses: JSON.parse(row.billing_addresses),
    acceptNewsletter: row.accept_newsletter === 1,
  };
}

export function toSessionInfo(row: CustomerRow): SessionInfo {
  return { user: toUser(row), lastLoginDate: row.last_login_at, userID: row.email };
}

/** It reveals neither the customer nor the network. */
export function networkKeyOf(customerId: string, place: string): string {
  return createHash('sha256').update(`${customerId}\n${place}`).digest('base64url');
}

/** By the device token. */
export function deviceKeyOf(customerId: string, device: string): string {
  return networkKeyOf(customerId, `device ${device}`);
}

/** Letters and digits that are not easily confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four groups of four that can be read aloud: 79 bits. */
export function randomPassword(): string {
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]);
  return [0, 4, 8, 12].map((at) => characters.slice(at, at + 4).join('')).join('-');
}

/** Random enough to need no slow hash. Case, spaces and dashes do not matter. */
export function temporaryHashOf(password: string): string {
  return createHash('sha256')
    .update(password.toLowerCase().replace(/[\s-]+/g, ''))
    .digest('hex');
}

/** The guest's data moves to the customer's session. */
type MoveOrders = Awaited<ReturnType<CustomerOrderData['prepareSignIn']>>;

interface SessionStart {
  customerId: string;
  moveOrders: MoveOrders;
  locale: Locale;
  isNewCustomer?: boolean;
}

/** A new session, with the caller's data as a guest. */
export async function startCustomerSession(
  trx: Trx,
  handle: SessionHandle,
  data: CustomerData,
  { customerId, moveOrders, locale, isNewCustomer = false }: SessionStart,
): Promise<CustomerSession> {
  const { session, previous } = await handle.signOn(trx, customerId);
  const isOwn = previous && (previous.customerId === null || previous.customerId === customerId);
  const signIn = { session, previousHash: isOwn ? previous.idHash : null, isNewCustomer, locale };
  await moveOrders(trx, signIn);
  await data.content.signedIn(trx, signIn);
  return session;
}
