/** SPEC §3, §4, §6, §7. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import type { OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { SessionsService } from '#server/platform/sessions/sessions.service.ts';
import { emailKeyOf } from '#server/platform/text.ts';
import {
  deleteExpiredTemporaryPasswords,
  deleteExpiredTrustedNetworks,
  findCustomer,
  insertCustomer,
} from './accounts.repository.ts';
import type { ResolvedAddress } from './address.ts';
import type { CustomerData } from './customer-data.ts';
import { createCustomerDesk } from './customer-support.ts';
import { createImportedCustomers } from './imported-customers.ts';
import { createOfficeCustomers } from './office-customers.ts';
import { createPasswordChange } from './password-change.ts';
import { createPasswordRules } from './password-rules.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createProfile } from './profile.ts';
import { createRegistration } from './registration.ts';
import { createSignIn } from './sign-in.ts';
import { createTemporaryPasswords } from './temporary-passwords.ts';
import { createTrustedNetworks, trustedNetworkMs } from './trusted-networks.ts';

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
