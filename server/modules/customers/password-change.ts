import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import { passwordChangeErrors } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { PasswordChangeInput } from '#contract/schemas/account.ts';
import type { Trx } from '#db/database.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import {
  type CustomerRow,
  deleteTemporaryPasswords,
  deleteTrustedNetworks,
  findCustomer,
  updateCustomer,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { isFrequentPassword, isMadeOf, shopWords } from './common-passwords.ts';
import { deviceKeyOf, networkKeyOf, startCustomerSession } from './customer.ts';
import type { Passwords } from './passwords.ts';

export type PasswordRules = ReturnType<typeof createPasswordRules>;

export function createPasswordRules({ settings, env }: Pick<AccountsDeps, 'settings' | 'env'>) {
  return {
    /** `{}` for one that is hard to guess. The shared rules cover missing and short ones. */
    async errorsOf(password: string | undefined = ''): Promise<FieldErrors> {
      if (password === '') return {};
      const { shopName } = await settings.all();
      const guessable =
        isFrequentPassword(password) || isMadeOf(shopWords(shopName, env.publicUrl), password);
      return guessable ? { password: 'rule.passwordCommon' } : {};
    },
  };
}

/** Ends all sessions but `kept.session`, trusts only `kept.places`, and emails the customer. @throws {AppError} CONFLICT */
export async function replacePassword(
  { now, sessions, mail }: AccountsDeps,
  trx: Trx,
  customer: CustomerRow,
  {
    hash,
    locale,
    kept,
  }: { hash: string; locale: Locale; kept?: { session: string; places: readonly string[] } },
): Promise<void> {
  const at = now();
  const change = { password_hash: hash, password_changed_at: at, updated_at: at };
  if (!(await updateCustomer(trx, customer.id, change, customer.password_hash)))
    throw new AppError('CONFLICT', { errorKey: 'error.busy' });
  await deleteTemporaryPasswords(trx, customer.id);
  await sessions.endAll(trx, customer.id, kept?.session);
  await deleteTrustedNetworks(trx, customer.id, kept?.places ?? []);
  await mail.enqueue(trx, {
    kind: 'passwordChanged',
    recipient: customer.email,
    locale,
    data: { firstName: greetingName(customer) },
  });
}

/** '' while the address is not confirmed as the customer's. */
export function greetingName({ first_name, email_confirmed_at }: CustomerRow): string {
  return email_confirmed_at === null ? '' : first_name;
}

export type ConfirmPassword = ReturnType<typeof createPasswordChange>['confirmPassword'];

export function createPasswordChange(deps: AccountsDeps, passwords: Passwords, rules: PasswordRules) {
  const { db, attempts, data } = deps;

  /** Before something that cannot be undone. @throws {AppError} naming `currentPassword`; RATE_LIMITED */
  async function confirmPassword(customer: CustomerRow, password: string | undefined): Promise<void> {
    if (!password) throw validationError({ currentPassword: 'rule.currentPasswordMissing' });
    const tried: Attempt[] = [['confirmPassword', customer.id]];
    await attempts.count(tried);
    const isRight = await passwords.verify(customer.password_hash, password, {
      first: true,
      who: customer.id,
    });
    if (!isRight) throw validationError({ currentPassword: 'rule.currentPasswordWrong' });
    await db.transaction((trx) => attempts.reset(trx, tried));
  }

  return {
    confirmPassword,

    /** The caller gets a new session; all others end. */
    async changePassword(
      handle: SessionHandle,
      input: PasswordChangeInput,
      address: string,
      locale: Locale,
    ): Promise<void> {
      const { customerId } = await handle.customer();
      const customer = await findCustomer(db.read, customerId);
      if (!customer) throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
      if (input.userID && input.userID !== customer.id && emailKeyOf(input.userID) !== customer.email_key)
        throw new AppError('FORBIDDEN', { errorKey: 'account.notYours' });
      const errors = {
        ...(await rules.errorsOf(input.password)),
        ...passwordChangeErrors(input, [customer.email, customer.first_name, customer.last_name]),
      };
      if (!isClean(errors)) throw validationError(errors);
      await confirmPassword(customer, input.currentPassword);
      const moveOrders = await data.orders.prepareSignIn();
      const hash = await passwords.hash(input.password ?? '');
      await db.transaction(async (trx) => {
        const session = await startCustomerSession(trx, handle, data, {
          customerId: customer.id,
          moveOrders,
          locale,
        });
        const places = [
          networkKeyOf(customer.id, networkOf(address)),
          ...(handle.device === null ? [] : [deviceKeyOf(customer.id, handle.device)]),
        ];
        await replacePassword(deps, trx, customer, {
          hash,
          locale,
          kept: { session: session.idHash, places },
        });
      });
    },
  };
}
