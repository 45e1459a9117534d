import type { Locale } from '#contract/locales.ts';
import {
  button,
  type EmailPart,
  type EmailRegistry,
  type EmailTemplatesOf,
  greetingTo,
  type MailContext,
  type MailShop,
  pageUrl,
  type RenderedEmail,
  renderEmail,
} from '#server/modules/notifications/index.ts';
import { translate } from '#server/platform/i18n.ts';

export interface AccountEmailsDeps {
  emails: Pick<EmailRegistry, 'shopFor'>;
  /** Whether there is an account with this address that has no password yet. */
  isInvited(email: string): Promise<boolean>;
  /** When an email is about to be sent; null if no account has its address. */
  temporaryFor(context: MailContext): Promise<({ to: string } & Parameters<typeof temporaryPasswordMail>[2]) | null>;
}

export function createAccountEmails({ emails, isInvited, temporaryFor }: AccountEmailsDeps): EmailTemplatesOf<'customers'> {
  return {
    welcome: async (_data, { locale }) => welcomeMail(await emails.shopFor(locale), locale),
    async invitation(_data, { locale, recipient }) {
      return (await isInvited(recipient)) ? invitationMail(await emails.shopFor(locale), locale) : null;
    },
    passwordChanged: async (data, { locale }) => passwordChangedMail(await emails.shopFor(locale), locale, data),
    async temporaryPassword(_data, context) {
      const made = await temporaryFor(context);
      return made && { ...temporaryPasswordMail(await emails.shopFor(context.locale), context.locale, made), to: made.to };
    },
  };
}

type AccountEmail = 'welcome' | 'invitation' | 'temporaryPassword' | 'passwordChanged';

/** The subject is the title. */
function accountMail(shop: MailShop, locale: Locale, kind: AccountEmail, parts: EmailPart[]): RenderedEmail {
  const t = translate(locale);
  const subject = t(`mail.${kind}.subject`, { shop: shop.name });
  return renderEmail({ shop, locale, subject, title: subject, parts, why: t('mail.why.account', { shop: shop.name }) });
}

function welcomeMail(shop: MailShop, locale: Locale): RenderedEmail {
  const t = translate(locale);
  return accountMail(shop, locale, 'welcome', [
    { kind: 'text', text: t('mail.welcome.text') },
    ...button(t('mail.welcome.action'), pageUrl(shop, locale, '/account/menu')),
  ]);
}

/** Without a secret: the page that it leads to sends one when it is asked for. */
function invitationMail(shop: MailShop, locale: Locale): RenderedEmail {
  const t = translate(locale);
  return accountMail(shop, locale, 'invitation', [
    { kind: 'text', text: t('mail.invitation.text') },
    ...button(t('mail.invitation.action'), pageUrl(shop, locale, '/account/forgotpassword')),
    { kind: 'text', text: t('mail.invitation.how') },
  ]);
}

function temporaryPasswordMail(
  shop: MailShop,
  locale: Locale,
  { firstName, password, isFirst }: { firstName: string; password: string; isFirst: boolean },
): RenderedEmail {
  const t = translate(locale);
  return accountMail(shop, locale, 'temporaryPassword', [
    ...greetingTo(firstName, locale),
    { kind: 'text', text: t('mail.temporaryPassword.text') },
    { kind: 'code', text: password },
    {
      kind: 'text',
      text: isFirst
        ? t('mail.temporaryPassword.until')
        : `${t('mail.temporaryPassword.until')} ${t('mail.temporaryPassword.old')}`,
    },
    ...button(t('mail.temporaryPassword.action'), pageUrl(shop, locale, '/account/verifypassword')),
    { kind: 'text', text: t('mail.temporaryPassword.notYou') },
  ]);
}

function passwordChangedMail(shop: MailShop, locale: Locale, { firstName }: { firstName: string }): RenderedEmail {
  const t = translate(locale);
  return accountMail(shop, locale, 'passwordChanged', [
    ...greetingTo(firstName, locale),
    { kind: 'text', text: `${t('mail.passwordChanged.text')} ${t('mail.passwordChanged.sessions')}` },
    { kind: 'text', text: t('mail.passwordChanged.notYou', { email: shop.contactEmail }) },
  ]);
}
