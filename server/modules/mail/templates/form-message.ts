/** The mail that carries what somebody sent by a form of a page to the merchant. */
import type { Locale } from '#contract/locales.ts';
import type { ComposedMail } from '../mailer.ts';
import { mailWords } from '../words.ts';
import { framed, type MailShop } from './frame.ts';

export interface MailedMessage {
  formName: string;
  details: readonly { label: string; value: string }[];
  /** Judged to be one address when it was sent. */
  replyTo: string | null;
}

/** What people typed stands in the body only. Of it, nothing but the address to answer becomes a header. */
export function formMessageMail(shop: MailShop, locale: Locale, { formName, details, replyTo }: MailedMessage): ComposedMail {
  const words = mailWords[locale];
  const mail = framed({
    shop,
    locale,
    subject: words.formMessage.subject(formName, shop.name),
    title: words.formMessage.title(formName),
    parts: [
      ...details.flatMap(({ label, value }) => [
        { kind: 'heading' as const, text: label },
        { kind: 'text' as const, text: value },
      ]),
      ...(replyTo ? [{ kind: 'text' as const, text: words.formMessage.reply }] : []),
    ],
    why: words.why.form(shop.name),
  });
  return replyTo ? { ...mail, replyTo } : mail;
}
