/** The shop's settings as a merchant keeps them: one row of `settings` for each field. Money in cents, rates in percent. */
import Type, { type Static } from 'typebox';
import { inEvery, locales } from '#contract/locales.ts';
import { cardGateways } from '#contract/payment-providers.ts';
import { Cents, Count, Flag, Id, LocalText, Nullable } from '#contract/schemas/common.ts';
import { translate } from '#server/platform/i18n.ts';

const percent = Type.Number({ minimum: 0, maximum: 100 });
const countryCode = Type.String({ pattern: '^[A-Z]{2}$' });

const Footer = Type.Object({
  notice: LocalText,
  shortNotice: LocalText,
  copyright: LocalText,
  links: Type.Array(Type.Object({ label: LocalText, link: Type.String() })),
});

const TaxRate = Type.Object({
  provinceCode: Type.String(),
  gstPercent: percent,
  pstPercent: percent,
  pstLabel: Nullable(Type.String()),
  hstPercent: percent,
});

const ShippingMethodSetting = Type.Object({
  id: Id,
  name: LocalText,
  description: LocalText,
  countries: Type.Array(countryCode),
  /** Empty: the whole of those countries. */
  provinceCodes: Type.Array(Type.String()),
  priceCents: Cents,
  freeOverCents: Nullable(Cents),
  minBusinessDays: Count,
  maxBusinessDays: Count,
});

export const ShopSettings = Type.Object({
  shopName: LocalText,
  tagline: LocalText,
  contactEmail: Type.String(),
  /** Whom to tell about a vulnerability, in /.well-known/security.txt: an email or https address. Empty: no such file. */
  securityContact: Type.String({ pattern: '^(?:[^\\s@]{1,64}@[^\\s@]{1,253}|https://\\S{1,500})?$' }),
  /** Order numbers begin with it: MC-2026-000204. */
  orderNumberPrefix: Type.String({ pattern: '^[A-Z0-9]{1,8}$' }),
  /** ISO 4217. */
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  isDemonstration: Flag,
  /** Where the shop ships to. */
  countries: Type.Array(Type.Object({ countryISOCode: countryCode, name: LocalText })),
  /** Offered as tips, of the discounted goods; 0 says nothing, no tip can always be chosen. */
  tipPercentages: Type.Array(percent, { maxItems: 6 }),
  /** For which ways of having an order tips are offered. */
  tipMethods: Type.Object({ shipping: Flag, pickup: Flag, instore: Flag }),
  checkoutConfig: Type.Object({
    enabledGuestOrders: Flag,
    enablePickup: Flag,
    domesticShippingEnabled: Flag,
    requireMobile: Flag,
    requireEmail: Flag,
    displayPickupLocations: Flag,
    displayPickupTime: Flag,
  }),
  paymentConfig: Type.Object({
    payAtStoreEnabled: Flag,
    /** Whether shoppers may pay online by the providers that are set up (docs/how-to/payments.md). */
    paymentOnline: Flag,
    /** Of several card gateways the one offered. If it is not set up, the first that is. '' prefers none. */
    defaultGateWayProviderName: Type.String({ pattern: `^(${cardGateways.join('|').replace(/[{}]/g, '\\$&')})?$` }),
  }),
  /**
   * Whether the box for email news is ticked when somebody registers (SPEC §3). A ticked box is no consent under
   * CASL or GDPR: shops under those laws set it to false.
   */
  newsletterTicked: Flag,
  /** Goods to be paid at the store go back on sale so many hours after they were to be fetched. */
  reservationHours: Type.Integer({ minimum: 1, maximum: 24 * 90 }),
  taxRates: Type.Array(TaxRate),
  shippingMethods: Type.Array(ShippingMethodSetting),
  socialLinks: Type.Array(Type.Object({ network: Type.String(), label: LocalText, url: Type.String() })),
  footer: Footer,
});
export type ShopSettings = Static<typeof ShopSettings>;
export type SettingKey = keyof ShopSettings;

/** A shop nobody has set up yet: it sells nothing and says so. */
export const defaultSettings: ShopSettings = {
  shopName: inEvery((locale) => translate(locale)('settings.shopName')),
  tagline: { en: '' },
  contactEmail: '',
  securityContact: '',
  orderNumberPrefix: 'SW',
  currency: 'CAD',
  isDemonstration: false,
  countries: [
    {
      countryISOCode: 'CA',
      name: inEvery((locale) => new Intl.DisplayNames(locales[locale].tag, { type: 'region' }).of('CA') ?? 'CA'),
    },
  ],
  tipPercentages: [10, 15, 20],
  tipMethods: { shipping: false, pickup: false, instore: true },
  checkoutConfig: {
    enabledGuestOrders: true,
    enablePickup: false,
    domesticShippingEnabled: false,
    requireMobile: true,
    requireEmail: true,
    displayPickupLocations: true,
    displayPickupTime: true,
  },
  paymentConfig: { payAtStoreEnabled: false, paymentOnline: false, defaultGateWayProviderName: '' },
  newsletterTicked: true,
  reservationHours: 24,
  taxRates: [],
  shippingMethods: [],
  socialLinks: [],
  footer: { notice: { en: '' }, shortNotice: { en: '' }, copyright: { en: '' }, links: [] },
};
