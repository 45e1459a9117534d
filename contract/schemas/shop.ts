/** The shop itself: content of the page shell, user session, countries, stores. */
import Type, { type Static } from 'typebox';
import { Address } from './address.ts';
import { EpochMs, Flag, Id, ImageInfo, LocalText, Nullable } from './common.ts';

export const User = Type.Object({
  id: Id,
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  mobilePhone: Type.String(),
  shippingAddresses: Type.Array(Address),
  billingAddresses: Type.Array(Address),
  acceptNewsletter: Flag,
});
export type User = Static<typeof User>;

/** The session's customer; all fields are null for a guest (SPEC §3). */
export const sessionInfoFields = {
  user: Nullable(User),
  lastLoginDate: Nullable(EpochMs),
  userID: Nullable(Type.String()),
};
export const SessionInfo = Type.Object(sessionInfoFields);
export type SessionInfo = Static<typeof SessionInfo>;

export const AppContent = Type.Object({
  shopName: Type.String(),
  tagline: Type.String(),
  contactEmail: Type.String(),
  currency: Type.String(),
  isDemonstration: Flag,
  footer: Type.Object({
    notice: Type.String(),
    shortNotice: Type.String(),
    copyright: Type.String(),
    links: Type.Array(Type.Object({ label: Type.String(), link: Type.String() })),
  }),
  socialLinks: Type.Array(Type.Object({ network: Type.String(), label: Type.String(), url: Type.String() })),
  /** The image that link previews show for pages without one of their own. */
  image: Nullable(ImageInfo),
  /** The address of the map tiles, with {z}, {x} and {y}, and the attribution that the tile provider requires. */
  map: Type.Object({ tilesUrl: Type.String(), attribution: Type.String() }),
  /** Whether the registration form's box for email news is initially ticked. */
  newsletterTicked: Flag,
  /** Whether there is a blog to link to. */
  hasBlog: Flag,
  /** The header's menu: the top categories with their children. */
  menu: Type.Array(
    Type.Object({
      name: Id,
      label: Type.String(),
      children: Type.Array(Type.Object({ name: Id, label: Type.String() })),
    }),
  ),
});
export type AppContent = Static<typeof AppContent>;

export const Country = Type.Object({ id: Id, countryISOCode: Type.String(), nameContent: LocalText });
export type Country = Static<typeof Country>;
export const Province = Type.Object({ id: Id, provinceName: Type.String(), nameContent: LocalText });
export type Province = Static<typeof Province>;

/** 'HH:mm' in the store's time zone; null if it is closed that day. */
export const DayHours = Nullable(Type.Object({ open: Type.String(), close: Type.String() }));

export const PickupLocation = Type.Object({
  localStoreName: Id,
  nameContent: LocalText,
  description: Type.String(),
  display: Flag,
  allowPickup: Flag,
  mainStore: Flag,
  /** The number of tables; 0 without table service. */
  tables: Type.Integer({ minimum: 0 }),
  email: Type.String(),
  phone: Type.String(),
  address: Address,
  lat: Type.Number(),
  lng: Type.Number(),
  timeZone: Type.String(),
  openingHours: Type.Object({
    monday: DayHours,
    tuesday: DayHours,
    wednesday: DayHours,
    thursday: DayHours,
    friday: DayHours,
    saturday: DayHours,
    sunday: DayHours,
  }),
  /** Dates with hours of their own, such as holidays. */
  specialHours: Type.Array(Type.Object({ date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), hours: DayHours })),
  image: Nullable(ImageInfo),
});
export type PickupLocation = Static<typeof PickupLocation>;
