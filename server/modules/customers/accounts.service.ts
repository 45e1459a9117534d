/** SPEC §3, §4, §6, §7. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import { registrationErrors, signOnErrors } from '#contract/rules/account.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { RegistrationInput, SignOnInput } from '#contract/schemas/account.ts';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import type { Database } from '#db/database.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import {
  type Attempt,
  networkOf,
  type RateLimitsService,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionHandle, SessionsService } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import {
  type CustomerRow,
  deleteExpiredTemporaryPasswords,
  deleteExpiredTrustedNetworks,
  findByEmailKey,
  findCustomer,
  insertCustomer,
  updateCustomer,
} from './accounts.repository.ts';
import type { ResolvedAddress } from './address.ts';
import { startCustomerSession, toSessionInfo } from './customer.ts';
import type { CustomerData } from './customer-data.ts';
import { createCustomerDesk } from './customer-support.ts';
import { createImportedCustomers } from './imported-customers.ts';
import { createOfficeCustomers } from './office-customers.ts';
import { createPasswordChange, createPasswordRules, type PasswordRules } from './password-change.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createProfile } from './profile.ts';
import {
  createTemporaryPasswords,
  createTrustedNetworks,
  type TrustedNetworks,
  trustedNetworkMs,
} from './temporary-passwords.ts';

const guest: SessionInfo = { user: null, lastLoginDate: null, userID: null };

const emailTaken = () => validationError({ email: 'rule.emailTaken' });

export interface AccountsDeps {
  db: Database;
  now: () => number;
  sessions: SessionsService;
  attempts: RateLimitsService;
  mail: OutboxService;
  data: CustomerData;
  settings: Pick<SettingsService, 'all'>;
  /** The shop's host is rejected as a password. */
  env: Pick<Env, 'publicUrl'>;
  /** The default uses the production parameters. */
  passwords?: Passwords;
}

/** From another shop or the demo. */
export interface ImportedCustomer {
  id?: string;
  firstName: string;
  lastName: string;
  email: string;
  mobilePhone: string;
  password: string;
  acceptNewsletter: boolean;
  language: Locale;
  shippingAddresses: readonly ResolvedAddress[];
  billingAddresses: readonly ResolvedAddress[];
  createdAt: number;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

export function createAccountsService(deps: AccountsDeps) {
  const { db, now } = deps;
  const passwords = deps.passwords ?? createPasswords();
  const rules = createPasswordRules(deps);
  const networks = createTrustedNetworks(deps);
  const { confirmPassword, changePassword } = createPasswordChange(deps, passwords, rules);
  const profile = createProfile(deps, confirmPassword);
  const desk = createCustomerDesk(deps, profile);

  return {
    ...createSignIn(deps, passwords, networks),
    ...createTemporaryPasswords(deps, { passwords, rules, networks }),
    register: createRegistration(deps, passwords, rules, networks),
    changePassword,

    /** Whoever typed an address that is not theirs must not choose what its owner receives. `null` is a guest. */
    async hasConfirmed(customerId: string | null, email: string): Promise<boolean> {
      const row = customerId === null ? null : await findCustomer(db.read, customerId);
      return row !== null && row.email_confirmed_at !== null && row.email_key === emailKeyOf(email);
    },
    profile,
    fulfilment: desk,
    office: createOfficeCustomers({ ...deps, desk }),
    imported: createImportedCustomers(deps),

    /** Sends no email. False if there is an account with this address. */
    async import(customer: ImportedCustomer): Promise<boolean> {
      const hash = await passwords.hash(customer.password);
      return db.transaction((trx) =>
        insertCustomer(trx, {
          id: customer.id ?? randomUUID(),
          email: customer.email.trim(),
          email_key: emailKeyOf(customer.email),
          first_name: customer.firstName,
          last_name: customer.lastName,
          mobile_phone: customer.mobilePhone,
          password_hash: hash,
          accept_newsletter: customer.acceptNewsletter ? 1 : 0,
          language: customer.language,
          shipping_addresses: JSON.stringify(customer.shippingAddresses),
          billing_addresses: JSON.stringify(customer.billingAddresses),
          created_at: customer.createdAt,
          updated_at: customer.createdAt,
          password_changed_at: customer.createdAt,
          last_login_at: null,
          email_confirmed_at: null,
          blocked_at: null,
          tax_exemptions: null,
        }),
      );
    },

    async sweep(): Promise<void> {
      await db.transaction(async (trx) => {
        await deleteExpiredTemporaryPasswords(trx, now());
        await deleteExpiredTrustedNetworks(trx, now() - trustedNetworkMs);
      });
    },
  };
}

function createRegistration(
  deps: AccountsDeps,
  passwords: Passwords,
  rules: PasswordRules,
  networks: TrustedNetworks,
) {
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
      await startCustomerSession(trx, handle, data, {
        customerId: row.id,
        moveOrders,
        locale,
        isNewCustomer: true,
      });
      await mail.enqueue(trx, { kind: 'welcome', recipient: row.email, locale, data: {} });
      return toSessionInfo(row);
    });
  };
}

interface NewCustomer {
  passwordHash: string;
  /** The setting, for customers who do not choose; null leaves it to the caller. */
  newsletterTicked: boolean | null;
  locale: Locale;
  at: number;
}

function newCustomer(
  input: RegistrationInput,
  { passwordHash, newsletterTicked, locale, at }: NewCustomer,
): CustomerRow {
  const { email = '' } = input;
  return {
    id: randomUUID(),
    email: email.trim(),
    email_key: emailKeyOf(email),
    first_name: oneLine(input.firstName ?? ''),
    last_name: oneLine(input.lastName ?? ''),
    mobile_phone: oneLine(input.mobilePhone ?? ''),
    password_hash: passwordHash,
    accept_newsletter: (input.acceptNewsletter ?? newsletterTicked ?? true) ? 1 : 0,
    language: locale,
    shipping_addresses: '[]',
    billing_addresses: '[]',
    created_at: at,
    updated_at: at,
    password_changed_at: at,
    last_login_at: at,
    email_confirmed_at: null,
    blocked_at: null,
    tax_exemptions: null,
  };
}

function createSignIn(deps: AccountsDeps, passwords: Passwords, networks: TrustedNetworks) {
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
    async signOn(
      handle: SessionHandle,
      input: SignOnInput,
      address: string,
      locale: Locale,
    ): Promise<SessionInfo> {
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
      const customer = await checkPassword(
        deps,
        passwords,
        { customer: found, password },
        { tried, priority: trusted !== null, caller },
      );
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
  { customer, password }: { customer: CustomerRow | null; password: string },
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
