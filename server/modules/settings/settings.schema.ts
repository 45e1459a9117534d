/** One row of `settings` per field. Money in cents, rates in percent. */
import Type, { type Static } from 'typebox';
import { countryCodes } from '#contract/countries.ts';
import { emailIds } from '#contract/emails.ts';
import { limits } from '#contract/limits.ts';
import { defaultLocale, inEvery, localeCodes, locales } from '#contract/locales.ts';
import { gatewayNames } from '#contract/payment-providers.ts';
import { emailPattern } from '#contract/rules/email-and-phone.ts';
import {
  CalendarDay,
  Cents,
  Count,
  described,
  Flag,
  Id,
  LocalName,
  LocalText,
  Nullable,
} from '#contract/schemas/common.ts';
import { EmailsSetting } from '#contract/schemas/email.ts';
import { LookSetting } from '#contract/schemas/look.ts';
import { moreSettings, ReturnsLine } from '#contract/schemas/more-settings.ts';
import {
  NavigationLink,
  NavigationLinks,
  NavigationParts,
  NavigationStrip,
} from '#contract/schemas/navigation.ts';
import { registrableTaxes } from '#contract/tax-rates.ts';
import { homeCountry, taxClasses } from '#contract/taxes.ts';
import { brand } from '#server/platform/brand.ts';
import { translate } from '#server/platform/i18n.ts';
import { offeredProvinces } from '#server/platform/provinces.ts';
import { MenuSetting } from './menu-setting.ts';

const percent = Type.Number({ minimum: 0, maximum: 100, problem: 'problem.percent' });
const countryCode = Type.Enum([...countryCodes], { problem: 'problem.country' });

const EmailAddress = Type.String({
  pattern: emailPattern.source,
  maxLength: 254,
  problem: 'problem.email',
});

const Footer = Type.Object({
  notice: described('A text above the links, for instance about the shop or its products.', LocalText, {
    label: 'office.shop.notice',
    long: true,
  }),
  shortNotice: described(
    'A short form of the notice: emails have it while nothing is for sale (`isDemonstration`), and the API returns it.',
    LocalText,
    { label: 'office.shop.shortNotice' },
  ),
  copyright: described('The copyright line.', LocalText, { label: 'office.shop.copyright' }),
  links: described(
    'Links, in this order.',
    Type.Array(
      Type.Object({
        label: described('The text of the link.', LocalText),
        link: described('A page of the shop such as `/care`, or an `https://` address.', Type.String()),
        children: NavigationLink.properties.children,
      }),
    ),
  ),
  ...NavigationParts.properties,
});

const Header = Type.Object({
  links: Type.Optional(NavigationLinks),
  ...NavigationParts.properties,
  strip: Type.Optional(NavigationStrip),
});

const percents = {
  gstPercent: described('GST, in percent with at most three decimals; 0 for none.', percent),
  pstPercent: described('PST or QST, in percent with at most three decimals; 0 for none.', percent),
  pstLabel: described(
    'The name of the provincial tax on bills, such as `QST`; null for `PST`.',
    Nullable(Type.String()),
  ),
  hstPercent: described('HST, in percent with at most three decimals; 0 for none.', percent),
};

const TaxRate = Type.Object({
  provinceCode: described(
    'The code of the province that the rates apply to, such as `ON`.',
    Type.Enum(offeredProvinces(homeCountry).map(({ code }) => code)),
  ),
  ...percents,
  changes: Type.Optional(
    described(
      'Rates that hold from a later day on, in place of those above. What was sold before keeps its rates.',
      Type.Array(
        Type.Object({
          date: described(
            "The first day on which they hold, in the store's calendar, as YYYY-MM-DD.",
            CalendarDay,
          ),
          ...percents,
        }),
        { maxItems: 50 },
      ),
    ),
  ),
});

const TaxRegistration = Type.Object({
  tax: described('The tax that the shop registers for.', Type.Enum([...registrableTaxes])),
  registered: described('Whether the shop is registered. If not, it charges none of this tax.', Flag),
  number: described(
    'The number of the registration, which receipts show; empty if it is not known yet.',
    Type.String({ maxLength: 40 }),
  ),
  from: described(
    "The first day of the registration, in the store's calendar; null if it holds from the beginning.",
    Nullable(CalendarDay),
  ),
  until: described('The last day of the registration; null if it has no end.', Nullable(CalendarDay)),
});

const ShippingMethodSetting = Type.Object({
  id: described('Identifies the method. Orders refer to it.', Id),
  name: described('The name that customers choose.', LocalName, { label: 'office.money.methodName' }),
  description: described('A sentence under the name.', LocalText, { label: 'office.money.methodText' }),
  countries: described('The codes of the countries that the method ships to.', Type.Array(countryCode)),
  provinceCodes: described(
    'The codes of the provinces that the method ships to; an empty list means all provinces of its countries.',
    Type.Array(Type.String()),
  ),
  priceCents: described('The price in cents.', Cents),
  freeOverCents: described(
    'Free if the items cost this much or more after discounts, in cents; null if it is never free.',
    Nullable(Cents),
  ),
  minBusinessDays: described('The delivery estimate begins with this number of business days.', Count),
  maxBusinessDays: described('The delivery estimate ends with this number of business days.', Count),
});

const CheckoutConfig = Type.Object({
  enabledGuestOrders: described('Whether customers can check out without an account.', Flag),
  enablePickup: described('Whether customers can pick up orders in stores.', Flag),
  domesticShippingEnabled: described('Whether the shop ships.', Flag),
  requireMobile: described('Whether a phone number is required at checkout.', Flag),
  requireEmail: described('Whether an email address is required at checkout.', Flag),
  emailOptionalAtTables: Type.Optional(
    described('True: where it is required, guests at tables may leave it out.', Flag),
  ),
  displayPickupLocations: described('Whether customers choose the store for pickup from a list.', Flag),
  displayPickupTime: described('Whether customers choose a pickup time.', Flag),
});

const PaymentConfig = Type.Object({
  payAtStoreEnabled: described('Whether customers can pay in the store.', Flag),
  paymentOnline: described(
    'Whether customers can pay online, with the providers that are set up (docs/how-to/payments.md).',
    Flag,
  ),
  defaultGateWayProviderName: described(
    'The card gateway to offer if several are set up. If it is not set up, the first that is. Empty means no preference.',
    Type.Enum<string[]>(['', ...gatewayNames()]),
  ),
});

const upTo = { minimum: 1, maximum: 100_000_000 };
const most = Nullable(Type.Integer(upTo));

const PayAtStoreLimits = Type.Object({
  totalCents: described(
    'The highest total in cents, with tax; null for any.',
    Nullable(Type.Integer({ unit: 'cents', ...upTo })),
  ),
  units: described('The most units; null for any.', most),
  lines: described('The most different items; null for any.', most),
});

const OwnSettings = Type.Object({
  shopName: described('The name of the shop.', LocalName, { label: 'office.shop.shopName' }),
  tagline: described('A sentence that says what the shop sells.', LocalText, {
    label: 'office.shop.tagline',
  }),
  languages: described(
    'The languages that the shop offers, its default language first: `["en"]`, or `["zh", "en"]`. Addresses of the default language have no prefix, those of others have one, such as `/en`. Texts in further languages are kept, and not shown.',
    Type.Array(Type.Enum(localeCodes), { minItems: 1 }),
  ),
  contactEmail: described(
    'The email address of the shop: customers see it, and emails come from it. Empty if there is none yet.',
    Type.String({ pattern: `^$|${emailPattern.source}`, problem: 'problem.email.orEmpty' }),
  ),
  staffLanguage: described(
    'The language of emails to the staff: new orders and alerts.',
    Type.Enum(localeCodes),
  ),
  newOrderEmails: described(
    'Emails that tell the staff of each new order (docs/how-to/shop-settings.md).',
    Type.Object({
      enabled: described('Whether the shop sends them.', Flag),
      addresses: described(
        'Recipients by store id. A store that is not listed uses its own email, or `contactEmail` if it has none; an empty list switches the emails of a store off.',
        Type.Record(Id, Type.Array(EmailAddress, { maxItems: 20 })),
      ),
    }),
  ),
  securityContact: described(
    'The contact for reporting a vulnerability, in /.well-known/security.txt: an email or https address. Empty: no such file.',
    Type.String({
      pattern: '^(?:[^\\s@]{1,64}@[^\\s@]{1,253}|https://\\S{1,500})?$',
      problem: 'problem.email.orUrl',
    }),
  ),
  orderNumberPrefix: described(
    'The prefix of order numbers: `MC` gives MC-2026-000204.',
    Type.String({ pattern: '^[A-Z0-9]{1,8}$', problem: 'problem.orderPrefix' }),
  ),
  currency: described(
    'The ISO 4217 code of the currency of all prices, such as `CAD`.',
    Type.String({ pattern: '^[A-Z]{3}$', problem: 'problem.currency' }),
  ),
  openingSoon: moreSettings.openingSoon,
  isDemonstration: moreSettings.isDemonstration,
  countries: described(
    'The countries that the shop ships to.',
    Type.Array(
      Type.Object({
        countryISOCode: described('The ISO 3166 code, such as `CA`.', countryCode),
        name: described('The name that customers see.', LocalName, { label: 'office.store.country' }),
      }),
    ),
  ),
  tipPercentages: described(
    'Tips offered, in percent of the discounted items. 0 adds no choice, since no tip can always be chosen.',
    Type.Array(percent, { maxItems: 6 }),
  ),
  tipMethods: described(
    'The delivery methods for which tips are offered.',
    Type.Object({
      shipping: described('Tips on orders that are shipped.', Flag),
      pickup: described('Tips on orders that are picked up.', Flag),
      instore: described('Tips on orders of customers who dine in.', Flag),
    }),
  ),
  tipTaxClasses: moreSettings.tipTaxClasses,
  serviceCharge: described(
    'A charge for service, which the bill shows on a line of its own. Tips are not calculated on it. Who gets it is up to you, and is no part of the program (docs/how-to/sell-drinks-and-food.md).',
    Type.Object({
      percent: described(
        'In percent of the discounted items, with at most three decimals; 0 for none.',
        percent,
      ),
      fromPartySize: described(
        'The party size from which it is charged, which customers at tables are asked for then; null for every order. With a party size it is charged at tables only.',
        Nullable(Type.Integer({ minimum: 2, maximum: limits.partySizeMax })),
      ),
      stores: described(
        'The ids of the stores that charge it; empty for all, and for what is shipped.',
        Type.Array(Id),
      ),
      methods: described(
        'The delivery methods that it is charged for.',
        Type.Object({
          shipping: described('On orders that are shipped or delivered.', Flag),
          pickup: described('On orders that are picked up.', Flag),
          instore: described('On orders of customers who dine in.', Flag),
        }),
      ),
      taxClass: described(
        'The tax class of the charge, usually `standard`; empty if it is not taxed.',
        Type.Enum<string[]>(['', ...taxClasses]),
      ),
      name: described('The name on bills.', LocalName, { label: 'office.money.chargeName' }),
    }),
  ),
  eatingEstablishments: described(
    'The ids of the stores where at least 90 % of the sales of food are taxable, `warehouse` for what is shipped: food that is ready to eat is taxed there.',
    Type.Array(Id, { maxItems: 10_000 }),
  ),
  tableFood: described(
    'How food is taxed that is eaten at the tables of a store, by its id: `taxed` where at least 90 % of the sales of food at the tables are taxable, which is an eating establishment of its own and so taxes the rest as well; `asSold` where less is. A store with tables that is neither here nor in `eatingEstablishments` is taken for `taxed`, and `doctor` asks.',
    Type.Record(Id, Type.Enum(['taxed', 'asSold'])),
  ),
  salesRecording: described(
    'The ids of stores in Quebec whose bills come from a certified sales recording system that reports to Revenu Québec (WEB-SRM), which restaurants there need (docs/how-to/tax-on-food.md). The program is none.',
    Type.Array(Id, { maxItems: 10_000 }),
  ),
  checkoutConfig: described('What checkout offers and requires.', CheckoutConfig),
  paymentConfig: described('The ways to pay.', PaymentConfig),
  payAtStoreLimits: described(
    'The largest order that is paid at the store. A larger one is paid online.',
    Type.Object({
      customers: described('For signed-in customers, and for everybody at a table.', PayAtStoreLimits),
      guests: described('For guests.', PayAtStoreLimits),
    }),
  ),
  tables: moreSettings.tables,
  newsletterTicked: described(
    "Whether the box for email news is ticked on registration; null: where the law of the main store's country asks for no consent. A ticked box is not consent under CASL or GDPR.",
    Nullable(Flag),
  ),
  reservationHours: described(
    'For how many opening hours of its store the shop holds an order to be paid there.',
    Type.Integer({ minimum: 1, maximum: 24 * 90 }),
  ),
  packing: described(
    'When the shop packs parcels, for the estimated delivery on product pages.',
    Type.Object({
      packingDays: described(
        'Business days from an order to its parcel.',
        Type.Integer({ minimum: 0, maximum: 60 }),
      ),
      holidays: described(
        'Days without packing or delivery, besides weekends, as YYYY-MM-DD.',
        Type.Array(CalendarDay, { maxItems: 200 }),
      ),
    }),
  ),
  lowStockThreshold: described(
    'A SKU with this many units or fewer at a location is low, unless it has a threshold of its own there: the office lists it, and crossing it sends the webhook `stock.low`.',
    Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  ),
  listFilters: moreSettings.listFilters,
  taxRates: described(
    'The tax rates of each province. The shop rejects orders to a province without rates.',
    Type.Array(TaxRate),
  ),
  taxRegistrations: described(
    'What the shop is registered for: before the first day and after the last it charges none of that tax. A tax that is not listed is charged as `taxRates` say.',
    Type.Array(TaxRegistration, { maxItems: registrableTaxes.length }),
  ),
  menus: described(
    'When products are served, and how many for one pickup time: breakfast until 11, cakes from 14. A product on no menu is always served; on several, whenever one of them is.',
    Type.Array(MenuSetting, { maxItems: 50 }),
    { label: 'office.menus.menus' },
  ),
  shippingMethods: described('The shipping methods, with their prices.', Type.Array(ShippingMethodSetting), {
    label: 'office.money.methods',
  }),
  returnPolicy: moreSettings.returnPolicy,
  bookAccounts: described(
    "The table of accounts: what lines of the books are in a bookkeeper's program. `id` is the program and the line, such as `xero money.cash`.",
    Type.Array(
      Type.Object({
        id: described(
          '`xero`, `quickbooks` or `sage`, a space, and the line.',
          Type.String({ minLength: 1, maxLength: 120 }),
        ),
        code: described('The account there; empty for none yet.', Type.String({ maxLength: 100 })),
        taxRate: described(
          "The name of a tax rate there, such as Xero's `Tax Exempt (0%)`.",
          Type.String({ maxLength: 100 }),
        ),
      }),
      { maxItems: 1000 },
    ),
  ),
  returnsLine: described(
    'A sentence about returns beside every product that ships, and where it leads; null for none.',
    ReturnsLine,
  ),
  agents: moreSettings.agents,
  keyRefundCents: moreSettings.keyRefundCents,
  agentDrafts: moreSettings.agentDrafts,
  commonSearches: moreSettings.commonSearches,
  socialLinks: moreSettings.socialLinks,
  header: described('The menu in the header of every page.', Header),
  footer: described('The foot of every page.', Footer),
  look: described('Colours and forms of the shop. What is left out is as it is delivered.', LookSetting),
  emails: described(
    `Texts of emails to customers, by the email: ${emailIds.map((id) => `\`${id}\``).join(', ')}. What is left out is as it is delivered.`,
    EmailsSetting,
  ),
});
export type ShopSettings = Static<typeof OwnSettings>;

const ofBrand = Object.entries(brand.settings ?? {});

/** With those of the brand, which the program stores and does not read. */
export const ShopSettings = Type.Object({
  ...OwnSettings.properties,
  ...Object.fromEntries(ofBrand.map(([key, { schema }]) => [key, schema])),
}) as typeof OwnSettings;
export type SettingKey = keyof ShopSettings;

export const defaultSettings: ShopSettings = {
  shopName: inEvery((locale) => translate(locale)('settings.shopName')),
  tagline: { en: '' },
  languages: localeCodes,
  contactEmail: '',
  staffLanguage: defaultLocale,
  newOrderEmails: { enabled: true, addresses: {} },
  securityContact: '',
  orderNumberPrefix: 'SW',
  currency: 'CAD',
  openingSoon: { on: false, page: null, password: '' },
  isDemonstration: false,
  countries: [
    {
      countryISOCode: 'CA',
      name: inEvery(
        (locale) => new Intl.DisplayNames(locales[locale].tag, { type: 'region' }).of('CA') ?? 'CA',
      ),
    },
  ],
  tipPercentages: [10, 15, 20],
  tipMethods: { shipping: false, pickup: false, instore: true },
  tipTaxClasses: [],
  serviceCharge: {
    percent: 0,
    fromPartySize: null,
    stores: [],
    methods: { shipping: false, pickup: false, instore: true },
    taxClass: 'standard',
    name: inEvery((locale) => translate(locale)('settings.serviceCharge')),
  },
  eatingEstablishments: [],
  tableFood: {},
  salesRecording: [],
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
  payAtStoreLimits: {
    customers: { totalCents: 50_000, units: 20, lines: 20 },
    guests: { totalCents: 20_000, units: 10, lines: 10 },
  },
  tables: { payOnline: false, cardRequired: false, unpaidOrders: 12 },
  newsletterTicked: null,
  reservationHours: 24,
  packing: { packingDays: 0, holidays: [] },
  lowStockThreshold: 5,
  listFilters: { priceLimitsCents: [], tags: [] },
  taxRates: [],
  taxRegistrations: [],
  menus: [],
  shippingMethods: [],
  returnPolicy: {
    days: null,
    fees: 'customerPays',
    feeCents: 0,
    byMail: true,
    inStore: false,
    clearance: true,
  },
  bookAccounts: [],
  returnsLine: null,
  agents: 'carts',
  keyRefundCents: 0,
  agentDrafts: false,
  commonSearches: [],
  socialLinks: [],
  header: {},
  footer: { notice: { en: '' }, shortNotice: { en: '' }, copyright: { en: '' }, links: [] },
  look: {},
  emails: {},
  ...Object.fromEntries(ofBrand.map(([key, { initial }]) => [key, initial])),
};
