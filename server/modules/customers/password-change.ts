/** Changing a password one knows, and replacing one that was forgotten (SPEC §4, §7; design §7). */
import { timingSafeEqual } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import { defaultLocale, isLocale, type Locale } from '#contract/locales.ts';
import { forgotPasswordErrors, passwordChangeErrors, passwordResetErrors } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import { passwordErrors } from '#contract/rules/password.ts';
import type { PasswordChangeInput, PasswordResetInput } from '#contract/schemas/account.ts';
import type { Trx } from '#db/database.ts';
import type { MailContext } from '#server/modules/notifications/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { type Attempt, networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import {
  type CustomerRow,
  deleteTemporaryPasswords,
  deleteTrustedNetworks,
  findByEmailKey,
  findCustomer,
  insertTemporaryPassword,
  temporaryPasswordsOf,
  updateCustomer,
  useTemporaryPassword,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { deviceKeyOf, networkKeyOf, randomPassword, temporaryHashOf } from './customer.ts';
import type { PasswordRules } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import type { createSignIn } from './sign-in.ts';

/** How a mail may call a customer: '' while nobody knows whether the address is theirs. */
function nameFor({ first_name, email_confirmed_at }: CustomerRow): string {
  return email_confirmed_at === null ? '' : first_name;
}

export function createPasswordChange(
  deps: AccountsDeps,
  passwords: Passwords,
  { enter, trustDevice }: ReturnType<typeof createSignIn>,
  chosen: PasswordRules,
) {
  const { db, now, attempts, sessions, data, mail } = deps;

  /**
   * A new password; every session but `kept.session` ends, nothing but `kept.places` counts as the customer's
   * network or browser any more, and they are told by mail.
   */
  async function replace(
    trx: Trx,
    customer: CustomerRow,
    hash: string,
    locale: Locale,
    kept?: { session: string; places: readonly string[] },
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
      data: { firstName: nameFor(customer) },
    });
  }

  /**
   * Judges a password once more before something that cannot be undone.
   * @throws Refusal naming `currentPassword`; RATE_LIMITED
   */
  async function confirm(customer: CustomerRow, password: string | undefined): Promise<void> {
    if (!password) throw validationError({ currentPassword: 'rule.currentPasswordMissing' });
    const tried: Attempt[] = [['confirmPassword', customer.id]];
    await attempts.count(tried);
    const right = await passwords.verify(customer.password_hash, password, { first: true, who: customer.id });
    if (!right) throw validationError({ currentPassword: 'rule.currentPasswordWrong' });
    await db.transaction((trx) => attempts.reset(trx, tried));
  }

  return {
    confirm,

    /** Changes the caller's password. Their session is a new one, all others end. */
    async change(handle: SessionHandle, input: PasswordChangeInput, address: string, locale: Locale): Promise<void> {
      const { customerId } = await handle.customer();
      const customer = await findCustomer(db.read, customerId);
      if (!customer) throw new AppError('AUTHORIZATION_ERROR', { errorKey: 'account.signInNeeded' });
      if (input.userID && input.userID !== customer.id && emailKeyOf(input.userID) !== customer.email_key)
        throw new AppError('FORBIDDEN', { errorKey: 'account.notYours' });
      const errors = {
        ...(await chosen.errorsOf(input.password)),
        ...passwordChangeErrors(input, [customer.email, customer.first_name, customer.last_name]),
      };
      if (!isClean(errors)) throw validationError(errors);
      await confirm(customer, input.currentPassword);
      const moveOrders = await data.orders.prepareSignIn();
      const hash = await passwords.hash(input.password ?? '');
      await db.transaction(async (trx) => {
        const session = await enter(trx, handle, customer.id, moveOrders, locale);
        const places = [
          networkKeyOf(customer.id, networkOf(address)),
          ...(handle.device === null ? [] : [deviceKeyOf(customer.id, handle.device)]),
        ];
        await replace(trx, customer, hash, locale, { session: session.idHash, places });
      });
    },

    /**
     * Asks for a temporary password. What follows, if anything, is the mailer's business: here there is no
     * difference between an address that has an account and one that has none.
     */
    async forgot(emailID: string | undefined, address: string, locale: Locale): Promise<void> {
      const errors = forgotPasswordErrors({ emailID });
      if (!isClean(errors)) throw validationError(errors);
      const email = (emailID ?? '').trim();
      await attempts.count([
        ['forgotAccount', emailKeyOf(email)],
        ['forgotAddress', networkOf(address)],
      ]);
      await db.transaction((trx) => mail.enqueue(trx, { kind: 'temporaryPassword', recipient: email, locale, data: {} }));
    },

    /**
     * Makes the temporary password of a mail that is about to be sent. Sent again it carries another one,
     * and only that is good. Null where there is no such account.
     */
    async temporaryFor({ id, recipient, locale }: MailContext) {
      const customer = await findByEmailKey(db.read, emailKeyOf(recipient));
      if (!customer || customer.blocked_at !== null) return null;
      const password = randomPassword();
      const row = {
        mail_id: id,
        customer_id: customer.id,
        secret_hash: temporaryHashOf(password),
        expires_at: now() + limits.temporaryPasswordMs,
      };
      await db.transaction((trx) => insertTemporaryPassword(trx, row));
      // To the address that was registered, not to what was typed.
      return { to: customer.email, firstName: nameFor(customer), password, locale };
    },

    /**
     * Sets a new password by a temporary one, which is used up. All sessions of the account end. Wrong ones
     * are counted by network only: a temporary password is too random to be guessed, and a count by account
     * would let anybody keep its owner out. The browser counts as the customer's from now on, so that
     * guesses at the new password do not keep them out either.
     * @throws Refusal the same for an unknown email, a wrong, used or expired temporary password; RATE_LIMITED
     */
    async reset(handle: SessionHandle, input: PasswordResetInput, address: string): Promise<void> {
      const errors = { ...(await chosen.errorsOf(input.password)), ...passwordResetErrors(input) };
      if (!isClean(errors)) throw validationError(errors);
      const emailKey = emailKeyOf(input.userID ?? '');
      await attempts.count([['resetAddress', networkOf(address)]]);
      const customer = await findByEmailKey(db.read, emailKey);
      const open = await temporaryPasswordsOf(db.read, customer?.id ?? '', now());
      const given = Buffer.from(temporaryHashOf(input.temporaryPassword ?? ''));
      const match = open.find(({ secret_hash }) => timingSafeEqual(Buffer.from(secret_hash), given));
      const wrong = () => validationError({ temporaryPassword: 'rule.temporaryPasswordWrong' });
      if (!customer || !match || customer.blocked_at !== null) throw wrong();
      const own = passwordErrors(input, [customer.email, customer.first_name, customer.last_name]);
      if (!isClean(own)) throw validationError(own);
      const hash = await passwords.hash(input.password ?? '');
      await db.transaction(async (trx) => {
        if (!(await useTemporaryPassword(trx, match.mail_id))) throw wrong();
        await replace(trx, customer, hash, isLocale(customer.language) ? customer.language : defaultLocale);
        await updateCustomer(trx, customer.id, { email_confirmed_at: now() });
        await attempts.undo(trx, [['resetAddress', networkOf(address)]]);
        await attempts.reset(trx, [['signOnAccount', emailKey]]);
        await trustDevice(trx, handle, customer.id);
      });
    },
  };
}
