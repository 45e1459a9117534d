/** The schema of the shop's settings: one row of `settings` per field. Money in cents, rates in percent. */
import Type, { type Static } from 'typebox';
import { returnFees } from '#contract/limits.ts';
import { defaultLocale, inEvery, localeCodes, locales } from '#contract/locales.ts';
import { cardGateways } from '#contract/payment-providers.ts';
import { emailPattern } from '#contract/rules/contact.ts';
import { Cents, Count, Flag, Id, LocalText, Nullable } from '#contract/schemas/common.ts';
import { translate } from '#server/platform/i18n.ts';

const percent = Type.Number({ minimum: 0, maximum: 100 });
const countryCode = Type.String({ pattern: '^[A-Z]{2}$' });

const EmailAddress = Type.String({ pattern: emailPattern.source, maxLength: 254 });

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
  /** Empty: all provinces of those countries. */
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
  /** The language of emails to the staff: new orders and alerts. */
  staffLanguage: Type.Enum(localeCodes),
  /** Emails that tell the staff of each new order (docs/how-to/run-a-shop.md). */
  newOrderEmails: Type.Object({
    enabled: Flag,
    /**
     * Recipients by store id. A store that is not listed uses its own email, or `contactEmail` if it has none; an empty list
     * switches the emails of a store off.
     */
    addresses: Type.Record(Id, Type.Array(EmailAddress, { maxItems: 20 })),
  }),
  /** The contact for reporting a vulnerability, in /.well-known/security.txt: an email or https address. Empty: no such file. */
  securityContact: Type.String({ pattern: '^(?:[^\\s@]{1,64}@[^\\s@]{1,253}|https://\\S{1,500})?$' }),
  /** The prefix of order numbers such as MC-2026-000204. */
  orderNumberPrefix: Type.String({ pattern: '^[A-Z0-9]{1,8}$' }),
  /** ISO 4217. */
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  isDemonstration: Flag,
  /** The countries that the shop ships to. */
  countries: Type.Array(Type.Object({ countryISOCode: countryCode, name: LocalText })),
  /** Tips offered, in percent of the discounted items. 0 adds no choice, since no tip can always be chosen. */
  tipPercentages: Type.Array(percent, { maxItems: 6 }),
  /** The delivery methods for which tips are offered. */
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
    /** Whether customers may pay online with the providers that are set up (docs/how-to/payments.md). */
    paymentOnline: Flag,
    /** The card gateway to offer if several are set up. If it is not set up, the first that is. '' means no preference. */
    defaultGateWayProviderName: Type.String({ pattern: `^(${cardGateways.join('|').replace(/[{}]/g, '\\$&')})?$` }),
  }),
  /**
   * Whether the box for email news is ticked on registration (SPEC §3). A ticked box is not consent under CASL or GDPR: shops
   * under those laws set it to false.
   */
  newsletterTicked: Flag,
  /** Hours after the pickup time until the items of an unpaid store order return to stock. */
  reservationHours: Type.Integer({ minimum: 1, maximum: 24 * 90 }),
  /** A SKU with this many units or fewer at a location is low: crossing it sends the webhook `stock.low`. */
  lowStockThreshold: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  taxRates: Type.Array(TaxRate),
  shippingMethods: Type.Array(ShippingMethodSetting),
  /** The rule for returns that search engines show. It has no effect on orders. */
  returnPolicy: Type.Object({
    /** Days from the delivery; 0: nothing can be returned; null: no rule is published. */
    days: Nullable(Type.Integer({ minimum: 0, maximum: 3650 })),
    fees: Type.Enum(returnFees),
    /** What a customer pays for a return if `fees` is 'fixed'. */
    feeCents: Cents,
    byMail: Flag,
    inStore: Flag,
    /** Whether products on clearance can be returned. */
    clearance: Flag,
  }),
  socialLinks: Type.Array(Type.Object({ network: Type.String(), label: LocalText, url: Type.String() })),
  footer: Footer,
});
export type ShopSettings = Static<typeof ShopSettings>;
export type SettingKey = keyof ShopSettings;

/** The settings of a new shop: it sells nothing and says so. */
export const defaultSettings: ShopSettings = {
  shopName: inEvery((locale) => translate(locale)('settings.shopName')),
  tagline: { en: '' },
  contactEmail: '',
  staffLanguage: defaultLocale,
  newOrderEmails: { enabled: true, addresses: {} },
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
  lowStockThreshold: 5,
  taxRates: [],
  shippingMethods: [],
  returnPolicy: { days: null, fees: 'customerPays', feeCents: 0, byMail: true, inStore: false, clearance: true },
  socialLinks: [],
  footer: { notice: { en: '' }, shortNotice: { en: '' }, copyright: { en: '' }, links: [] },
};
