/**
 * Finds the solar term of a day. A term begins when the Sun reaches a multiple of 15° of apparent geocentric longitude; calendars
 * name the day on which it does, which differs between time zones.
 */
import Type, { type Static } from 'typebox';
import { inLocale } from '#contract/locales.ts';
import { described } from '#contract/schemas/annotate.ts';
import { LocalText } from '#contract/schemas/common.ts';
import type { BrandClock } from '#server/platform/brand.ts';
import { minuteMs } from '#server/platform/durations.ts';
import { momentAt, wallClock } from '#server/platform/time-zone.ts';

/** In the order of a calendar year. */
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
      link: described('A page of the shop such as `/product/keemun`, or an `https://` address; empty for none.', Type.String()),
    }),
    { maxItems: solarTerms.length },
  ),
);
export type SolarTermNotes = Static<typeof SolarTermNotes>;

/**
 * When the terms of a year begin, in minutes since the first of January, UTC; the first is at 285°. Computed with VSOP87
 * (PyEphem 4.1.4) and rounded to the minute.
 */
const beginnings: readonly (readonly [year: number, minutes: readonly number[]])[] = [
  [
    2024,
    [
      7009, 28207, 49467, 70813, 92303, 113946, 135782, 157800, 180010, 202380, 224890, 247491, 270140, 292784, 315369, 337855,
      360191, 382364, 404340, 426135, 447740, 469196, 490517, 511760,
    ],
  ],
  [
    2025,
    [
      5913, 27120, 48370, 69726, 91207, 112861, 134688, 156716, 178917, 201295, 223797, 246402, 269045, 291690, 314272, 336754,
      359092, 381259, 403241, 425031, 446644, 468095, 489424, 510663,
    ],
  ],
  [
    2026,
    [
      6263, 27465, 48722, 70072, 91559, 113206, 135040, 157059, 179269, 201637, 224148, 246745, 269397, 292033, 314623, 337099,
      359441, 381605, 403589, 425378, 446992, 468443, 489772, 511010,
    ],
  ],
  [
    2027,
    [
      6610, 27810, 49066, 70413, 91899, 113545, 135377, 157398, 179605, 201978, 224486, 247091, 269737, 292385, 314967, 337454,
      359788, 381962, 403937, 425733, 447338, 468796, 490117, 511362,
    ],
  ],
  [
    2028,
    [
      6954, 28162, 49411, 70766, 92245, 113897, 135723, 157749, 179952, 202330, 224836, 247442, 270090, 292734, 315321, 337801,
      360142, 382305, 404288, 426073, 447687, 469134, 490464, 511699,
    ],
  ],
  [
    2029,
    [
      5862, 27061, 48320, 69668, 91157, 112802, 134638, 156656, 178868, 201236, 223750, 246348, 269002, 291642, 314232, 336712,
      359052, 381218, 403198, 424988, 446597, 468049, 489374, 510614,
    ],
  ],
  [
    2030,
    [
      6210, 27414, 48668, 70020, 91503, 113152, 134981, 157003, 179206, 201581, 224084, 246691, 269335, 291985, 314567, 337056,
      359393, 381567, 403545, 425340, 446948, 468404, 489727, 510969,
    ],
  ],
  [
    2031,
    [
      6563, 27768, 49018, 70371, 91851, 113501, 135328, 157351, 179555, 201928, 224436, 247037, 269689, 292330, 314923, 337403,
      359750, 381915, 403903, 425689, 447305, 468752, 490083, 511315,
    ],
  ],
  [
    2032,
    [
      6916, 28111, 49369, 70712, 92200, 113842, 135677, 157694, 179906, 202275, 224788, 247389, 270041, 292685, 315273, 337758,
      360098, 382271, 404250, 426046, 447654, 469111, 490433, 511676,
    ],
  ],
  [
    2033,
    [
      5828, 27032, 48281, 69633, 91112, 112762, 134588, 156613, 178814, 201191, 223693, 246301, 268945, 291593, 314176, 336662,
      359000, 381171, 403154, 424947, 446561, 468016, 489345, 510586,
    ],
  ],
  [
    2034,
    [
      6184, 27387, 48641, 69990, 91472, 113117, 134946, 156964, 179169, 201537, 224047, 246644, 269298, 291936, 314529, 337008,
      359354, 381519, 403507, 425296, 446913, 468365, 489696, 510934,
    ],
  ],
  [
    2035,
    [
      6535, 27734, 48991, 70336, 91821, 113462, 135294, 157309, 179515, 201883, 224391, 246993, 269641, 292289, 314874, 337364,
      359702, 381879, 403857, 425656, 447264, 468723, 490045, 511290,
    ],
  ],
  [
    2036,
    [
      6883, 28091, 49339, 70694, 92171, 113823, 135646, 157670, 179869, 202245, 224747, 247352, 269997, 292643, 315229, 337712,
      360055, 382223, 404209, 425999, 447614, 469065, 490396, 511632,
    ],
  ],
  [
    2037,
    [
      5794, 26993, 48251, 69599, 91086, 112730, 134564, 156580, 178789, 201155, 223667, 246262, 268915, 291552, 314143, 336622,
      358965, 381133, 403117, 424910, 446524, 467978, 489307, 510547,
    ],
  ],
  [
    2038,
    [
      6146, 27348, 48603, 69952, 91435, 113080, 134909, 156928, 179131, 201502, 224005, 246609, 269252, 291900, 314481, 336970,
      359306, 381482, 403461, 425260, 446870, 468331, 489656, 510902,
    ],
  ],
  [
    2039,
    [
      6496, 27703, 48952, 70305, 91783, 113432, 135255, 157277, 179478, 201851, 224355, 246957, 269606, 292248, 314838, 337318,
      359664, 381829, 403817, 425605, 447222, 468672, 490005, 511240,
    ],
  ],
  [
    2040,
    [
      6843, 28041, 49299, 70643, 92131, 113771, 135605, 157619, 179829, 202195, 224708, 247306, 269959, 292601, 315190, 337673,
      360014, 382185, 404165, 425959, 447569, 469025, 490350, 511592,
    ],
  ],
  [
    2041,
    [
      5748, 26953, 48205, 69557, 91037, 112686, 134512, 156535, 178734, 201109, 223610, 246216, 268858, 291506, 314088, 336576,
      358913, 381086, 403067, 424862, 446473, 467929, 489255, 510498,
    ],
  ],
  [
    2042,
    [
      6095, 27300, 48552, 69904, 91385, 113033, 134860, 156879, 179083, 201451, 223958, 246556, 269207, 291846, 314439, 336918,
      359265, 381431, 403420, 425209, 446827, 468277, 489609, 510844,
    ],
  ],
  [
    2043,
    [
      6445, 27641, 48898, 70241, 91727, 113367, 135200, 157214, 179422, 201789, 224298, 246898, 269548, 292193, 314780, 337269,
      359610, 381787, 403767, 425566, 447175, 468635, 489957, 511201,
    ],
  ],
  [
    2044,
    [
      6792, 27997, 49244, 70595, 92071, 113720, 135543, 157566, 179765, 202142, 224644, 247251, 269896, 292543, 315128, 337614,
      359956, 382127, 404113, 425906, 447521, 468975, 490305, 511543,
    ],
  ],
  [
    2045,
    [
      5702, 26902, 48156, 69502, 90985, 112627, 134457, 156472, 178679, 201046, 223557, 246154, 268808, 291446, 314039, 336519,
      358865, 381032, 403020, 424812, 446429, 467883, 489215, 510455,
    ],
  ],
  [
    2046,
    [
      6055, 27255, 48510, 69855, 91337, 112977, 134804, 156818, 179020, 201388, 223892, 246494, 269140, 291788, 314373, 336864,
      359203, 381381, 403362, 425163, 446774, 468236, 489561, 510808,
    ],
  ],
  [
    2047,
    [
      6402, 27609, 48857, 70210, 91685, 113332, 135152, 157172, 179368, 201740, 224241, 246843, 269490, 292135, 314726, 337210,
      359558, 381728, 403717, 425508, 447127, 468578, 489910, 511147,
    ],
  ],
  [
    2048,
    [
      6749, 27946, 49204, 70548, 92034, 113673, 135505, 157517, 179724, 202088, 224598, 247194, 269846, 292487, 315078, 337562,
      359908, 382080, 404066, 425862, 447476, 468933, 490260, 511502,
    ],
  ],
  [
    2049,
    [
      5658, 26861, 48113, 69462, 90942, 112588, 134414, 156433, 178632, 201003, 223503, 246107, 268748, 291396, 313978, 336467,
      358805, 380982, 402964, 424765, 446378, 467839, 489166, 510411,
    ],
  ],
  [
    2050,
    [
      6007, 27213, 48463, 69814, 91292, 112939, 134763, 156782, 178982, 201350, 223854, 246453, 269101, 291741, 314332, 336812,
      359160, 381328, 403320, 425111, 446733, 468186, 489521, 510758,
    ],
  ],
];

const instants = beginnings.flatMap(([year, minutes]) =>
  minutes.map((minute, index) => ({ term: solarTerms[index] as SolarTerm, at: Date.UTC(year, 0, 1) + minute * minuteMs })),
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

/** The line for the present term; null if the shop has none for it. */
export function noteAt(notes: SolarTermNotes, { now, timeZone, locale }: BrandClock) {
  const current = notes.length > 0 ? solarTermAt(now, timeZone) : null;
  if (!current) return null;
  const note = notes.find(({ term }) => term === current.term);
  return { text: note ? inLocale(note.text, locale) : '', link: note?.link ?? '', until: current.until };
}
