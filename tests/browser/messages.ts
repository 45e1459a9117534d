/** The storefront's own messages, so that a test names what it looks for once, for every language. */
import type { Locale } from '#contract/locales.ts';
import en from '#contract/messages/en.json' with { type: 'json' };
import zh from '#contract/messages/zh.json' with { type: 'json' };
import { type Translate, translator } from '#contract/translate.ts';

const translators: Record<Locale, Translate> = { en: translator('en', en), zh: translator('zh', zh) };

export function messagesOf(lang: Locale): Translate {
  return translators[lang];
}
