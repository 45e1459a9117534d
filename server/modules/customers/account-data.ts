import type { Locale } from '#contract/locales.ts';
import type { AccountData } from '#contract/schemas/account.ts';
import type { Trx } from '#db/database.ts';
import { deleteNotes, notesOf } from '#db/notes.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { type CustomerRow, deleteCustomer, findCustomer, updateCustomer } from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { toUser } from './customer.ts';
import type { MessageSender } from './customer-data.ts';
import { accountGone, type OwnAccount } from './own-account.ts';
import type { ConfirmPassword } from './password-change.ts';

export function createAccountData(deps: AccountsDeps, { own }: OwnAccount, confirmPassword: ConfirmPassword) {
  const { db, now, sessions } = deps;

  /** Orders keep what bookkeeping needs. False if it is deleted already. */
  const erase = (trx: Trx, row: CustomerRow): Promise<boolean> => eraseAccount(deps, trx, row);

  return {
    erase,

    async exportData(handle: SessionHandle, locale: Locale): Promise<AccountData> {
      return collectAccountData(deps, await own(handle), handle, locale);
    },

    /** Orders keep what bookkeeping needs. @throws {AppError} CONFLICT while a payment is under way */
    async deleteAccount(handle: SessionHandle, currentPassword: string | undefined): Promise<void> {
      const row = await own(handle);
      await confirmPassword(row, currentPassword);
      await db.transaction(async (trx) => {
        await handle.end(trx);
        if (!(await erase(trx, row))) throw accountGone();
      });
    },

    /** For an account whose password is known: it is deleted, unless an order is being paid. False if there is none. */
    async withdraw(customerId: string): Promise<boolean> {
      const row = await findCustomer(db.read, customerId);
      if (!row) return false;
      await db.transaction(async (trx) => {
        await updateCustomer(trx, row.id, { password_hash: '', updated_at: now() });
        await sessions.endAll(trx, row.id);
      });
      try {
        await db.transaction((trx) => erase(trx, row));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
      return true;
    },
  };
}

async function collectAccountData(
  { db, now, sessions, data, mail }: AccountsDeps,
  row: CustomerRow,
  handle: SessionHandle,
  locale: Locale,
): Promise<AccountData> {
  const [openSessions, mails, cart, orders, likedPosts, messages, notes] = await Promise.all([
    sessions.of(row.id),
    mail.to(row.email),
    data.orders.cart(handle, locale),
    data.orders.all(row.id, locale),
    data.content.likedPosts(row.id),
    data.content.messages(senderOf(row)),
    notesOf(db.read, 'customer', row.id),
  ]);
  return {
    exportedAt: now(),
    user: toUser(row),
    language: row.language,
    registeredAt: row.created_at,
    lastLoginDate: row.last_login_at,
    passwordChangedAt: row.password_changed_at,
    sessions: openSessions.map(({ startedAt, lastSeenAt, expiresAt }) => ({ startedAt, lastSeenAt, expiresAt })),
    mails,
    cart: cart.orderID === null ? null : cart,
    orders,
    likedPosts,
    messages,
    staffNotes: notes.map(({ text, at }) => ({ text, at })),
  };
}

async function eraseAccount({ sessions, data, mail }: AccountsDeps, trx: Trx, row: CustomerRow): Promise<boolean> {
  const { id, email } = row;
  await data.orders.detachFromCustomer(trx, id);
  await mail.forget(trx, email);
  await data.content.forgetMessages(trx, senderOf(row));
  await data.content.forgetLikes(trx, id);
  if (row.email_confirmed_at !== null) await data.imports.forget(trx, email);
  await sessions.endAll(trx, id);
  await deleteNotes(trx, 'customer', id);
  return deleteCustomer(trx, id);
}

/** An unconfirmed email must not show what the owner of that email wrote. */
function senderOf({ id, email, email_confirmed_at }: CustomerRow): MessageSender {
  return { customerId: id, email: email_confirmed_at === null ? null : email };
}
