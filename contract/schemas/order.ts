/** Cart, checkout, order and bill (SPEC §3, §4). A cart is an order in state `cart`. */
import Type, { type Static } from 'typebox';
import { checkoutMethods } from '../limits.ts';
import { Cents, Count, EpochMs, Flag, Id, ImageInfo, LocalText, Nullable, Sku, Strict } from './common.ts';

/**
 * What a shopper typed as an address. All fields are free text here; which are needed is decided by
 * `rules/address.ts`, so that each missing one is named with its own message.
 */
export const AddressInput = Strict({
  streetNumberAndNameDetails: Type.Optional(Type.String({ maxLength: 200 })),
  /** The SPEC's other spelling; taken where the first is missing. */
  streetNumberAndDetails: Type.Optional(Type.String({ maxLength: 200 })),
  city: Type.Optional(Type.String({ maxLength: 100 })),
  province: Type.Optional(Type.String({ maxLength: 100 })),
  postCode: Type.Optional(Type.String({ maxLength: 20 })),
  country: Type.Optional(Type.String({ maxLength: 100 })),
  countryISOCode: Type.Optional(Type.String({ maxLength: 2 })),
  addressDescription: Type.Optional(Type.String({ maxLength: 200 })),
  contactPhone: Type.Optional(Type.String({ maxLength: 40 })),
});
export type AddressInput = Static<typeof AddressInput>;

export const Address = Type.Object({
  streetNumberAndNameDetails: Type.String(),
  city: Type.String(),
  /** The province's or state's name as `provinces` lists it. */
  province: Type.String(),
  postCode: Type.String(),
  country: Type.String(),
  countryISOCode: Type.String(),
  addressDescription: Type.String(),
  contactPhone: Type.String(),
});
export type Address = Static<typeof Address>;

export const ContactInput = Strict({
  firstName: Type.Optional(Type.String({ maxLength: 100 })),
  lastName: Type.Optional(Type.String({ maxLength: 100 })),
  phoneNumber: Type.Optional(Type.String({ maxLength: 40 })),
  email: Type.Optional(Type.String({ maxLength: 254 })),
});
export type ContactInput = Static<typeof ContactInput>;

export const Contact = Type.Object({
  firstName: Type.String(),
  lastName: Type.String(),
  phoneNumber: Type.String(),
  email: Type.String(),
});
export type Contact = Static<typeof Contact>;

/** `available`: can be had as the order stands. `processing`: held for payment. `processed`: sold. */
export const inventoryProcessingStatuses = ['available', 'notAvailable', 'processing', 'processed', 'processingFailed'] as const;
export type InventoryProcessingStatus = (typeof inventoryProcessingStatuses)[number];

export const LineItem = Type.Object({
  /** The line's name in `myCart/{itemName}`: its SKU. */
  itemName: Sku,
  sku: Sku,
  product: Id,
  productName: Type.String(),
  nameContent: LocalText,
  /** Text of `#name:value` pairs in the default language, '' without options. */
  optionPairs: Type.String(),
  /** The chosen values, ready to read in the caller's language. */
  optionText: Type.String(),
  quantity: Count,
  /** Cents before tax. */
  unitPrice: Cents,
  listPrice: Nullable(Cents),
  lineTotal: Cents,
  image: Nullable(ImageInfo),
  inStoreOnly: Flag,
  inventoryProcessingStatus: Type.Enum(inventoryProcessingStatuses),
  /** Units that could be had by the order's method, or anywhere while it has none. At most 98. */
  obtainable: Count,
});
export type LineItem = Static<typeof LineItem>;

export const couponKinds = ['percent', 'amount', 'freeShipping'] as const;
export type CouponKind = (typeof couponKinds)[number];

/**
 * `applied`: it holds. All others say why it does not: nobody knows it (`unknown`), too early, too late,
 * the goods do not come to its minimum, all its uses are gone, the shopper has had theirs, it counts by
 * email and there is none, the goods go where it does not hold (`elsewhere`).
 */
export const couponStates = [
  'applied',
  'unknown',
  'notYet',
  'expired',
  'minimum',
  'usedUp',
  'usedByYou',
  'emailMissing',
  'elsewhere',
] as const;
export type CouponState = (typeof couponStates)[number];

/** The coupon an order carries. One that does not hold takes nothing off, and says why. */
export const BillCoupon = Type.Object({
  code: Type.String(),
  nameContent: LocalText,
  kind: Nullable(Type.Enum(couponKinds)),
  state: Type.Enum(couponStates),
  /** Why it does not hold, in the caller's language; '' where it does. */
  message: Type.String(),
});
export type BillCoupon = Static<typeof BillCoupon>;

/** What the shopper owes, cents. The parts sum to `total`: subtotal − discount + shipping + tax + tip. */
export const Bill = Type.Object({
  subtotal: Cents,
  discount: Cents,
  /** The code that is counted in; null where none is, or it does not hold. */
  couponCode: Nullable(Type.String()),
  coupon: Nullable(BillCoupon),
  shipping: Cents,
  /** What a coupon has taken off shipping; `shipping` is without it. */
  shippingSaved: Cents,
  /** False until a destination is known; shipping and tax are then 0 and not yet final. */
  final: Flag,
  taxLines: Type.Array(Type.Object({ label: Type.String(), amount: Cents })),
  tax: Cents,
  tip: Cents,
  total: Cents,
  currency: Type.String(),
  /** A fingerprint of everything that was billed; sent back when paying, so that a change is asked about. */
  billVersion: Type.String(),
});
export type Bill = Static<typeof Bill>;

/** What can be chosen as a tip, while the order is a cart. */
export const TipOffer = Type.Object({
  /** The ways of having an order for which tips are offered. */
  methods: Type.Array(Type.Enum(checkoutMethods)),
  /** Percentages, and what each comes to on the discounted goods. */
  choices: Type.Array(Type.Object({ percent: Type.Number(), amount: Cents })),
});
export type TipOffer = Static<typeof TipOffer>;

export const orderStates = [
  'cart',
  'paying',
  'placed',
  'reserved',
  'ready',
  'shipped',
  'completed',
  'cancelled',
  'lapsed',
] as const;
export type OrderState = (typeof orderStates)[number];

export const Order = Type.Object({
  orderID: Nullable(Id),
  /** What people say on the phone, for instance MC-2026-000204; null until placed. */
  orderNumber: Nullable(Type.String()),
  /** Grows with every change; a client keeps the highest it has seen. */
  version: Count,
  state: Type.Enum(orderStates),
  lineItems: Type.Array(LineItem),
  customerComment: Type.String(),
  orderReserved: Flag,
  pickUpAtStore: Flag,
  inStore: Flag,
  method: Nullable(Type.Enum(checkoutMethods)),
  localStoreName: Nullable(Id),
  tableNumber: Nullable(Type.String()),
  pickupDate: Nullable(EpochMs),
  orderContact: Nullable(Contact),
  shippingContact: Nullable(Contact),
  shippingAddress: Nullable(Address),
  billingAddress: Nullable(Address),
  shippingMethod: Nullable(Id),
  addTips: Flag,
  tipRate: Type.Number({ minimum: 0, maximum: 1 }),
  /** A tip of an amount of one's own, cents; `tipRate` is then 0. */
  tipAmount: Nullable(Cents),
  /** Null where no tips are offered, and once the order has left the cart. */
  tips: Nullable(TipOffer),
  bill: Bill,
  /** The IANA time zone that the order's times are shown in: its store's, or the shop's. */
  timeZone: Type.String(),
  placedAt: Nullable(EpochMs),
  /** How it was paid: the provider's name, 'payAtStore', or null. Never a card number. */
  payment: Nullable(
    Type.Object({
      method: Type.String(),
      paid: Flag,
      /** Cents given back, or about to be. */
      refunded: Cents,
    }),
  ),
  /** What was given back, or is about to be (`done` false); where one order is asked for. `tip` is part of `amount`. */
  refunds: Type.Optional(Type.Array(Type.Object({ amount: Cents, tip: Cents, done: Flag, at: EpochMs }))),
  /**
   * Until when goods that are paid for when they are picked up are kept; where one order is asked for that
   * waits for that, and on the bill of a cart that could be reserved so.
   */
  reservedUntil: Type.Optional(EpochMs),
  /** When it came into which state, from being placed on; where one order is asked for. */
  timeline: Type.Optional(Type.Array(Type.Object({ state: Type.Enum(orderStates), at: EpochMs }))),
});
export type Order = Static<typeof Order>;

export const CartItemInput = Strict({
  /** Judged by `rules/quantity.ts`, so that 0 and 1.5 have the SPEC's message. */
  quantity: Type.Number(),
  product: Type.Optional(Id),
  productName: Type.Optional(Type.String({ maxLength: 300 })),
  optionPairs: Type.Optional(Type.String({ maxLength: 500 })),
  sku: Type.Optional(Sku),
});
export type CartItemInput = Static<typeof CartItemInput>;

export const CheckoutConfig = Type.Object({
  enabledGuestOrders: Flag,
  enablePickup: Flag,
  domesticShippingEnabled: Flag,
  /** Serving at a table: on where a displayed store has tables. */
  inStoreEnabled: Flag,
  requireMobile: Flag,
  requireEmail: Flag,
  displayPickupLocations: Flag,
  displayPickupTime: Flag,
});
export type CheckoutConfig = Static<typeof CheckoutConfig>;

export const PaymentConfig = Type.Object({
  payAtStoreEnabled: Flag,
  paymentOnline: Flag,
  payPalEnabled: Flag,
  /** 'Stripe', '{host}' (the built-in house gateway) or 'Braintree'; '' where none is set up. */
  defaultGateWayProviderName: Type.String(),
});
export type PaymentConfig = Static<typeof PaymentConfig>;

export const ShippingMethod = Type.Object({
  id: Id,
  nameContent: LocalText,
  description: Type.String(),
  /** Cents for this cart to this destination. */
  price: Cents,
  minBusinessDays: Type.Integer(),
  maxBusinessDays: Type.Integer(),
});
export type ShippingMethod = Static<typeof ShippingMethod>;

export const slotReasons = ['closed', 'past', 'tooSoon', 'full', 'tooFar'] as const;
export type SlotReason = (typeof slotReasons)[number];

/** The pickup times of one store on one day, in the store's own clock. Closed or full slots say why. */
export const PickupSlots = Type.Object({
  localStoreName: Id,
  timeZone: Type.String(),
  /** YYYY-MM-DD in the store's time zone. */
  date: Type.String(),
  /** 'HH:mm' pairs in the store's clock, null when closed all day. */
  hours: Nullable(Type.Object({ open: Type.String(), close: Type.String() })),
  slots: Type.Array(
    Type.Object({
      at: EpochMs,
      hour: Type.Integer({ minimum: 0, maximum: 23 }),
      minute: Type.Integer({ minimum: 0, maximum: 59 }),
      available: Flag,
      reason: Nullable(Type.Enum(slotReasons)),
    }),
  ),
});
export type PickupSlots = Static<typeof PickupSlots>;

/** The plain card form. Free text here, judged by `rules/card.ts`. Never stored, never logged. */
export const PaymentInstrument = Strict({
  cardHolderName: Type.Optional(Type.String({ maxLength: 200 })),
  creditCardNumber: Type.Optional(Type.String({ maxLength: 40 })),
  cardCode: Type.Optional(Type.String({ maxLength: 10 })),
  expirationMonth: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 99 }), Type.String({ maxLength: 4 })])),
  expirationYear: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 9999 }), Type.String({ maxLength: 4 })])),
});
export type PaymentInstrument = Static<typeof PaymentInstrument>;
