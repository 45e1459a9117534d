/** The input schema of a store, and the rules that a schema cannot state. */
import Type, { type Static } from 'typebox';
import { countryCodes } from '#contract/countries.ts';
import { type Weekday, weekdays } from '#contract/limits.ts';
import { type Problem, problem, shown } from '#contract/problems.ts';
import { emailPattern } from '#contract/rules/contact.ts';
import { type DayHours as Hours, spansOf } from '#contract/rules/opening-hours.ts';
import { described } from '#contract/schemas/annotate.ts';
import { Flag, Id, LocalText, Nullable } from '#contract/schemas/common.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { isCalendarDay } from '#server/platform/time-zone.ts';
import { DeliveryZones, zoneProblems } from './delivery-zones.ts';

const opening = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  problem: 'problem.opening',
});
const closing = Type.String({
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  problem: 'problem.closing',
});

const DayHours = Nullable(
  Type.Object({
    open: described('When the store opens, in its time zone: `09:30`.', opening),
    close: described(
      'When the store closes: `18:00`. `24:00` is midnight, and `02:00` after `18:00` is on the next day.',
      closing,
    ),
    breaks: Type.Optional(
      described(
        'When the store is closed in between, in order: lunch from `11:00` to `14:00` and dinner from `17:00` are a break from `14:00` to `17:00`.',
        Type.Array(
          Type.Object({
            from: described('When the store closes: `14:00`.', closing),
            until: described('When it opens again: `17:00`.', opening),
          }),
        ),
      ),
    ),
  }),
);

const dayHours = (day: Weekday) =>
  described(`The hours on ${day[0]?.toUpperCase()}${day.slice(1)}; null if the store is closed.`, DayHours);

const OpeningHours = Type.Object(
  // `Object.fromEntries` does not type the keys it creates.
  Object.fromEntries(weekdays.map((day) => [day, dayHours(day)])) as Record<Weekday, ReturnType<typeof dayHours>>,
);

const SpecialHours = Type.Array(
  Type.Object({
    date: described('The date: `2026-12-25`.', Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', problem: 'problem.date' })),
    hours: described('The hours on that date; null if the store is closed.', DayHours),
  }),
);

const Address = Type.Object({
  street: described('Street and number.', Type.String()),
  city: described('City.', Type.String()),
  province: described('The name of the province or state, as the shop shows it.', Type.String()),
  provinceCode: described(
    'The code of the province or state, such as `ON`. It decides the tax on orders of this store.',
    Type.String(),
  ),
  postCode: described('Postal code.', Type.String()),
  country: described('The name of the country, as the shop shows it.', Type.String()),
  countryISOCode: described(
    'The ISO 3166 code of the country, such as `CA`.',
    Type.Enum([...countryCodes], { problem: 'problem.country' }),
  ),
});
export const StoreInput = Type.Object({
  id: described('Identifies the store: stock levels and later imports refer to it. Use letters, digits and hyphens.', Id),
  name: described('The name that customers see.', LocalText),
  description: described('A sentence or two for the contact page.', LocalText),
  address: described('Where the store is.', Address),
  lat: described('Latitude in degrees, for the map.', Type.Number({ minimum: -90, maximum: 90 })),
  lng: described('Longitude in degrees, for the map.', Type.Number({ minimum: -180, maximum: 180 })),
  phone: described('The phone number that customers call.', Type.String()),
  email: described(
    'The email address that customers write to; empty if there is none.',
    Type.String({ pattern: `^$|${emailPattern.source}`, problem: 'problem.email.orEmpty' }),
  ),
  timeZone: described('The IANA time zone of the opening hours, such as `America/Toronto`.', Type.String()),
  openingHours: described('The opening hours of each day. Pickup times lie within them.', OpeningHours),
  specialHours: described('Dates with hours of their own, such as holidays; at most one entry for a date.', SpecialHours),
  mainStore: described(
    'Whether this is the main store, whose time zone is the time zone of the shop. At most one store is; if none is, the first one counts as the main store.',
    Flag,
  ),
  display: described('Whether customers see the store.', Flag),
  allowPickup: described('Whether customers can pick up orders in this store.', Flag),
  tables: described(
    'The number of tables that are served. If it is above 0, customers can dine in: they enter a table number from 1 to this one. 0 turns dining in off.',
    Type.Integer({ minimum: 0, maximum: 9999 }),
  ),
  image: described('The file name of an image of the store; null for none.', Nullable(Type.String())),
  pickupLeadMinutes: described(
    'The lead time: minutes from an order to the first pickup time that can be chosen.',
    Type.Integer({ minimum: 0, maximum: 100_000 }),
  ),
  pickupSlotCapacity: described(
    'The number of orders that can be picked up at the same time. A pickup time with this many orders cannot be chosen.',
    Type.Integer({ minimum: 1, maximum: 100_000 }),
  ),
  deliveryZones: described(
    'The zones to which this store delivers orders itself, at most 20; the first that holds an address counts.',
    DeliveryZones,
  ),
});
/** How busy a store is, as staff say; what is over is null. */
export interface StoreToday {
  /** Minutes more than the store usually needs, until an epoch ms. */
  busy: { minutes: number; until: number } | null;
  /** No pickup before it can be chosen; epoch ms. */
  pausedUntil: number | null;
}

/** `today` is only there as of now: no file has it. */
export type Store = Static<typeof StoreInput> & { today?: StoreToday };

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
