import { numberFormat } from '#contract/formatters.ts';
import type { Locale } from '#contract/locales.ts';
import type { BrandTranslate } from './messages.ts';

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
