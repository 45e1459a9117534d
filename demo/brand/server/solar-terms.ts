/** A term begins when the Sun reaches a multiple of 15° of apparent geocentric longitude, on a day that differs between time zones. */
import Type, { type Static } from 'typebox';
import { inLocale } from '#contract/locales.ts';
import { described, LocalText } from '#contract/schemas/common.ts';
import type { BrandClock } from '#server/platform/brand.ts';
import { minuteMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import beginnings from './solar-terms.json' with { type: 'json' };

export const solarTerms = [
  'minorCold',
  'majorCold',
  'startOfSpring',
  'rainWater',
  'awakeningOfInsects',
  'springEquinox',
  'clearAndBright',
  'grainRain',
  'startOfSummer',
  'grainBuds',
  'grainInEar',
  'summerSolstice',
  'minorHeat',
  'majorHeat',
  'startOfAutumn',
  'endOfHeat',
  'whiteDew',
  'autumnEquinox',
  'coldDew',
  'frostsDescent',
  'startOfWinter',
  'minorSnow',
  'majorSnow',
  'winterSolstice',
] as const;
export type SolarTerm = (typeof solarTerms)[number];

export const SolarTermNotes = described(
  'A line under the header for each of the 24 solar terms, from the day of the term on; an empty list for none.',
  Type.Array(
    Type.Object({
      term: described('The solar term.', Type.Enum(solarTerms)),
      text: described('The line, such as "Minor Snow · Keemun, hot and plain".', LocalText),
      link: described(
        'A page of the shop such as `/product/keemun`, or an `https://` address; empty for none.',
        Type.String(),
      ),
    }),
    { maxItems: solarTerms.length },
  ),
);
export type SolarTermNotes = Static<typeof SolarTermNotes>;

/** By year, in minutes since the first of January, UTC; the first is at 285°. Computed with VSOP87 (PyEphem 4.1.4). */
const instants = Object.entries(beginnings).flatMap(([year, minutes]) =>
  minutes.map((minute, index) => ({
    term: solarTerms[index] as SolarTerm,
    at: Date.UTC(Number(year), 0, 1) + minute * minuteMs,
  })),
);

export interface CurrentTerm {
  term: SolarTerm;
  /** Epoch ms: the midnight at which the day of the next term begins. */
  until: number;
}

/** The solar term at `now` (epoch ms) by the calendar of a time zone. Null outside the years of the table, 2024 to 2050. */
export function solarTermAt(now: number, timeZone: string): CurrentTerm | null {
  const begins = ({ at }: { at: number }) => momentAt(wallClock(at, timeZone).date, 0, timeZone);
  const later = instants.findIndex(({ at }) => at > now);
  const soon = instants[later];
  // The day of the next term may have begun before its instant.
  const next = soon && begins(soon) <= now ? later + 1 : later;
  const current = instants[next - 1];
  const following = instants[next];
  return current && following ? { term: current.term, until: begins(following) } : null;
}

export function noteAt(notes: SolarTermNotes, { now, timeZone, locale }: BrandClock) {
  const current = notes.length > 0 ? solarTermAt(now, timeZone) : null;
  if (!current) return null;
  const note = notes.find(({ term }) => term === current.term);
  return { text: note ? inLocale(note.text, locale) : '', link: note?.link ?? '', until: current.until };
}
