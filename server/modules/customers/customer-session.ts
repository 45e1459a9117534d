/** The guest's data moves to the customer's session. */
import type { Locale } from '#contract/locales.ts';
import type { Trx } from '#db/database.ts';
import type { CustomerSession, SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { CustomerData, CustomerOrderData } from './customer-data.ts';

export type MoveOrders = Awaited<ReturnType<CustomerOrderData['prepareSignIn']>>;

export interface SessionStart {
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
