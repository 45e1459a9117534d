import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { registrationErrors } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { RegistrationInput } from '#contract/schemas/account.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { validationError } from '#server/platform/errors.ts';
import { networkOf } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import { type CustomerRow, findByEmailKey, insertCustomer } from './accounts.repository.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { toSessionInfo } from './customer.ts';
import { startCustomerSession } from './customer-session.ts';
import type { PasswordRules } from './password-rules.ts';
import type { Passwords } from './passwords.ts';
import type { TrustedNetworks } from './trusted-networks.ts';

export function createRegistration(deps: AccountsDeps, passwords: Passwords, rules: PasswordRules, networks: TrustedNetworks) {
  const { db, now, attempts, data, mail, settings } = deps;

  /** Signs the owner in. @throws {AppError} REQUEST_VALIDATION_ERROR, also for an email that has an account; RATE_LIMITED */
  return async function register(
    handle: SessionHandle,
    input: RegistrationInput,
    address: string,
    locale: Locale,
  ): Promise<SessionInfo> {
    const errors = { ...(await rules.errorsOf(input.password)), ...registrationErrors(input) };
    if (!isClean(errors)) throw validationError(errors);
    const network = networkOf(address);
    await attempts.count([['registerAddress', network]]);
    if (await findByEmailKey(db.read, emailKeyOf(input.email ?? ''))) throw emailTaken();
    const moveOrders = await data.orders.prepareSignIn();
    const { newsletterTicked } = await settings.all();
    const passwordHash = await passwords.hash(input.password ?? '');
    return db.transaction(async (trx) => {
      const row = newCustomer(input, { passwordHash, newsletterTicked, locale, at: now() });
      if (!(await insertCustomer(trx, row))) throw emailTaken();
      await networks.trust(trx, handle, row.id, network);
      await startCustomerSession(trx, handle, data, { customerId: row.id, moveOrders, locale, isNewCustomer: true });
      await mail.enqueue(trx, { kind: 'welcome', recipient: row.email, locale, data: {} });
      return toSessionInfo(row);
    });
  };
}

interface NewCustomer {
  passwordHash: string;
  /** For customers who do not choose. */
  newsletterTicked: boolean;
  locale: Locale;
  at: number;
}

function newCustomer(input: RegistrationInput, { passwordHash, newsletterTicked, locale, at }: NewCustomer): CustomerRow {
  const { email = '' } = input;
  return {
    id: randomUUID(),
    email: email.trim(),
    email_key: emailKeyOf(email),
    first_name: oneLine(input.firstName ?? ''),
    last_name: oneLine(input.lastName ?? ''),
    mobile_phone: oneLine(input.mobilePhone ?? ''),
    password_hash: passwordHash,
    accept_newsletter: (input.acceptNewsletter ?? newsletterTicked) ? 1 : 0,
    language: locale,
    shipping_addresses: '[]',
    billing_addresses: '[]',
    created_at: at,
    updated_at: at,
    password_changed_at: at,
    last_login_at: at,
    email_confirmed_at: null,
    blocked_at: null,
  };
}

const emailTaken = () => validationError({ email: 'rule.emailTaken' });
