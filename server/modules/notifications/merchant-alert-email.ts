/** Composes the email that alerts a merchant to what needs a person. */
import type { Locale } from '#contract/locales.ts';
import { translate } from '#server/platform/i18n.ts';
import type { AlertKind } from './alerts.service.ts';
import { type MailShop, renderEmail } from './email-frame.ts';
import type { RenderedEmail } from './mail-delivery.ts';

/** Composes the email of an alert; `values` fill the placeholders of the messages of its kind. */
export function merchantAlertMail(
  shop: MailShop,
  locale: Locale,
  kind: AlertKind,
  values: Readonly<Record<string, string>>,
): RenderedEmail {
  const t = translate(locale);
  const subject = t(`mail.alert.${kind}.subject`, { ...values, shop: shop.name });
  return renderEmail({
    shop,
    locale,
    subject,
    title: subject,
    parts: [{ kind: 'text', text: t(`mail.alert.${kind}.text`, { ...values, shop: shop.name }) }],
    why: t('mail.why.merchant', { shop: shop.name }),
  });
}
