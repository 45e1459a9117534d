/** The brand's own texts. A language without a file has those of the first. */
import { numberFormat } from '#contract/formatters.ts';
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

export const brewWays = ['pot', 'gaiwan', 'cold'] as const;

const hour = 3600;
export const daySeconds = 24 * hour;

/** Whether an infusion takes hours, in the refrigerator: nobody waits for it. */
export function isOvernight(seconds: number): boolean {
  return seconds >= hour;
}

/** "20 s", "3 min", "2 min 30 s", "8 h". */
export function infusionTime(seconds: number, locale: Locale, t: BrandTranslate): string {
  const number = (value: number) => numberFormat(locale, { maximumFractionDigits: 1 }).format(value);
  if (seconds < 90) return t('brew.seconds', { value: seconds });
  if (isOvernight(seconds)) return t('brew.hours', { value: number(seconds / hour) });
  const minutes = Math.floor(seconds / 60);
  if (seconds % 60 === 0) return t('brew.minutes', { value: minutes });
  return t('brew.minutesSeconds', { minutes, seconds: seconds % 60 });
}

export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
