import type { Locale } from '#contract/locales.ts';
import { signOnErrors } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { SignOnInput } from '#contract/schemas/account.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import { type CustomerRow, findByEmailKey, findCustomer, updateCustomer } from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { toSessionInfo } from './customer.ts';
import { startCustomerSession } from './customer-session.ts';
import type { Passwords } from './passwords.ts';
import type { TrustedNetworks } from './trusted-networks.ts';

const guest: SessionInfo = { user: null, lastLoginDate: null, userID: null };

export function createSignIn(deps: AccountsDeps, passwords: Passwords, networks: TrustedNetworks) {
  const { db, now, attempts, data } = deps;

  return {
    async info(session: SessionHandle): Promise<SessionInfo> {
      const customerId = (await session.get())?.customerId ?? null;
      const customer = customerId === null ? null : await findCustomer(db.read, customerId);
      // A session whose account was deleted ends in its time.
      if (customer || customerId === null) await session.prolong();
      return customer ? toSessionInfo(customer) : guest;
    },

    /**
     * Malformed input and rate-limited callers cost no hash. In a browser or on a network where the customer has signed in
     * before, wrong guesses by others do not delay them. @throws {AppError} AUTHORIZATION_ERROR, the same for an unknown email
     * and a wrong password; RATE_LIMITED
     */
    async signOn(handle: SessionHandle, input: SignOnInput, address: string, locale: Locale): Promise<SessionInfo> {
      const errors = signOnErrors(input);
      if (!isClean(errors)) throw validationError(errors);
      const { userID = '', password = '' } = input;
      const network = networkOf(address);
      const emailKey = emailKeyOf(userID);
      const found = await findByEmailKey(db.read, emailKey);
      const trusted = await networks.trustedBy(found, network, handle.device);
      const caller = `${emailKey}\n${trusted ?? network}`;
      const ofAccount: Attempt[] = [trusted ? ['signOnKnownPlace', caller] : ['signOnAccount', emailKey]];
      const tried: Attempt[] = trusted ? ofAccount : [...ofAccount, ['signOnAddress', network]];
      await attempts.count(tried);
      const moveOrders = await data.orders.prepareSignIn();
      const customer = await checkPassword(deps, passwords, found, password, { tried, priority: trusted !== null, caller });
      const renewed = passwords.isOutdated(customer.password_hash) ? await passwords.hash(password) : null;
      return db.transaction(async (trx) => {
        // Null if the password was changed while this one was checked.
        const row = await updateCustomer(
          trx,
          customer.id,
          { last_login_at: now(), language: locale, ...(renewed ? { password_hash: renewed } : {}) },
          customer.password_hash,
        );
        if (!row) throw wrongCredentials();
        await attempts.undo(trx, tried);
        await attempts.reset(trx, ofAccount);
        await networks.trust(trx, handle, row.id, network);
        await startCustomerSession(trx, handle, data, { customerId: row.id, moveOrders, locale });
        return toSessionInfo(row);
      });
    },

    async signOff(handle: SessionHandle): Promise<void> {
      await db.transaction((trx) => handle.end(trx));
    },
  };
}

/** @throws {AppError} AUTHORIZATION_ERROR, the same for an unknown email and a wrong password; FORBIDDEN for a blocked account */
async function checkPassword(
  { db, attempts }: AccountsDeps,
  passwords: Passwords,
  customer: CustomerRow | null,
  password: string,
  { tried, priority, caller }: { tried: readonly Attempt[]; priority: boolean; caller: string },
): Promise<CustomerRow> {
  const isRight = await passwords
    .verify(customer?.password_hash ?? null, password, { first: priority, who: caller })
    .catch((error: unknown) =>
      // The queue was full: no password was checked, so the attempt does not count.
      db.transaction((trx) => attempts.undo(trx, tried)).then(() => Promise.reject(error)),
    );
  if (!customer || !isRight) throw wrongCredentials();
  // Only those who know the password learn that the account is blocked.
  if (customer.blocked_at !== null) throw new AppError('FORBIDDEN', { errorKey: 'account.blocked' });
  return customer;
}

function wrongCredentials(): AppError {
  return new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signOnFailed' });
}
