/** Composes the email that sends a form's message to the merchant. */
import type { Locale } from '#contract/locales.ts';
import {
  type EmailRegistry,
  type EmailTemplatesOf,
  type MailShop,
  type RenderedEmail,
  renderEmail,
} from '#server/modules/notifications/index.ts';
import { translate } from '#server/platform/i18n.ts';
import type { FormMessagesService } from './form-messages.service.ts';

export function createFormMessageEmails(deps: {
  emails: Pick<EmailRegistry, 'shopFor'>;
  messages: Pick<FormMessagesService, 'byId'>;
}): EmailTemplatesOf<'content'> {
  return {
    async formMessage({ messageId }, { locale }) {
      const message = await deps.messages.byId(messageId);
      return message && formMessageMail(await deps.emails.shopFor(locale), locale, message);
    },
  };
}

export interface MailedMessage {
  formName: string;
  details: readonly { label: string; value: string }[];
  /** Validated as a single address when the form was submitted. */
  replyTo: string | null;
}

/** Text from the form appears in the body only. Its one header is the reply address. */
export function formMessageMail(shop: MailShop, locale: Locale, { formName, details, replyTo }: MailedMessage): RenderedEmail {
  const t = translate(locale);
  const mail = renderEmail({
    shop,
    locale,
    subject: t('mail.formMessage.subject', { form: formName, shop: shop.name }),
    title: t('mail.formMessage.title', { form: formName }),
    parts: [
      ...details.flatMap(({ label, value }) => [
        { kind: 'heading' as const, text: label },
        { kind: 'text' as const, text: value },
      ]),
      ...(replyTo ? [{ kind: 'text' as const, text: t('mail.formMessage.reply') }] : []),
    ],
    why: t('mail.why.form', { shop: shop.name }),
  });
  return replyTo ? { ...mail, replyTo } : mail;
}
