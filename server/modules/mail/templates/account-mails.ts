/** Mails about an account. */
import type { Locale } from '#contract/locales.ts';
import type { ComposedMail } from '../mailer.ts';
import { mailWords } from '../words.ts';
import { button, framed, type MailShop, pageUrl } from './frame.ts';

export function welcomeMail(shop: MailShop, locale: Locale, { firstName }: { firstName: string }): ComposedMail {
  const words = mailWords[locale];
  const subject = words.welcome.subject(shop.name);
  return framed({
    shop,
    locale,
    subject,
    title: subject,
    parts: [
      { kind: 'text', text: words.greeting(firstName) },
      { kind: 'text', text: words.welcome.text },
      ...button(words.welcome.action, pageUrl(shop, locale, '/account/menu')),
    ],
    why: words.why.account(shop.name),
  });
}

export function temporaryPasswordMail(
  shop: MailShop,
  locale: Locale,
  { firstName, password }: { firstName: string; password: string },
): ComposedMail {
  const words = mailWords[locale];
  const { subject, text, until, old, action, notYou } = words.temporaryPassword;
  return framed({
    shop,
    locale,
    subject: subject(shop.name),
    title: subject(shop.name),
    parts: [
      { kind: 'text', text: words.greeting(firstName) },
      { kind: 'text', text },
      { kind: 'code', text: password },
      { kind: 'text', text: `${until} ${old}` },
      ...button(action, pageUrl(shop, locale, '/account/verifypassword')),
      { kind: 'text', text: notYou },
    ],
    why: words.why.account(shop.name),
  });
}

export function passwordChangedMail(shop: MailShop, locale: Locale, { firstName }: { firstName: string }): ComposedMail {
  const words = mailWords[locale];
  const { subject, text, sessions, notYou } = words.passwordChanged;
  return framed({
    shop,
    locale,
    subject: subject(shop.name),
    title: subject(shop.name),
    parts: [
      { kind: 'text', text: words.greeting(firstName) },
      { kind: 'text', text: `${text} ${sessions}` },
      { kind: 'text', text: notYou(shop.contactEmail) },
    ],
    why: words.why.account(shop.name),
  });
}
