/** The texts of an email to a customer: what the merchant wrote, else what is delivered, with their fields filled. */
import {
  type CustomerEmail,
  type EmailId,
  type EmailSlot,
  type EmailValues,
  fieldsIn,
  slotOf,
} from '#contract/emails.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { EmailTexts } from '#contract/schemas/email.ts';
import { translator } from '#contract/translate.ts';
import { translate } from '#server/platform/i18n.ts';
import { button, type EmailPart, type MailShop } from './email-frame.ts';
import type { RenderedEmail } from './mail-sender.ts';

export interface EmailWords {
  subject: string;
  title: string;
  greeting: EmailPart[];
  /** '' if it has none. */
  text: string;
  /** Empty if there is no URL for it. */
  button(url: string | null): EmailPart[];
  closing: EmailPart[];
  foot: string[];
}

/** An email of an example order or account. */
export type EmailSample = (shop: MailShop, locale: Locale) => Promise<RenderedEmail> | RenderedEmail;
/** Each module has those of its own emails. */
export type EmailSamples = Record<CustomerEmail, EmailSample>;

type Values = Partial<Record<string, string>>;

/** Filled in; null if it says a name that is not known. */
function filled(text: string, values: Values, locale: Locale): string | null {
  if (!values.name && fieldsIn(text).includes('name')) return null;
  return translator<string>(locale, { text })('text', values as Record<string, string>);
}

/** What was written in the language. A text that is not delivered is shown in another language rather than not at all. */
function written(
  texts: EmailTexts | undefined,
  name: EmailSlot,
  isDelivered: boolean,
  locale: Locale,
): string {
  const text = texts?.[name] ?? {};
  return (isDelivered ? text[locale] : inLocale(text, locale)) ?? '';
}

/** Empty without a text. */
export const paragraph = (text: string): EmailPart[] => (text ? [{ kind: 'text', text }] : []);

export function emailWords<K extends CustomerEmail>(
  { texts }: Pick<MailShop, 'texts'>,
  locale: Locale,
  id: K,
  values: EmailValues<K>,
): EmailWords {
  /** '' for none. */
  const say = (name: EmailSlot, of: EmailId = id): string => {
    const facts = slotOf(of, name);
    if (!facts) return '';
    const { delivered, nameless } = facts;
    const own = written(texts[of], name, delivered !== null, locale);
    const original = delivered === null ? '' : translate(locale)(delivered);
    for (const text of [own, original]) {
      const whole = text && filled(text, values, locale);
      if (whole) return whole;
      // An own text that cannot be filled is not shown in part.
      if (text && !nameless) return '';
    }
    return nameless ? translate(locale)(nameless) : '';
  };
  const inEvery = (name: EmailSlot) => say(name) || say(name, 'everyEmail');
  const subject = say('subject');
  const greets = slotOf(id, 'greeting')?.delivered != null;
  const ownGreeting = written(texts[id], 'greeting', greets, locale);
  const greeting = ownGreeting ? say('greeting') : greets ? say('greeting', 'everyEmail') : '';
  return {
    subject,
    title: say('title') || subject,
    greeting: paragraph(greeting),
    text: say('text'),
    button: (url) => button(say('button'), url),
    closing: paragraph(inEvery('closing')),
    foot: [inEvery('foot')].filter(Boolean),
  };
}
