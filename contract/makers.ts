/** Lists who made what an order contains, as its ticket and its email name them. */
import { inLocale, type Locale } from './locales.ts';
import type { LineItem } from './schemas/order.ts';

/** The names of the brands of these lines, each once, in the order of the lines. */
export function makersOf(lines: readonly Pick<LineItem, 'brandContent'>[], locale: Locale): string[] {
  return [...new Set(lines.flatMap(({ brandContent }) => (brandContent ? [inLocale(brandContent, locale)] : [])))];
}
