import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import { serve } from '#server/http/endpoint.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import {
  type EmailPart,
  type EmailRegistry,
  type EmailSamples,
  type EmailTemplatesOf,
  type EmailWords,
  emailWords,
  type MailContext,
  type MailShop,
  type OutboxService,
  pageUrl,
  paragraph,
  type RenderedEmail,
  renderCustomerEmail,
} from '#server/modules/notifications/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import { translate } from '#server/platform/i18n.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import type { SessionHandle, SessionsService } from '#server/platform/sessions/sessions.service.ts';
import { type AccountsService, createAccountsService } from './accounts.service.ts';
import { createGeoService, type GeoService } from './address.ts';
import type { CustomerData } from './customer-data.ts';
import { type CustomersExport, createCustomersExport } from './office-customers.ts';
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
  const services = {
    accounts,
    geo: createGeoService(deps),
    customersExport: createCustomersExport({ ...deps, data }),
  };
  deps.emails.register(createAccountEmails({ emails: deps.emails, ...accounts }));
  deps.emails.registerSamples(accountSamples);
  return {
    services,
    connect: (stored) => void Object.assign(data, stored),
    registerRoutes(app) {
      registerAccountsRoutes(app, services);
      registerOfficeCustomers(app, deps.changes, services.accounts);
      serve(app, 'supportedCountries', () => services.geo.countries());
      serve(app, 'addressForm', ({ params, lang }) => services.geo.addressForm(params.id, lang));
      serve(app, 'provinces', ({ params, lang }) => services.geo.provinces(params.id, lang));
    },
    maintenance: [{ run: () => accounts.sweep() }],
  };
}

const success = { status: 'success' as const };

function registerAccountsRoutes(app: FastifyInstance, { accounts }: { accounts: AccountsService }): void {
  const { profile } = accounts;
  const { watch } = app.securityLog;
  const emailOf = (session: SessionHandle) => async () => (await accounts.info(session)).user?.email;
  serve(app, 'userInfo', ({ session }) => accounts.info(session));
  serve(app, 'userInfo2', ({ session }) => accounts.info(session));
  serve(app, 'clientRegistration', ({ session, body, request, lang }) =>
    watch(request, 'register', body.email, () => accounts.register(session, body, request.ip, lang)),
  );
  serve(app, 'signon', ({ session, body, request, lang }) =>
    watch(request, 'signOn', body.userID, () => accounts.signOn(session, body, request.ip, lang)),
  );
  serve(app, 'logout', async ({ session, request }) => {
    await watch(request, 'signOff', emailOf(session), () => accounts.signOff(session));
    return success;
  });
  serve(app, 'forgotPassword', async ({ query, request, lang }) => {
    await watch(request, 'forgotPassword', query.emailID, () =>
      accounts.forgotPassword(query.emailID, request.ip, lang),
    );
    return success;
  });
  serve(app, 'resetPasswordExternal', async ({ session, body, request }) => {
    await watch(request, 'resetPassword', body.userID, () =>
      accounts.resetPassword(session, body, request.ip),
    );
    return success;
  });
  serve(app, 'resetPassword', async ({ session, body, lang, request }) => {
    await watch(request, 'changePassword', emailOf(session), () =>
      accounts.changePassword(session, body, request.ip, lang),
    );
    return success;
  });
  serve(app, 'updateUserInfo', ({ session, body }) => profile.update(session, body));
  serve(app, 'getAddresses', ({ session, params }) =>
    profile.addresses(session, params.userId, params.addressType),
  );
  serve(app, 'updateAddresses', ({ session, params, query, body }) =>
    profile.replaceAddresses(session, params.id, params.addressType, { list: body, seen: query.seen }),
  );
  serve(app, 'accountData', ({ session, lang }) => profile.exportData(session, lang));
  serve(app, 'accountSessions', ({ session }) => profile.sessions(session));
  serve(app, 'endSessions', ({ session, body, request }) =>
    watch(request, 'endSessions', emailOf(session), () => profile.endSessions(session, body.id)),
  );
  serve(app, 'deleteAccount', async ({ session, body, request }) => {
    await watch(request, 'deleteAccount', emailOf(session), () =>
      profile.deleteAccount(session, body.currentPassword),
    );
    return success;
  });
  serve(app, 'customerOrders', ({ session, params, query, lang }) =>
    profile.orders(
      session,
      params.customerid,
      query.startingPosition ?? 0,
      query.numberToLoad ?? limits.pageSize,
      lang,
    ),
  );
}

function registerOfficeCustomers(
  app: FastifyInstance,
  changes: ChangesService,
  { office }: AccountsService,
): void {
  serveStaff(app, 'customers', ({ permit, query }) => office.page(permit, query));
  serveStaff(app, 'customer', ({ permit, params }) => office.sheet(permit, params.id));
  serveStaff(app, 'exemptCustomer', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'customers exempt', (change) =>
      office.exempt(change, permit, params.id, body.exemptions),
    );
    return office.sheet(permit, params.id);
  });
  serveStaff(app, 'noteCustomer', async ({ permit, params, body }) => {
    await changes.run(permit.actor, 'customer note', (change) =>
      office.note(change, permit, params.id, body.text),
    );
    return { done: true as const };
  });
  serveStaff(app, 'exportCustomer', async ({ permit, params }) => {
    const read = await changes.run(permit.actor, 'customer export', (change) =>
      office.export(change, permit, params.id),
    );
    return { data: await read() };
  });
  serveStaff(app, 'eraseCustomer', ({ permit, params, body }) =>
    changes.run(permit.actor, 'customer delete', (change) =>
      office.erase(change, permit, params.id, body.email),
    ),
  );
}

export interface AccountEmailsDeps {
  emails: Pick<EmailRegistry, 'shopFor'>;
  /** Whether there is an account with this address that has no password yet. */
  isInvited(email: string): Promise<boolean>;
  /** When an email is about to be sent; null if no account has its address. */
  temporaryFor(
    context: MailContext,
  ): Promise<({ to: string } & Parameters<typeof temporaryPasswordMail>[2]) | null>;
}

function createAccountEmails({
  emails,
  isInvited,
  temporaryFor,
}: AccountEmailsDeps): EmailTemplatesOf<'customers'> {
  return {
    welcome: async (_data, { locale }) => welcomeMail(await emails.shopFor(locale), locale),
    async invitation(_data, { locale, recipient }) {
      return (await isInvited(recipient)) ? invitationMail(await emails.shopFor(locale), locale) : null;
    },
    passwordChanged: async (data, { locale }) =>
      passwordChangedMail(await emails.shopFor(locale), locale, data),
    async temporaryPassword(_data, context) {
      const made = await temporaryFor(context);
      return (
        made && {
          ...temporaryPasswordMail(await emails.shopFor(context.locale), context.locale, made),
          to: made.to,
        }
      );
    },
  };
}

type AccountEmail = 'welcome' | 'invitation' | 'temporaryPassword' | 'passwordChanged';

/** `name`: '' if the address is not confirmed. */
function accountMail(
  shop: MailShop,
  locale: Locale,
  kind: AccountEmail,
  name: string,
  parts: (words: EmailWords) => EmailPart[],
): RenderedEmail {
  const words = emailWords(shop, locale, kind, { shop: shop.name, name });
  const why = translate(locale)('mail.why.account', { shop: shop.name });
  return renderCustomerEmail({ shop, locale, words, why, parts: [...words.greeting, ...parts(words)] });
}

const welcomeMail = (shop: MailShop, locale: Locale): RenderedEmail =>
  accountMail(shop, locale, 'welcome', '', (words) => [
    ...paragraph(words.text),
    ...words.button(pageUrl(shop, locale, '/account/menu')),
  ]);

/** Without a secret: the page that it leads to sends one when it is asked for. */
const invitationMail = (shop: MailShop, locale: Locale): RenderedEmail =>
  accountMail(shop, locale, 'invitation', '', (words) => [
    ...paragraph(words.text),
    ...words.button(pageUrl(shop, locale, '/account/forgotpassword')),
    { kind: 'text', text: translate(locale)('mail.invitation.how') },
  ]);

function temporaryPasswordMail(
  shop: MailShop,
  locale: Locale,
  { firstName, password, isFirst }: { firstName: string; password: string; isFirst: boolean },
): RenderedEmail {
  const t = translate(locale);
  return accountMail(shop, locale, 'temporaryPassword', firstName, (words) => [
    ...paragraph(words.text),
    { kind: 'code', text: password },
    {
      kind: 'text',
      text: isFirst
        ? t('mail.temporaryPassword.until')
        : `${t('mail.temporaryPassword.until')} ${t('mail.temporaryPassword.old')}`,
    },
    ...words.button(pageUrl(shop, locale, '/account/verifypassword')),
    { kind: 'text', text: t('mail.temporaryPassword.notYou') },
  ]);
}

function passwordChangedMail(
  shop: MailShop,
  locale: Locale,
  { firstName }: { firstName: string },
): RenderedEmail {
  const t = translate(locale);
  return accountMail(shop, locale, 'passwordChanged', firstName, (words) => [
    { kind: 'text', text: `${words.text} ${t('mail.passwordChanged.sessions')}` },
    { kind: 'text', text: t('mail.passwordChanged.notYou', { email: shop.contactEmail }) },
  ]);
}

/** Of nobody's account. */
const accountSamples: Pick<EmailSamples, AccountEmail> = {
  welcome: welcomeMail,
  invitation: invitationMail,
  temporaryPassword: (shop, locale) =>
    temporaryPasswordMail(shop, locale, {
      firstName: exampleName(locale),
      password: 'K7MP-2XQD',
      isFirst: false,
    }),
  passwordChanged: (shop, locale) => passwordChangedMail(shop, locale, { firstName: exampleName(locale) }),
};

const exampleName = (locale: Locale) => translate(locale)('mail.example.firstName');
