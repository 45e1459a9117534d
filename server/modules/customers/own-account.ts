/** Resolves the caller's own account and checks that a named account is theirs. */
import type { Database } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { type CustomerRow, findCustomer } from './accounts.repository.ts';

export type OwnAccount = ReturnType<typeof createOwnAccount>;

export function createOwnAccount({ db }: { db: Database }) {
  /** @throws {AppError} AUTHORIZATION_ERROR for a guest, or if the account was deleted */
  async function own(handle: SessionHandle): Promise<CustomerRow> {
    const { customerId } = await handle.customer();
    const row = await findCustomer(db.read, customerId);
    if (!row) throw accountGone();
    return row;
  }

  return {
    own,

    /**
     * The caller's account, if `userId` (an id or an email) is theirs.
     * @throws {AppError} FORBIDDEN for any other, whether or not it exists
     */
    async ownAs(handle: SessionHandle, userId: string): Promise<CustomerRow> {
      const row = await own(handle);
      if (userId !== row.id && emailKeyOf(userId) !== row.email_key)
        throw new AppError('FORBIDDEN', { errorKey: 'account.notYours' });
      return row;
    },
  };
}

/** The error for an account that was deleted in the meantime. */
export function accountGone(): AppError {
  return new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
}
