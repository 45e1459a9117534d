/** Mails about an account. */
import type { Locale } from '#contract/locales.ts';
import { translate } from '#server/platform/i18n.ts';
import type { RenderedEmail } from '../mailer.ts';
import { button, greetingTo, type MailShop, pageUrl, renderEmail } from './email-frame.ts';

export function welcomeMail(shop: MailShop, locale: Locale): RenderedEmail {
  const t = translate(locale);
  const subject = t('mail.welcome.subject', { shop: shop.name });
  return renderEmail({
    shop,
    locale,
    subject,
    title: subject,
    parts: [
      { kind: 'text', text: t('mail.welcome.text') },
      ...button(t('mail.welcome.action'), pageUrl(shop, locale, '/account/menu')),
    ],
    why: t('mail.why.account', { shop: shop.name }),
  });
}

export function temporaryPasswordMail(
  shop: MailShop,
  locale: Locale,
  { firstName, password }: { firstName: string; password: string },
): RenderedEmail {
  const t = translate(locale);
  const subject = t('mail.temporaryPassword.subject', { shop: shop.name });
  return renderEmail({
    shop,
    locale,
    subject,
    title: subject,
    parts: [
      ...greetingTo(firstName, locale),
      { kind: 'text', text: t('mail.temporaryPassword.text') },
      { kind: 'code', text: password },
      { kind: 'text', text: `${t('mail.temporaryPassword.until')} ${t('mail.temporaryPassword.old')}` },
      ...button(t('mail.temporaryPassword.action'), pageUrl(shop, locale, '/account/verifypassword')),
      { kind: 'text', text: t('mail.temporaryPassword.notYou') },
    ],
    why: t('mail.why.account', { shop: shop.name }),
  });
}

export function passwordChangedMail(shop: MailShop, locale: Locale, { firstName }: { firstName: string }): RenderedEmail {
  const t = translate(locale);
  const subject = t('mail.passwordChanged.subject', { shop: shop.name });
  return renderEmail({
    shop,
    locale,
    subject,
    title: subject,
    parts: [
      ...greetingTo(firstName, locale),
      { kind: 'text', text: `${t('mail.passwordChanged.text')} ${t('mail.passwordChanged.sessions')}` },
      { kind: 'text', text: t('mail.passwordChanged.notYou', { email: shop.contactEmail }) },
    ],
    why: t('mail.why.account', { shop: shop.name }),
  });
}
