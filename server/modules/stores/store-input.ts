/** The rules of a store that its schema cannot state. */
import { weekdays } from '#contract/limits.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { type DayHours as Hours, spansOf } from '#contract/rules/opening-hours.ts';
import { type Store as StoredStore, StoreInput } from '#contract/schemas/store.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { isCalendarDay } from '#server/platform/time-zone.ts';
import { zoneProblems } from './delivery-zones.ts';

/** How busy a store is, as staff say; what is over is null. */
export interface StoreToday {
  /** Minutes more than the store usually needs, until an epoch ms. */
  busy: { minutes: number; until: number } | null;
  /** No pickup before it can be chosen; epoch ms. */
  pausedUntil: number | null;
}

/** `today` is only there as of now: no file has it. */
export type Store = StoredStore & { today?: StoreToday };

/** Lists what is wrong with each store in itself. */
export function storeProblems(stores: readonly Store[]): Problem[] {
  return stores.flatMap((store) => {
    const invalid = schemaProblems(StoreInput, store, { closed: false });
    const problems =
      invalid.length > 0 ? invalid : [...oddHours(store), ...oddPlace(store), ...zoneProblems(store.id, store.deliveryZones)];
    return problems.map((each) => ({ ...each, path: ['stores', store.id, ...each.path] }));
  });
}

/** Two main stores among all stores of a shop. */
export function mainStoreProblems(stores: readonly Pick<Store, 'id' | 'mainStore'>[]): Problem[] {
  const main = stores.filter(({ mainStore }) => mainStore).map(({ id }) => id);
  if (main.length < 2) return [];
  return [problem(['stores', main.at(-1) ?? '', 'mainStore'], 'problem.mainStore', { stores: main.join(', ') })];
}

/** Hours that end on the next day end by then. Later ones are taken for a mistake, such as opening and closing the wrong way round. */
export const latestNextDay = '06:00';

function oddHours({ openingHours, specialHours }: Store): Problem[] {
  const dates = specialHours.map(({ date }) => date);
  const repeated = new Set(dates.filter((date, index) => dates.indexOf(date) !== index));
  return [
    ...weekdays.flatMap((day) => oddDay(['openingHours', day], openingHours[day])),
    ...specialHours.flatMap(({ date, hours }, index) => {
      const path = ['specialHours', String(index)];
      const exists = isCalendarDay(date);
      return [
        ...(exists ? [] : [problem([...path, 'date'], 'problem.date.none', { found: shown(date) })]),
        ...oddDay([...path, 'hours'], hours),
      ];
    }),
    ...[...repeated].map((date) => problem(['specialHours'], 'problem.repeatedEntry', { name: date })),
  ];
}

function oddDay(path: readonly string[], hours: Hours): Problem[] {
  if (!hours) return [];
  // All are 'HH:mm', so they sort as text.
  if (hours.close > hours.open || hours.close <= latestNextDay) return oddBreaks(path, hours);
  const { open, close } = hours;
  return [problem(path, 'problem.hours.reversed', { open, close, latest: latestNextDay })];
}

function oddBreaks(path: readonly string[], hours: NonNullable<Hours>): Problem[] {
  const { open, close, breaks = [] } = hours;
  const times = spansOf(hours).flatMap(({ start, end }) => [start, end]);
  const inOrder =
    times.length === 2 + 2 * breaks.length && times.every((at, index) => index === 0 || at > (times[index - 1] ?? 0));
  const found = shown(breaks.map(({ from, until }) => `${from}–${until}`).join(', '));
  return inOrder ? [] : [problem([...path, 'breaks'], 'problem.hours.breaks', { open, close, found })];
}

function oddPlace({ address, timeZone }: Store): Problem[] {
  const codes = offeredProvinces(address.countryISOCode).map(({ code }) => code);
  const known = codes.length === 0 || codes.includes(address.provinceCode);
  const province = { country: address.countryISOCode, found: shown(address.provinceCode), allowed: codes.join(', ') };
  return [
    ...(isTimeZone(timeZone) ? [] : [problem(['timeZone'], 'problem.timeZone', { found: shown(timeZone) })]),
    ...(known ? [] : [problem(['address', 'provinceCode'], 'problem.province', province)]),
  ];
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}
