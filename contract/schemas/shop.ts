/** The shop itself: content of the page shell, user session, countries, stores. */
import Type, { type Static } from 'typebox';
import { returnFees } from '../limits.ts';
import { Address } from './address.ts';
import { Cents, Count, EpochMs, Flag, Id, ImageInfo, LocalText, Nullable } from './common.ts';

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
  /** The languages that the shop offers, its default language first. */
  languages: Type.Array(Type.String()),
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
  /** Up to four Chinese characters of the shop's name, in whichever language has them: its seal on tickets. '' for none. */
  seal: Type.String(),
  /** A line for the present solar term, and where it leads ('' for nowhere). Null if the shop has none. */
  seasonNote: Nullable(Type.Object({ text: Type.String(), link: Type.String() })),
  /** What the shop promises at the foot of every page, in the page's language. */
  facts: Type.Array(
    Type.Object({ kind: Type.Enum(['shipping', 'stores', 'returns']), text: Type.String(), link: Nullable(Type.String()) }),
  ),
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

/** A shipping method as the shop publishes it, before a cart is known. */
export const ShippingTerms = Type.Object({
  id: Id,
  nameContent: LocalText,
  /** ISO 3166-1 codes. */
  countries: Type.Array(Type.String()),
  /** ISO 3166-2 codes without the country; empty for all provinces of those countries. */
  provinceCodes: Type.Array(Type.String()),
  price: Cents,
  /** The value of items, in cents, from which shipping is free; null if it never is. */
  freeOver: Nullable(Cents),
  /** From the order to its delivery. */
  minBusinessDays: Count,
  maxBusinessDays: Count,
});
export type ShippingTerms = Static<typeof ShippingTerms>;

/** The shop's rule for returns. */
export const ReturnTerms = Type.Object({
  /** Days from the delivery; 0 if the shop takes nothing back. */
  days: Count,
  /** Who pays for a return: nobody, the customer, or the customer a fixed fee. */
  fees: Type.Enum(returnFees),
  /** The fixed fee in cents, otherwise 0. */
  fee: Cents,
  byMail: Flag,
  inStore: Flag,
  /** Whether products on clearance can be returned. */
  clearance: Flag,
});
export type ReturnTerms = Static<typeof ReturnTerms>;

/** What applies to every offer of the shop. `shippingMethods` is empty if the shop does not ship. */
export const OfferTerms = Type.Object({
  currency: Type.String(),
  /** The countries that the shop sells to, as ISO 3166-1 codes. */
  countries: Type.Array(Type.String()),
  shippingMethods: Type.Array(ShippingTerms),
  /** Null if the shop publishes no rule. */
  returns: Nullable(ReturnTerms),
});
export type OfferTerms = Static<typeof OfferTerms>;

/** 'HH:mm' in the store's time zone; null if it is closed that day. */
export const DayHours = Nullable(Type.Object({ open: Type.String(), close: Type.String() }));

/** A store as pages mention it. */
export const OpenStore = Type.Object({
  id: Id,
  name: Type.String(),
  /** Its street and house number, and its city. */
  street: Type.String(),
  city: Type.String(),
  image: Nullable(ImageInfo),
  isOpen: Flag,
  /** When it closes, or opens next: 'Open until 19:00'. */
  status: Type.String(),
});
export type OpenStore = Static<typeof OpenStore>;

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
