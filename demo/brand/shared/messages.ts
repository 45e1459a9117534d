/** The brand's own texts. A language without a file has those of the first. */
import type { Locale } from '#contract/locales.ts';
import { type MessageValues, translator } from '#contract/translate.ts';
import en from './messages/en.json' with { type: 'json' };
import zh from './messages/zh.json' with { type: 'json' };

type BrandMessages = typeof en;
export type BrandTranslate = (key: keyof BrandMessages, values?: MessageValues) => string;

const messages: Partial<Record<Locale, BrandMessages>> = { en, zh };

export function brandTranslate(locale: Locale): BrandTranslate {
  return translator<keyof BrandMessages>(locale, messages[locale] ?? en);
}
