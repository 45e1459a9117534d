import Type, { type Static } from 'typebox';
import { navigationParts, returnFees } from '../limits.ts';
import {
  Address,
  CalendarDay,
  Cents,
  Count,
  described,
  EpochMs,
  Extras,
  Flag,
  Id,
  ImageInfo,
  LocalText,
  Nullable,
} from './common.ts';

export const User = Type.Object({
  id: Id,
  firstName: Type.String(),
  lastName: Type.String(),
  email: described('Also accepted as the user id.', Type.String()),
  mobilePhone: Type.String(),
  shippingAddresses: described('The first is the default.', Type.Array(Address)),
  billingAddresses: described('The first is the default.', Type.Array(Address)),
  acceptNewsletter: described('Whether the customer wants email news.', Flag),
});
export type User = Static<typeof User>;

/** Null for a guest (SPEC §3). */
export const sessionInfoFields = {
  user: described('Null for a guest.', Nullable(User)),
  lastLoginDate: described('The last sign-in; null for a guest.', Nullable(EpochMs)),
  userID: described("The customer's email; null for a guest.", Nullable(Type.String())),
};
export const SessionInfo = Type.Object(sessionInfoFields);
export type SessionInfo = Static<typeof SessionInfo>;

export const MenuLink = Type.Object({ label: Type.String(), link: Type.String() });
/** A link with those below it, which may be none. */
export const MenuGroup = Type.Object({
  ...MenuLink.properties,
  picture: Type.Optional(described('Of an open group of the header.', ImageInfo)),
  children: Type.Array(MenuLink),
});
export const NavigationPart = Type.Enum(navigationParts);

const navigationFields = {
  links: described('The links of the merchant, in this order, with those below each.', Type.Array(MenuGroup)),
  parts: described(
    'What else it links to, in this order. The blog only if there is one.',
    Type.Array(NavigationPart),
  ),
};

export const AppContent = Type.Object({
  shopName: Type.String(),
  tagline: Type.String(),
  contactEmail: Type.String(),
  languages: described(
    'The languages that the shop offers, its default language first.',
    Type.Array(Type.String()),
  ),
  currency: described('ISO 4217.', Type.String()),
  isDemonstration: described('Whether orders are not real.', Flag),
  header: described(
    'What the header links to, besides the search and the cart.',
    Type.Object(navigationFields),
  ),
  footer: described(
    'The texts and links at the foot of every page.',
    Type.Object({
      notice: described("A line about the shop; '' for none.", Type.String()),
      shortNotice: described('A short form of the notice.', Type.String()),
      copyright: Type.String(),
      ...navigationFields,
    }),
  ),
  look: described(
    'What the shop sets of its look, beside the style that stands in each page.',
    Type.Object({
      paper: described(
        'The colours of the page by day and by night; null: those of the build.',
        Nullable(Type.Object({ light: Type.String(), dark: Type.String() })),
      ),
      logo: described(
        'In place of the name in the header, with the size in which it is shown; `night` is null for the same picture.',
        Nullable(
          Type.Object({
            day: Type.String(),
            night: Nullable(Type.String()),
            width: Type.Integer(),
            height: Type.Integer(),
            text: described('What it says.', Type.String()),
          }),
        ),
      ),
      icons: described(
        'Addresses of the icons of browsers and phones; null: those of the build.',
        Nullable(Type.Object({ small: Type.String(), touch: Type.String() })),
      ),
    }),
  ),
  socialLinks: described(
    'The accounts of the shop on other sites.',
    Type.Array(
      Type.Object({
        network: described('Such as `instagram`.', Type.String()),
        label: Type.String(),
        url: Type.String(),
      }),
    ),
  ),
  image: described(
    'The image that link previews show for pages without one of their own.',
    Nullable(ImageInfo),
  ),
  map: described(
    'The address of the map tiles, with {z}, {x} and {y}, and the attribution that the tile provider requires.',
    Type.Object({ tilesUrl: Type.String(), attribution: Type.String() }),
  ),
  newsletterTicked: described(
    "Whether the registration form's box for email news is initially ticked.",
    Flag,
  ),
  extras: Type.Optional(Extras),
  seasonNote: described(
    "A line under the header, of the merchant or of the season, and where it leads ('' for nowhere). Null if there is none.",
    Nullable(Type.Object({ text: Type.String(), link: Type.String() })),
  ),
  facts: described(
    "What the shop promises at the foot of every page, in the page's language.",
    Type.Array(
      Type.Object({
        kind: Type.Enum(['shipping', 'stores', 'returns']),
        text: Type.String(),
        link: Nullable(Type.String()),
      }),
    ),
  ),
  hasBlog: described('Whether there is a blog to link to.', Flag),
  menu: described(
    'The top categories with their children, whether or not header and footer show them.',
    Type.Array(
      Type.Object({
        name: Id,
        label: Type.String(),
        children: Type.Array(Type.Object({ name: Id, label: Type.String() })),
      }),
    ),
  ),
});
export type AppContent = Static<typeof AppContent>;

export const Country = Type.Object({
  id: Id,
  countryISOCode: described('ISO 3166-1 alpha-2.', Type.String()),
  nameContent: LocalText,
});
export type Country = Static<typeof Country>;
export const Province = Type.Object({
  id: described('ISO 3166-2 without the country, such as ON.', Id),
  provinceName: described('The name as addresses have it.', Type.String()),
  nameContent: LocalText,
});
export type Province = Static<typeof Province>;

/** The fields of an address that a form may ask for besides its country. */
const addressFieldNames = ['streetNumberAndNameDetails', 'city', 'province', 'postCode'] as const;

export const AddressForm = Type.Object({
  countryISOCode: described('ISO 3166-1 alpha-2.', Type.String()),
  fields: described(
    'What to ask for, in the order of the country and language. Other fields are not asked.',
    Type.Array(
      Type.Object({
        name: Type.Enum(addressFieldNames),
        label: described("In the caller's language, such as 'Prefecture'.", Type.String()),
        required: Flag,
        row: described('Fields of the same row may stand beside each other.', Type.Integer({ minimum: 0 })),
      }),
    ),
  ),
  postCode: described(
    'Null if the country has no postal codes.',
    Nullable(
      Type.Object({
        pattern: described('A regular expression for the whole code in upper case.', Type.String()),
        example: described("Such as 'K1A 0B1'.", Type.String()),
      }),
    ),
  ),
  provinces: described(
    'Empty if the country has no list: then the province is text.',
    Type.Array(
      Type.Object({
        ...Province.properties,
        postCodes: described(
          'A regular expression for the beginning of its postal codes, where they have to agree; else null.',
          Nullable(Type.String()),
        ),
        isOther: described(
          'Of a second list, such as a federal district, a territory or armed forces.',
          Flag,
        ),
      }),
    ),
  ),
});
export type AddressForm = Static<typeof AddressForm>;

/** Before a cart is known. */
export const ShippingTerms = Type.Object({
  id: Id,
  nameContent: LocalText,
  countries: described('ISO 3166-1 codes.', Type.Array(Type.String())),
  provinceCodes: described(
    'ISO 3166-2 codes without the country; empty for all provinces of those countries.',
    Type.Array(Type.String()),
  ),
  price: described('Cents before tax.', Cents),
  freeOver: described(
    'The value of items, in cents, from which shipping is free; null if it never is.',
    Nullable(Cents),
  ),
  minBusinessDays: described('From the order to its delivery.', Count),
  maxBusinessDays: described('From the order to its delivery.', Count),
});
export type ShippingTerms = Static<typeof ShippingTerms>;

export const ReturnTerms = Type.Object({
  days: described('Days from the delivery; 0 if the shop takes nothing back.', Count),
  fees: described(
    'Who pays for a return: nobody, the customer, or the customer a fixed fee.',
    Type.Enum(returnFees),
  ),
  fee: described('The fixed fee in cents, otherwise 0.', Cents),
  byMail: described('Whether products can be sent back.', Flag),
  inStore: described('Whether products can be brought back to a store.', Flag),
  clearance: described('Whether products on clearance can be returned.', Flag),
});
export type ReturnTerms = Static<typeof ReturnTerms>;

/** For every offer. `shippingMethods` is empty if the shop does not ship. */
export const OfferTerms = Type.Object({
  currency: described('ISO 4217.', Type.String()),
  countries: described(
    'The countries that the shop sells to, as ISO 3166-1 codes.',
    Type.Array(Type.String()),
  ),
  shippingMethods: described('Empty if the shop does not ship.', Type.Array(ShippingTerms)),
  returns: described('Null if the shop publishes no rule.', Nullable(ReturnTerms)),
});
export type OfferTerms = Static<typeof OfferTerms>;

/** In the store's time zone; null if it is closed that day. */
export const DayHours = Nullable(
  Type.Object({
    open: described("'HH:mm' in the store's time zone.", Type.String()),
    close: described("'HH:mm' in the store's time zone.", Type.String()),
    breaks: Type.Optional(
      described(
        'When the store is closed in between, in order.',
        Type.Array(Type.Object({ from: Type.String(), until: Type.String() })),
      ),
    ),
  }),
);

export const WeekHours = Type.Object({
  monday: DayHours,
  tuesday: DayHours,
  wednesday: DayHours,
  thursday: DayHours,
  friday: DayHours,
  saturday: DayHours,
  sunday: DayHours,
});
export const SpecialDay = Type.Object({ date: CalendarDay, hours: DayHours });

export const OpenStore = Type.Object({
  id: Id,
  name: Type.String(),
  street: described('Its street and house number, and its city.', Type.String()),
  city: Type.String(),
  image: Nullable(ImageInfo),
  isOpen: described('Whether it is open now.', Flag),
  status: described("When it closes, or opens next: 'Open until 19:00'.", Type.String()),
});
export type OpenStore = Static<typeof OpenStore>;

export const PickupLocation = Type.Object({
  localStoreName: described('The id of the store.', Id),
  nameContent: LocalText,
  description: Type.String(),
  display: described('Whether customers see the store.', Flag),
  allowPickup: described('Whether orders can be picked up there.', Flag),
  mainStore: described('Whether it is chosen where no list is shown.', Flag),
  tables: described('The number of tables; 0 without table service.', Type.Integer({ minimum: 0 })),
  email: Type.String(),
  phone: Type.String(),
  address: Address,
  lat: described('Degrees.', Type.Number()),
  lng: described('Degrees.', Type.Number()),
  timeZone: described('IANA, such as America/Toronto.', Type.String()),
  openingHours: described('Hours by weekday; null on a day off.', WeekHours),
  specialHours: described('Dates with hours of their own, such as holidays.', Type.Array(SpecialDay)),
  image: Nullable(ImageInfo),
  delivers: Type.Optional(
    described('True if the store delivers orders itself to addresses in its zones.', Flag),
  ),
});
export type PickupLocation = Static<typeof PickupLocation>;
