/** The storefront’s messages, so that one test finds its texts in every language. Key sentences are literals in key-sentences.test.ts. */
import { type Locale, localeCodes, locales, type MessageKey, type Messages } from '#contract/locales.ts';
import { type Translate, translator } from '#contract/translate.ts';

const loaded = await Promise.all(
  localeCodes.map(async (code) => [code, (await locales[code].load()).default] as const),
);
const messages = Object.fromEntries(loaded) as Record<Locale, Messages>;

/** The languages that browser tests are run in (playwright.config.ts): what is not the shop's own is written down in both. */
export type TestedLanguage = Extract<Locale, 'en' | 'zh'>;

export function messagesOf(lang: Locale): Translate {
  return translator(lang, messages[lang]);
}

/** A message with its placeholders. */
export function messageText(lang: Locale, key: MessageKey): string {
  return messages[lang][key];
}
