/** Checks that a named account is the caller's. */
import type { Database } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { type CustomerRow, findCustomer } from './accounts.repository.ts';

export type OwnAccount = ReturnType<typeof createOwnAccount>;

export function createOwnAccount({ db }: { db: Database }) {
  async function own(handle: SessionHandle): Promise<CustomerRow> {
    const { customerId } = await handle.customer();
    const row = await findCustomer(db.read, customerId);
    if (!row) throw accountGone();
    return row;
  }

  return {
    own,

    /** By id or email. @throws {AppError} FORBIDDEN for any other account, whether or not it exists */
    async ownAs(handle: SessionHandle, userId: string): Promise<CustomerRow> {
      const row = await own(handle);
      if (userId !== row.id && emailKeyOf(userId) !== row.email_key)
        throw new AppError('FORBIDDEN', { errorKey: 'account.notYours' });
      return row;
    },
  };
}

export function accountGone(): AppError {
  return new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
}
