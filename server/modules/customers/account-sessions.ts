/** Lists the sessions of a customer, and ends them. */
import type { AccountSession } from '#contract/schemas/account.ts';
import { notFound } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { AccountsDeps } from './accounts.service.ts';

export function createAccountSessions({ db, sessions }: Pick<AccountsDeps, 'db' | 'sessions'>) {
  async function openSessions(handle: SessionHandle): Promise<AccountSession[]> {
    const { customerId, idHash } = await handle.customer();
    const open = await sessions.of(customerId);
    return open.map(({ idHash: each, ...session }) => ({ ...session, current: each === idHash }));
  }

  return {
    /** The customer's sessions, most recently used first. */
    sessions: openSessions,

    /**
     * Ends another session of the caller's, or all others if `id` is left out. Returns the remaining ones.
     * @throws {AppError} NOT_FOUND if none of them has the `id`
     */
    async endSessions(handle: SessionHandle, id: string | undefined): Promise<AccountSession[]> {
      const { customerId, idHash } = await handle.customer();
      await db.transaction(async (trx) => {
        if (id === undefined) await sessions.endAll(trx, customerId, idHash);
        else if (!(await sessions.endOne(trx, customerId, id))) throw notFound();
      });
      return openSessions(handle);
    },
  };
}
