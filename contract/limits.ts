/** The business constants of SPEC §9. Times are milliseconds and sizes are characters unless a comment says otherwise. */
export const limits = {
  pageSize: 12,
  /** Posts on a blog page: their cards are larger than product cards. */
  blogPageSize: 6,
  quantityMin: 1,
  quantityMax: 98,
  /** Lines of a cart: each is priced with every change and rendered on `/cart`. */
  cartLinesMax: 100,
  /** The note on a line of the cart. */
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
  /** Cents. A larger custom tip is treated as a typing error. */
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

/** Address defaults of SPEC §3. */
export const addressDefaults = { province: 'Ontario', countryISOCode: 'CA' } as const;

/** Every call carries this header (SPEC §6); calls that change anything are rejected without it. */
export const clientTokenHeader = 'x-client-token';
export const clientToken = 'shopwright-storefront';
/** The same of the office. */
export const staffToken = 'shopwright-office';

export const apiBase = '/api/istore/client/';
/** Before the paths of the office's calls. */
export const staffBase = '/api/staff/';

export const sortValues = ['default', 'name', 'price'] as const;
export type SortValue = (typeof sortValues)[number];

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof weekdays)[number];

export const checkoutMethods = ['shipping', 'pickup', 'instore'] as const;
export type CheckoutMethod = (typeof checkoutMethods)[number];

/** Who pays for a return. */
export const returnFees = ['free', 'customerPays', 'fixed'] as const;

export const addressTypes = ['shipping', 'billing'] as const;
export type AddressType = (typeof addressTypes)[number];

/** Where forms of pages without scripts put a product in the cart. */
export const cartForm = '/cart/items';
