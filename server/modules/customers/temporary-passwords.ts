/** SPEC §4, §7; design §7. */
import { timingSafeEqual } from 'node:crypto';
import { limits } from '#contract/limits.ts';
import { type Locale, offeredOr } from '#contract/locales.ts';
import { forgotPasswordErrors, passwordResetErrors } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import { passwordErrors } from '#contract/rules/password.ts';
import type { PasswordResetInput } from '#contract/schemas/account.ts';
import type { Database, Trx } from '#db/database.ts';
import type { MailContext } from '#server/modules/notifications/index.ts';
import { type AppError, validationError } from '#server/platform/errors.ts';
import { networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import {
  type CustomerRow,
  findByEmailKey,
  insertTemporaryPassword,
  knownPlaces,
  temporaryPasswordsOf,
  trustNetwork,
  updateCustomer,
  useTemporaryPassword,
} from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { deviceKeyOf, networkKeyOf, randomPassword, temporaryHashOf } from './customer.ts';
import { greetingName, type PasswordRules, replacePassword } from './password-change.ts';
import type { Passwords } from './passwords.ts';

interface TemporaryPasswordTools {
  passwords: Passwords;
  rules: PasswordRules;
  networks: TrustedNetworks;
}

export function createTemporaryPasswords(deps: AccountsDeps, tools: TemporaryPasswordTools) {
  const { db, now, attempts, mail } = deps;
  const { passwords, rules, networks } = tools;

  return {
    /** The mailer does the rest, so that an address with an account and one without get the same response in the same time. */
    async forgotPassword(emailID: string | undefined, address: string, locale: Locale): Promise<void> {
      const errors = forgotPasswordErrors({ emailID });
      if (!isClean(errors)) throw validationError(errors);
      const email = (emailID ?? '').trim();
      await attempts.count([
        ['forgotAccount', emailKeyOf(email)],
        ['forgotAddress', networkOf(address)],
      ]);
      await db.transaction((trx) =>
        mail.enqueue(trx, { kind: 'temporaryPassword', recipient: email, locale, data: {} }),
      );
    },

    temporaryFor: (context: MailContext) => issueTemporaryPassword(deps, context),
    isInvited: async (email: string) =>
      (await findByEmailKey(db.read, emailKeyOf(email)))?.password_hash === '',

    /**
     * The temporary password is consumed, and all sessions end. Wrong ones are counted by network only: one is too random to be
     * guessed, and a count by account would let anyone lock its owner out. The browser is trusted from now on, so that guesses at
     * the new password do not lock them out either. @throws {AppError} the same for an unknown email, and for a wrong, used or
     * expired temporary password; RATE_LIMITED
     */
    async resetPassword(handle: SessionHandle, input: PasswordResetInput, address: string): Promise<void> {
      const errors = { ...(await rules.errorsOf(input.password)), ...passwordResetErrors(input) };
      if (!isClean(errors)) throw validationError(errors);
      const emailKey = emailKeyOf(input.userID ?? '');
      await attempts.count([['resetAddress', networkOf(address)]]);
      const match = await matchTemporaryPassword(deps, emailKey, input.temporaryPassword ?? '');
      if (!match) throw wrongPassword();
      const { customer, mailId } = match;
      const own = passwordErrors(input, [customer.email, customer.first_name, customer.last_name]);
      if (!isClean(own)) throw validationError(own);
      const hash = await passwords.hash(input.password ?? '');
      await db.transaction(async (trx) => {
        if (!(await useTemporaryPassword(trx, mailId))) throw wrongPassword();
        await replacePassword(deps, trx, customer, { hash, locale: offeredOr(customer.language) });
        await updateCustomer(trx, customer.id, { email_confirmed_at: now() });
        await attempts.undo(trx, [['resetAddress', networkOf(address)]]);
        await attempts.reset(trx, [['signOnAccount', emailKey]]);
        await networks.trustDevice(trx, handle, customer.id);
      });
    },
  };
}

/** A resent email has a new one, and only the last is valid. Null if there is no such account. */
async function issueTemporaryPassword({ db, now }: AccountsDeps, { id, recipient, locale }: MailContext) {
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
  // To the registered address, not to the one that was typed.
  return {
    to: customer.email,
    firstName: greetingName(customer),
    password,
    isFirst: customer.password_hash === '',
    locale,
  };
}

/** Null if the password is wrong, used or expired. */
async function matchTemporaryPassword(
  { db, now }: AccountsDeps,
  emailKey: string,
  password: string,
): Promise<{ customer: CustomerRow; mailId: string } | null> {
  const customer = await findByEmailKey(db.read, emailKey);
  const open = await temporaryPasswordsOf(db.read, customer?.id ?? '', now());
  const given = Buffer.from(temporaryHashOf(password));
  const match = open.find(({ secret_hash }) => timingSafeEqual(Buffer.from(secret_hash), given));
  return customer && match && customer.blocked_at === null ? { customer, mailId: match.mail_id } : null;
}

function wrongPassword(): AppError {
  return validationError({ temporaryPassword: 'rule.temporaryPasswordWrong' });
}

/** After the last sign-in: from these networks, guesses by others do not delay a customer. */
export const trustedNetworkMs = 90 * 24 * 60 * 60 * 1000;

export type TrustedNetworks = ReturnType<typeof createTrustedNetworks>;

export function createTrustedNetworks({ db, now }: { db: Database; now: () => number }) {
  async function trustDevice(trx: Trx, handle: SessionHandle, customerId: string): Promise<void> {
    await trustNetwork(trx, deviceKeyOf(customerId, handle.keepDevice(trustedNetworkMs)), customerId, now());
  }

  return {
    trustDevice,

    /** That of the caller's browser or, in another one, of their network. Null if neither is trusted. */
    async trustedBy(
      customer: CustomerRow | null,
      network: string,
      device: string | null,
    ): Promise<string | null> {
      if (!customer) return null;
      const byNetwork = { key: networkKeyOf(customer.id, network), name: network };
      const byDevice =
        device === null ? [] : [{ key: deviceKeyOf(customer.id, device), name: `device ${device}` }];
      const candidates = [...byDevice, byNetwork];
      const trusted = await knownPlaces(
        db.read,
        candidates.map(({ key }) => key),
        now() - trustedNetworkMs,
      );
      return candidates.find(({ key }) => trusted.includes(key))?.name ?? null;
    },

    /** From now on. */
    async trust(trx: Trx, handle: SessionHandle, customerId: string, network: string): Promise<void> {
      await trustNetwork(trx, networkKeyOf(customerId, network), customerId, now());
      await trustDevice(trx, handle, customerId);
    },
  };
}
