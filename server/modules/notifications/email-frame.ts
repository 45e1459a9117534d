import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrandColours } from '#contract/brand-colours.ts';
import type { EmailId } from '#contract/emails.ts';
import { inLocale, type Locale, locales, localizePath } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import {
  hasOwnColours,
  lookColours,
  lookFiles,
  lookPicturesOf,
  type SettingsService,
  type ShopSettings,
} from '#server/modules/settings/index.ts';
import { readBrandTokens } from '#server/platform/brand-tokens.ts';
import type { Env } from '#server/platform/env.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { translate } from '#server/platform/i18n.ts';
import type { EmailSample, EmailSamples, EmailWords } from './email-words.ts';
import type { EmailTemplates, EmailTemplatesOf, RenderedEmail } from './mail-sender.ts';

export interface MailShop {
  name: string;
  contactEmail: string;
  /** Null if the shop has no public URL; emails then have no links. */
  publicUrl: string | null;
  demonstration: string | null;
  colours: EmailColours;
  /** What the merchant wrote in place of texts that are delivered. */
  texts: ShopSettings['emails'];
  /** The URL of its mark, which stands before its name; null without a mark of its own, or without a public URL. */
  mark: string | null;
}

const fallbackSender = 'no-reply@localhost';

/** Beside the settings. */
type MailFrame = Pick<MailShop, 'publicUrl' | 'colours' | 'mark'>;

function mailShop(settings: ShopSettings, { publicUrl, colours, mark }: MailFrame, locale: Locale): MailShop {
  return {
    mark,
    texts: settings.emails,
    name: inLocale(settings.shopName, locale),
    contactEmail: settings.contactEmail || fallbackSender,
    publicUrl,
    // Those of the owner's look, as on the pages that the email leads to.
    colours: hasOwnColours(settings) ? emailColours(lookColours(settings), 'tokens.css') : colours,
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

interface EmailInput {
  shop: MailShop;
  locale: Locale;
  parts: readonly EmailPart[];
  /** Why the recipient gets the email. */
  why: string;
  /** What lists of emails show beside the subject; by default the first text. */
  preview?: string;
}

/** To a customer: subject, title and end are those of its texts. */
export function renderCustomerEmail({ words, ...input }: EmailInput & { words: EmailWords }): RenderedEmail {
  const { subject, title, closing, foot } = words;
  return renderEmail({ ...input, subject, title, parts: [...input.parts, ...closing], foot });
}

/** To the staff, whose texts nobody changes. */
export const renderStaffEmail = (input: EmailInput & { subject: string; title: string }): RenderedEmail =>
  renderEmail({ ...input, foot: [] });

interface WholeEmail extends EmailInput {
  subject: string;
  title: string;
  /** Above why the recipient gets it. */
  foot: readonly string[];
}

function renderEmail({ shop, locale, subject, title, parts, foot, why, preview }: WholeEmail): RenderedEmail {
  const footer = [
    ...foot,
    why,
    ...(shop.demonstration ? [shop.demonstration] : []),
    ...(shop.contactEmail === fallbackSender ? [] : [shop.contactEmail]),
  ];
  const content = {
    language: locales[locale].tag,
    shopName: shop.name,
    mark: shop.mark,
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

/**
 * As text, and as HTML that every mail program displays: one column of 560 px, tables, inline styles. The only external resources
 * are pictures of the shop itself. Colours for dark mode are in a style element, which programs without dark mode ignore.
 */
const emailTokens = [
  'paper',
  'surface-inset',
  'raised',
  'ink',
  'ink-soft',
  'line',
  'action',
  'on-action',
] as const;
type Scheme = Record<(typeof emailTokens)[number], string>;
/** By token, as `#rrggbb`. */
interface EmailColours {
  light: Scheme;
  dark: Scheme;
}

interface EmailRow {
  label: string;
  note?: string;
  amount: string;
  strong?: boolean;
  picture?: string;
}

export type EmailPart =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  /** `large` is the part of `whole` that is called at the counter. */
  | { kind: 'number'; label: string; large: string; whole: string }
  | { kind: 'card'; title: string; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'rows'; rows: readonly EmailRow[] };

interface EmailContent {
  language: string;
  shopName: string;
  mark: string | null;
  colours: EmailColours;
  title: string;
  /** What lists of emails show beside the subject. */
  preview: string;
  parts: readonly EmailPart[];
  footer: readonly string[];
}

const font =
  "font-family:-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei','Noto Sans SC',sans-serif";
const serif = "font-family:Georgia,'Songti SC',SimSun,'Noto Serif CJK SC',serif";

function darkRules({ dark }: EmailColours): string {
  return [
    '@media (prefers-color-scheme:dark){',
    `.page{background:${dark.paper}!important;color:${dark.ink}!important}`,
    `.sheet{background:${dark.raised}!important}`,
    `.soft{color:${dark['ink-soft']}!important}`,
    `.line{border-color:${dark.line}!important}`,
    `.box{background:${dark['surface-inset']}!important}`,
    `.button{background:${dark.action}!important;color:${dark['on-action']}!important}`,
    '}',
  ].join('');
}

function renderText({ shopName, title, parts, footer }: EmailContent): string {
  const blocks = [title, ...parts.map(textOf), ['-- ', shopName, ...footer].join('\n')];
  return `${blocks.join('\n\n')}\n`;
}

function textOf(part: EmailPart): string {
  switch (part.kind) {
    case 'heading':
      return part.text.toUpperCase();
    case 'text':
      return part.text;
    case 'code':
      return `    ${part.text}`;
    case 'number':
      return `${part.label} ${part.whole}`;
    case 'card':
      return `${part.title.toUpperCase()}\n\n${part.text}`;
    case 'button':
      return `${part.label}:\n${part.url}`;
    case 'rows':
      return part.rows
        .map(({ label, note, amount }) => `${label}${note ? ` (${note})` : ''}: ${amount}`)
        .join('\n');
  }
}

function renderHtml({
  language,
  shopName,
  mark,
  colours,
  title,
  preview,
  parts,
  footer,
}: EmailContent): string {
  const { light } = colours;
  return [
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(title)}</title><style>${darkRules(colours)}</style></head>`,
    `<body class="page" style="margin:0;padding:0;background:${light.paper};color:${light.ink};${font};font-size:16px;line-height:1.55">`,
    `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`,
    '<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:24px 12px">',
    `<table role="presentation" class="sheet" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;background:${light.raised};border-radius:4px">`,
    '<tr><td style="padding:32px 28px">',
    `<p style="margin:0 0 28px;${serif};font-size:22px;line-height:1.2">${markOf(mark)}${escapeHtml(shopName)}</p>`,
    `<h1 style="margin:0 0 20px;${serif};font-size:26px;line-height:1.3;font-weight:400">${escapeHtml(title)}</h1>`,
    ...parts.map((part) => htmlOf(part, light)),
    `<p class="soft line" style="margin:32px 0 0;padding-top:16px;border-top:1px solid ${light.line};color:${light['ink-soft']};font-size:13px">`,
    footer.map(lines).join('<br>'),
    '</p></td></tr></table></td></tr></table></body></html>',
  ].join('\n');
}

/** Decoration: the shop's name stands beside it. */
const markOf = (mark: string | null) =>
  mark === null
    ? ''
    : `<img src="${escapeHtml(mark)}" width="36" height="36" alt="" style="margin-right:12px;border-radius:6px;vertical-align:middle">`;

const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

function htmlOf(part: EmailPart, light: EmailColours['light']): string {
  const soft = light['ink-soft'];
  switch (part.kind) {
    case 'heading':
      return `<h2 style="margin:28px 0 8px;font-size:17px;font-weight:600">${escapeHtml(part.text)}</h2>`;
    case 'text':
      return `<p style="margin:0 0 16px">${lines(part.text)}</p>`;
    case 'code':
      return `<p class="box" style="margin:0 0 16px;padding:14px 16px;background:${light['surface-inset']};border-radius:4px;font-family:ui-monospace,Consolas,monospace;font-size:20px;letter-spacing:1px">${escapeHtml(part.text)}</p>`;
    case 'number':
      return `<p class="line" style="margin:0 0 24px;padding:16px 0;border:dashed ${light.line};border-width:2px 0;text-align:center;line-height:1.25"><span class="soft" style="color:${soft};font-size:14px">${escapeHtml(part.label)}</span><br><strong style="font-size:40px;font-weight:600">${escapeHtml(part.large)}</strong><br><span class="soft" style="color:${soft};font-size:14px">${escapeHtml(part.whole)}</span></p>`;
    case 'card':
      return `<div class="box" style="margin:24px 0 16px;padding:16px 20px;background:${light['surface-inset']};border-radius:4px"><h2 style="margin:0 0 6px;font-size:16px;font-weight:600">${escapeHtml(part.title)}</h2><p style="margin:0">${lines(part.text)}</p></div>`;
    case 'button':
      return `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(part.url)}" style="display:block;padding:0 20px;background:${light.action};color:${light['on-action']};border-radius:4px;text-align:center;text-decoration:none;font-weight:600;line-height:48px">${escapeHtml(part.label)}</a></p>`;
    case 'rows':
      return `<table width="100%" cellspacing="0" cellpadding="0" style="margin:0 0 16px;border-collapse:collapse">${part.rows.map((row) => rowOf(row, part.rows.some(hasPicture), light)).join('')}</table>`;
  }
}

const hasPicture = ({ picture }: EmailRow) => picture !== undefined;

/** `pictured`: there is a column of pictures. */
function rowOf(
  { label, note, amount, strong, picture }: EmailRow,
  pictured: boolean,
  light: EmailColours['light'],
): string {
  const cell = `padding:8px 0;border-top:1px solid ${light.line};vertical-align:top${strong ? ';font-weight:600' : ''}`;
  const below = note
    ? `<br><span class="soft" style="color:${light['ink-soft']};font-size:14px">${escapeHtml(note)}</span>`
    : '';
  const image = picture
    ? `<img src="${escapeHtml(picture)}" width="64" height="64" alt="" style="display:block;border-radius:2px">`
    : '';
  const first = pictured
    ? `<td class="line" width="64" style="${cell};padding-right:16px">${image}</td>`
    : '';
  return `<tr>${first}<td class="line" style="${cell}">${escapeHtml(label)}${below}</td><td class="line" align="right" style="${cell};padding-left:16px;white-space:nowrap">${escapeHtml(amount)}</td></tr>`;
}

/** Each module registers the templates of its own emails. */
export interface EmailRegistryDeps {
  env: Pick<Env, 'publicUrl' | 'brand'>;
  settings: Pick<SettingsService, 'all'>;
  media: { images(files: readonly string[]): Promise<ReadonlyMap<string, ImageInfo>> };
}

/** It has what every email has. */
const exampleOfEvery = 'orderShipped';

const root = join(import.meta.dirname, '../../..');

export type EmailRegistry = ReturnType<typeof createEmailRegistry>;

/** With the template of merchant alerts, which any module may raise. */
export function createEmailRegistry({ env, settings, media }: EmailRegistryDeps) {
  const { publicUrl } = env;
  const colours = readEmailColours(env.brand);
  const brandMark = env.brand && existsSync(resolve(root, env.brand, 'favicon.svg')) ? '/icon-192.png' : null;

  /** The owner's icon or logo, or that of the brand folder. Mail programs show no SVG. */
  async function markFor(shop: ShopSettings): Promise<string | null> {
    if (publicUrl === null) return null;
    const { icons } = lookPicturesOf(shop, await media.images(lookFiles(shop)));
    const mark = icons?.app192 ?? brandMark;
    return mark && publicUrl + mark;
  }

  async function shopFor(locale: Locale, drafts?: ShopSettings['emails']): Promise<MailShop> {
    const stored = await settings.all();
    const shop = drafts ? { ...stored, emails: drafts } : stored;
    return mailShop(shop, { publicUrl, colours, mark: await markFor(shop) }, locale);
  }

  const samples: Partial<EmailSamples> = {};

  /** An email as it would be sent with these texts, of an example order or account. */
  async function example(id: EmailId, locale: Locale, texts: ShopSettings['emails']): Promise<RenderedEmail> {
    const sample: EmailSample | undefined = samples[id === 'everyEmail' ? exampleOfEvery : id];
    if (!sample) throw new Error(`no example of the email ${id}`);
    return sample(await shopFor(locale, texts), locale);
  }

  const templates: Partial<EmailTemplates> & EmailTemplatesOf<'notifications'> = {
    async merchantAlert({ alert, values }) {
      const { contactEmail, staffLanguage: locale } = await settings.all();
      if (!contactEmail) return null;
      const shop = await shopFor(locale);
      const t = translate(locale);
      const subject = t(`mail.alert.${alert}.subject`, { ...values, shop: shop.name });
      const text = t(`mail.alert.${alert}.text`, { ...values, shop: shop.name });
      const why = t('mail.why.merchant', { shop: shop.name });
      const email = renderStaffEmail({
        shop,
        locale,
        subject,
        title: subject,
        parts: [{ kind: 'text', text }],
        why,
      });
      return { ...email, to: contactEmail };
    },
    async emailTest({ email: id, texts }, { locale }) {
      const email = await example(id, locale, texts);
      return { ...email, subject: translate(locale)('mail.example.subject', { subject: email.subject }) };
    },
  };
  return {
    templates,
    /** In a language, from the current settings. */
    shopFor,
    register: (added: Partial<EmailTemplates>): void => void Object.assign(templates, added),
    registerSamples: (added: Partial<EmailSamples>): void => void Object.assign(samples, added),
    example,
  };
}

/** A `brand` folder without `tokens.css`, or null, is the demo's. @throws {Error} if a colour that emails use is missing */
function readEmailColours(brand: string | null): EmailColours {
  const { colours, file } = readBrandTokens(brand);
  return emailColours(colours, file);
}

/** @throws {Error} if one of them is missing */
function emailColours({ light, dark }: BrandColours, file: string): EmailColours {
  const pick = (colours: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      emailTokens.map((token) => {
        const colour = colours.get(token);
        if (!colour) throw new Error(`${file} lacks --color-${token}`);
        return [token, colour];
      }),
    ) as EmailColours['light'];
  return { light: pick(light), dark: pick(dark) };
}
