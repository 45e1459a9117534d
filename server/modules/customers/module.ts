import type { Database } from '#db/database.ts';
import { serve } from '#server/http/endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { EmailRegistry, OutboxService } from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { SessionsService } from '#server/platform/sessions/sessions.service.ts';
import { createAccountEmails } from './account-emails.ts';
import { registerAccountsRoutes, registerOfficeCustomers } from './accounts.routes.ts';
import { type AccountsService, createAccountsService } from './accounts.service.ts';
import { createGeoService, type GeoService } from './address.ts';
import type { CustomerData } from './customer-data.ts';
import { type CustomersExport, createCustomersExport } from './customers-export.ts';
import type { Passwords } from './passwords.ts';

export interface CustomersDeps {
  db: Database;
  env: Env;
  now: () => number;
  changes: ChangesService;
  sessions: SessionsService;
  attempts: RateLimitsService;
  settings: SettingsService;
  mail: OutboxService;
  emails: EmailRegistry;
  passwords?: Passwords;
}

export interface CustomersServices {
  accounts: AccountsService;
  geo: GeoService;
  customersExport: CustomersExport;
}

export interface CustomersModule extends ServerModule<CustomersServices> {
  /** Without the customer data of other modules sign-in fails. */
  connect(data: CustomerData): void;
}

export function createCustomersModule(deps: CustomersDeps): CustomersModule {
  // Filled by `connect`: the modules that store it are created later.
  const data = {} as CustomerData;
  const accounts = createAccountsService({ ...deps, data });
  const services = { accounts, geo: createGeoService(deps), customersExport: createCustomersExport({ ...deps, data }) };
  deps.emails.register(createAccountEmails({ emails: deps.emails, ...accounts }));
  return {
    services,
    connect: (stored) => void Object.assign(data, stored),
    registerRoutes(app) {
      registerAccountsRoutes(app, services);
      registerOfficeCustomers(app, deps.changes, services.accounts);
      serve(app, 'supportedCountries', () => services.geo.countries());
      serve(app, 'provinces', ({ params, lang }) => services.geo.provinces(params.id, lang));
    },
    maintenance: [{ run: () => accounts.sweep() }],
  };
}
