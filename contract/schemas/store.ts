/** A store, as merchants write it in files and in the office. */
import Type, { type Static } from 'typebox';
import { countryCodes } from '../countries.ts';
import { type Weekday, weekdays } from '../limits.ts';
import { emailPattern } from '../rules/email-and-phone.ts';
import { CalendarDay, Cents, described, Flag, Id, LocalName, LocalText, Nullable } from './common.ts';

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
  Object.fromEntries(weekdays.map((day) => [day, dayHours(day)])) as Record<
    Weekday,
    ReturnType<typeof dayHours>
  >,
);

const SpecialHours = Type.Array(
  Type.Object({
    date: described('The date: `2026-12-25`.', CalendarDay),
    hours: described('The hours on that date; null if the store is closed.', DayHours),
  }),
);

const Corner = Type.Object({
  lat: described('Latitude in degrees.', Type.Number({ minimum: -90, maximum: 90 })),
  lng: described('Longitude in degrees.', Type.Number({ minimum: -180, maximum: 180 })),
});
export type Point = Static<typeof Corner>;

const DeliveryZone = Type.Object({
  id: described('Identifies the zone within its store. Orders refer to it.', Id),
  name: described(
    'The name of this delivery that customers choose, such as “By bike from Queen West”.',
    LocalName,
    {
      label: 'office.store.zoneName',
    },
  ),
  polygon: described(
    'The corners of the zone, in order around it. The last one is joined to the first.',
    Type.Array(Corner, { minItems: 3, maxItems: 100 }),
    { label: 'office.store.polygon', hint: 'office.store.polygonHint', control: 'own' },
  ),
  postalCodes: described(
    'The postal codes of the zone, or their beginnings, such as `M6J`. They decide for addresses whose place on the map is unknown; without `GEOCODER_URL` for all.',
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 -]{0,9}$', problem: 'problem.postalStart' }), {
      maxItems: 200,
    }),
    { label: 'office.store.postalCodes', hint: 'office.store.postalCodesHint' },
  ),
  feeCents: described('What a delivery costs, in cents.', Cents, { label: 'office.store.fee' }),
  minimumCents: described(
    'The least that the items of an order have to cost before discounts, in cents; 0 for any.',
    Cents,
    {
      label: 'office.store.minimum',
    },
  ),
  freeFromCents: described(
    'Free if the items cost this much or more after discounts, in cents; null if it is never free.',
    Nullable(Cents),
    { label: 'office.store.freeFrom' },
  ),
  minutes: described(
    'Minutes from an order to its delivery, with the time of preparation.',
    Type.Integer({ minimum: 1, maximum: 600 }),
    { label: 'office.store.minutes' },
  ),
});
export type DeliveryZone = Static<typeof DeliveryZone>;

/** At most 20 zones; the first that holds an address counts. */
const DeliveryZones = Type.Array(DeliveryZone, { maxItems: 20 });

const Address = Type.Object({
  street: described('Street and number.', Type.String(), { label: 'office.store.street' }),
  city: described('City.', Type.String(), { label: 'office.store.city' }),
  province: described('The name of the province or state, as the shop shows it.', Type.String(), {
    label: 'office.store.province',
  }),
  provinceCode: described(
    'The code of the province or state, such as `ON`. It decides the tax on orders of this store.',
    Type.String(),
    { label: 'office.store.provinceCode', hint: 'office.store.provinceHint' },
  ),
  postCode: described('Postal code.', Type.String(), { label: 'office.store.postCode' }),
  country: described('The name of the country, as the shop shows it.', Type.String(), {
    label: 'office.store.country',
  }),
  countryISOCode: described(
    'The ISO 3166 code of the country, such as `CA`.',
    Type.Enum([...countryCodes], { problem: 'problem.country' }),
    { label: 'office.store.countryCode', control: 'text' },
  ),
});
export const StoreInput = Type.Object({
  id: described(
    'Identifies the store: stock levels and later imports refer to it. Use letters, digits and hyphens.',
    Id,
  ),
  name: described('The name that customers see.', LocalName, { label: 'office.store.name' }),
  description: described('A sentence or two for the contact page.', LocalText, {
    label: 'office.store.description',
    long: true,
  }),
  address: described('Where the store is.', Address, { section: 'office.store.place' }),
  lat: described('Latitude in degrees, for the map.', Type.Number({ minimum: -90, maximum: 90 }), {
    label: 'office.store.lat',
    section: 'office.store.place',
  }),
  lng: described('Longitude in degrees, for the map.', Type.Number({ minimum: -180, maximum: 180 }), {
    label: 'office.store.lng',
    section: 'office.store.place',
  }),
  phone: described('The phone number that customers call.', Type.String(), {
    label: 'office.store.phone',
    section: 'office.store.place',
  }),
  email: described(
    'The email address that customers write to; empty if there is none.',
    Type.String({ pattern: `^$|${emailPattern.source}`, problem: 'problem.email.orEmpty' }),
    { label: 'office.email', section: 'office.store.place' },
  ),
  timeZone: described('The IANA time zone of the opening hours, such as `America/Toronto`.', Type.String(), {
    label: 'office.store.timeZone',
    hint: 'office.store.timeZoneHint',
    section: 'office.store.place',
  }),
  openingHours: described('The opening hours of each day. Pickup times lie within them.', OpeningHours, {
    label: 'office.store.hours',
    section: 'office.store.hours',
    control: 'own',
  }),
  specialHours: described(
    'Dates with hours of their own, such as holidays; at most one entry for a date.',
    SpecialHours,
    {
      label: 'office.store.special',
      section: 'office.store.hours',
      control: 'own',
    },
  ),
  mainStore: described(
    'Whether this is the main store, whose time zone is the time zone of the shop. At most one store is; if none is, the first one counts as the main store.',
    Flag,
    { label: 'office.store.main', hint: 'office.store.mainHint' },
  ),
  display: described('Whether customers see the store.', Flag, { label: 'office.store.display' }),
  allowPickup: described('Whether customers can pick up orders in this store.', Flag, {
    label: 'office.store.allowPickup',
    section: 'office.store.pickup',
  }),
  tables: described(
    'The number of tables that are served. If it is above 0, customers can dine in: they enter a table number from 1 to this one. 0 turns dining in off.',
    Type.Integer({ minimum: 0, maximum: 9999 }),
    { label: 'office.store.tables', hint: 'office.store.tablesHint', section: 'office.store.pickup' },
  ),
  image: described('The file name of an image of the store; null for none.', Nullable(Type.String()), {
    label: 'office.taxon.picture',
    control: 'picture',
  }),
  pickupLeadMinutes: described(
    'The lead time: the minutes that an order needs. Times are offered from 10 minutes later, so that the chosen one is still free when it is paid.',
    Type.Integer({ minimum: 0, maximum: 100_000 }),
    { label: 'office.store.lead', hint: 'office.store.leadHint', section: 'office.store.pickup' },
  ),
  pickupSlotCapacity: described(
    'The number of orders that can be picked up at the same time. A pickup time with this many orders cannot be chosen.',
    Type.Integer({ minimum: 1, maximum: 100_000 }),
    { label: 'office.store.capacity', hint: 'office.store.capacityHint', section: 'office.store.pickup' },
  ),
  deliveryZones: described(
    'The zones to which this store delivers orders itself, at most 20; the first that holds an address counts.',
    DeliveryZones,
    {
      label: 'office.store.zone',
      hint: 'office.store.zonesHint',
      add: 'office.store.addZone',
      section: 'office.store.delivery',
    },
  ),
});
export type Store = Static<typeof StoreInput>;
