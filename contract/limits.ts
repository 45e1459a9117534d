/** SPEC §9. Times are milliseconds and sizes are characters unless a comment says otherwise. */
export const limits = {
  pageSize: 12,
  /** Their cards are larger than product cards. */
  blogPageSize: 6,
  quantityMin: 1,
  quantityMax: 98,
  cartLinesMax: 100,
  /** Of a line of the cart. */
  lineNoteLength: 140,
  shortDescriptionLength: 205,
  cardNumberMin: 12,
  cardNumberMax: 19,
  cardCodeMin: 3,
  cardCodeMax: 4,
  alertCloseMs: 2000,
  signOnTimeoutMs: 5000,
  pageContentTimeoutMs: 5000,
  logoutTimeoutMs: 5000,
  sliderAutoplayMs: 2000,
  sliderSpeedMs: 1000,
  menuBreakpointPx: 960,
  headerScrolledPx: 20,
  numberPerRow: 4,
  numberPerMobileRow: 2,
  pickupMinuteStep: 5,
  mapZoom: 15,
  passwordMin: 10,
  passwordMax: 128,
  addressesMax: 20,
  temporaryPasswordMs: 30 * 60_000,
  tipMaxCents: 100_000,
  partySizeMax: 99,
  couponCodeLength: 40,
  formFields: 40,
  formTextLength: 300,
  formLongTextLength: 5000,
  feedUrlLength: 1000,
  feedEntries: 20,
  socialPhotos: 24,
} as const;

export const addressDefaults = { province: 'Ontario', countryISOCode: 'CA' } as const;

/** Calls that change anything are rejected without this header (SPEC §6). */
export const clientTokenHeader = 'x-client-token';
export const clientToken = 'shopwright-storefront';
export const staffToken = 'shopwright-office';

/** The key of a request that is done once, however often it arrives. */
export const requestKeyHeader = 'idempotency-key';
export const requestKeyForm = /^[\w-]{16,64}$/;

export const apiBase = '/api/istore/client/';
/** Of the office's calls. */
export const staffBase = '/api/staff/';

/** The most products that one call returns, and so the longest section of a menu. */
export const mostListed = 48;

export const sortValues = ['default', 'name', 'price'] as const;
export type SortValue = (typeof sortValues)[number];

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

export const checkoutMethods = ['shipping', 'pickup', 'instore'] as const;
export type CheckoutMethod = (typeof checkoutMethods)[number];

export const returnFees = ['free', 'customerPays', 'fixed'] as const;

export const addressTypes = ['shipping', 'billing'] as const;
export type AddressType = (typeof addressTypes)[number];

/** For forms of pages without scripts. */
export const cartForm = '/cart/items';

/** How staff take money at the counter. */
export const counterKinds = ['cash', 'terminal', 'other'] as const;
export type CounterKind = (typeof counterKinds)[number];

/** How long a step of the desk can be undone, and its email waits, ms. */
export const undoMs = 10_000;
/** Orders that staff move, undo or print at once, at most. */
export const mostAtOnce = 100;
/** In place of a store's id at the desk: orders that are shipped and belong to none. */
export const noStore = 'none';

/** The location that ships. Every other location is a store's id. */
export const warehouse = 'warehouse';

export const countsAtOnce = 200;
/** Of SKUs that are low, for the badge. */
export const mostLow = 999;
/** In place of a threshold: never low. */
export const neverLow = -1;
export const goodsStatuses = ['draft', 'active', 'archived'] as const;
/** Rows of the table of products that are saved at once. */
export const mostRows = 5000;
export const taxonKinds = ['category', 'brand', 'tag'] as const;

/** Allergens are those that Canada requires to be declared. */
export const dietaryMarks = ['vegan', 'vegetarian', 'glutenFree', 'halal', 'caffeineFree'] as const;
export const allergens = [
  'milk',
  'egg',
  'peanut',
  'treeNut',
  'sesame',
  'soy',
  'wheat',
  'gluten',
  'fish',
  'crustacean',
  'mollusc',
  'mustard',
  'sulphite',
] as const;

/** The page at the shop's address. */
export const homePage = 'home';
export const pagePath = (name: string) => (name === homePage ? '/' : `/${name}`);
export const postPath = (link: string) => `/blog/post/${link}`;
/** What the office keeps in the browser: who is signed in. */
export const officeMe = 'office-me';
/** Below which a draft is shown to whoever has the secret that follows. */
export const draftFolder = '/page/draft/';
/** What a new page starts with. */
export const pageBeginnings = [
  'blank',
  'shop',
  'cafe',
  'about',
  'contact',
  'menu',
  'faq',
  'shipping',
  'privacy',
  'landing',
  'gallery',
  'team',
  'opening',
] as const;

/** That the office shows with the look of the shop. */
export const lookPages = ['home', 'list', 'product'] as const;

export const navigationPlaces = ['header', 'footer'] as const;
/** What the shop links to by itself. A blog only if there is one. */
export const navigationParts = ['categories', 'brands', 'clearance', 'blog', 'account'] as const;

/** The fragment of the home page's address after an unknown one led there (SPEC §2). */
export const unknownAddress = 'unknown-address';
