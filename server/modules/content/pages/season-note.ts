/** Chooses the line under the header for the present solar term. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { recordUntil } from '#server/platform/recorded-reads.ts';
import { solarTermAt } from './solar-terms.ts';

/** What is shown at `now` (epoch ms), which is true until the midnight before the next term. Null if the shop has no line for the term. */
export function seasonNote(
  notes: ShopSettings['solarTermNotes'],
  now: number,
  timeZone: string,
  locale: Locale,
): AppContent['seasonNote'] {
  if (notes.length === 0) return null;
  const current = solarTermAt(now, timeZone);
  if (!current) return null;
  recordUntil(current.until);
  const note = notes.find(({ term }) => term === current.term);
  return note ? { text: inLocale(note.text, locale), link: note.link } : null;
}
