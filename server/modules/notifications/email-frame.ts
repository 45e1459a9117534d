import { inLocale, type Locale, locales, localizePath } from '#contract/locales.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { type EmailColours, type EmailPart, renderHtml, renderText } from './email-layout.ts';
import type { RenderedEmail } from './mail-sender.ts';

export interface MailShop {
  name: string;
  contactEmail: string;
  /** Null if the shop has no public URL; emails then have no links. */
  publicUrl: string | null;
  demonstration: string | null;
  colours: EmailColours;
}

const fallbackSender = 'no-reply@localhost';

/** Beside the settings. */
export type MailFrame = Pick<MailShop, 'publicUrl' | 'colours'>;

export function mailShop(settings: ShopSettings, { publicUrl, colours }: MailFrame, locale: Locale): MailShop {
  return {
    name: inLocale(settings.shopName, locale),
    contactEmail: settings.contactEmail || fallbackSender,
    publicUrl,
    colours,
    demonstration: settings.isDemonstration ? inLocale(settings.footer.shortNotice, locale) || null : null,
  };
}

/** `path` starts with a slash; null if there is no public URL. */
export function pageUrl(shop: MailShop, locale: Locale, path: string): string | null {
  return shop.publicUrl === null ? null : shop.publicUrl + localizePath(path, locale);
}

/** Empty if there is no URL for it. */
export function button(label: string, url: string | null): EmailPart[] {
  return url === null ? [] : [{ kind: 'button', label, url }];
}

/** Empty if `name` is ''. */
export function greetingTo(name: string, locale: Locale): EmailPart[] {
  return name ? [{ kind: 'text', text: translate(locale)('mail.greeting', { name }) }] : [];
}

export interface EmailInput {
  shop: MailShop;
  locale: Locale;
  subject: string;
  title: string;
  parts: readonly EmailPart[];
  /** Why the recipient gets the email. */
  why: string;
  /** What lists of emails show beside the subject; by default the first text. */
  preview?: string;
}

export function renderEmail({ shop, locale, subject, title, parts, why, preview }: EmailInput): RenderedEmail {
  const footer = [
    why,
    ...(shop.demonstration ? [shop.demonstration] : []),
    ...(shop.contactEmail === fallbackSender ? [] : [shop.contactEmail]),
  ];
  const content = {
    language: locales[locale].tag,
    shopName: shop.name,
    colours: shop.colours,
    title,
    preview: preview ?? firstText(parts),
    parts,
    footer,
  };
  return {
    from: { name: shop.name, address: shop.contactEmail },
    subject,
    text: renderText(content),
    html: renderHtml(content),
  };
}

function firstText(parts: readonly EmailPart[]): string {
  const first = parts.find((part) => part.kind === 'text');
  return first?.text ?? '';
}
