/** The storefront's own messages, so that a test names what it looks for once, for every language. */
import type { Locale, MessageKey, Messages } from '#contract/locales.ts';
import en from '#contract/messages/en.json' with { type: 'json' };
import zh from '#contract/messages/zh.json' with { type: 'json' };
import { type Translate, translator } from '#contract/translate.ts';

const messages: Record<Locale, Messages> = { en, zh };

export function messagesOf(lang: Locale): Translate {
  return translator(lang, messages[lang]);
}

/** A message with its placeholders. */
export function messageText(lang: Locale, key: MessageKey): string {
  return messages[lang][key];
}
