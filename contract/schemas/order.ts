/** Cart, checkout, order and bill (SPEC §3, §4). A cart is an order in state `cart`. */
import Type, { type Static } from 'typebox';
import { checkoutMethods } from '../limits.ts';
import { Address } from './address.ts';
import { Cents, Count, EpochMs, Flag, Id, ImageInfo, LocalText, Nullable, Sku, Strict } from './common.ts';
import { PickupLocation } from './shop.ts';

export { Address };

/**
 * An address as the customer typed it. All fields are free text here; `rules/address.ts` decides which are required, so that
 * each missing one has its own message.
 */
export const AddressInput = Strict({
  streetNumberAndNameDetails: Type.Optional(Type.String({ maxLength: 200 })),
  /** The SPEC's other spelling; used if the first is missing. */
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

/** `available`: in stock for the order as it stands. `processing`: held for payment. `processed`: sold. */
export const inventoryProcessingStatuses = ['available', 'notAvailable', 'processing', 'processed', 'processingFailed'] as const;
export type InventoryProcessingStatus = (typeof inventoryProcessingStatuses)[number];

export const LineItem = Type.Object({
  /** The line's name in `myCart/{itemName}`: its SKU. */
  itemName: Sku,
  sku: Sku,
  product: Id,
  productName: Type.String(),
  nameContent: LocalText,
  /** The name of the product's brand, as it was when the order was placed; null if it is unknown. */
  brandContent: Nullable(LocalText),
  /** Text of `#name:value` pairs in the default language, '' without options. */
  optionPairs: Type.String(),
  /** The chosen values for display, in the caller's language. */
  optionText: Type.String(),
  quantity: Count,
  /** Cents before tax. */
  unitPrice: Cents,
  listPrice: Nullable(Cents),
  lineTotal: Cents,
  image: Nullable(ImageInfo),
  inStoreOnly: Flag,
  inventoryProcessingStatus: Type.Enum(inventoryProcessingStatuses),
  /** Units available for the order's delivery method, or at any location if it has none. At most 98. */
  obtainable: Count,
});
export type LineItem = Static<typeof LineItem>;

export const couponKinds = ['percent', 'amount', 'freeShipping'] as const;
export type CouponKind = (typeof couponKinds)[number];

/**
 * `applied`: the coupon counts. The other states say why it does not: the code does not exist (`unknown`), it is too early or
 * too late, the items are below its minimum, it has no uses left, this customer has used it up, it is limited by email and
 * there is none, or it does not apply at the destination (`elsewhere`).
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

/** The coupon of an order. One that does not apply takes nothing off, and says why. */
export const BillCoupon = Type.Object({
  code: Type.String(),
  nameContent: LocalText,
  kind: Nullable(Type.Enum(couponKinds)),
  state: Type.Enum(couponStates),
  /** Why it does not apply, in the caller's language; '' if it does. */
  message: Type.String(),
});
export type BillCoupon = Static<typeof BillCoupon>;

/** What the customer owes, in cents. The parts sum to `total`: subtotal − discount + shipping + tax + tip. */
export const Bill = Type.Object({
  subtotal: Cents,
  discount: Cents,
  /** The code that was applied; null if there is none or it does not apply. */
  couponCode: Nullable(Type.String()),
  coupon: Nullable(BillCoupon),
  shipping: Cents,
  /** The coupon's discount on shipping; `shipping` already excludes it. */
  shippingSaved: Cents,
  /** False until a destination is known; until then shipping and tax are 0. */
  final: Flag,
  taxLines: Type.Array(Type.Object({ label: Type.String(), amount: Cents })),
  tax: Cents,
  tip: Cents,
  total: Cents,
  currency: Type.String(),
  /** A fingerprint of everything that was billed. The client sends it when paying, so that a change needs a confirmation. */
  billVersion: Type.String(),
});
export type Bill = Static<typeof Bill>;

/** A delivery method. */
export const DeliveryMethod = Type.Enum(checkoutMethods);

/** The tips to choose from while the order is a cart. */
export const TipOffer = Type.Object({
  /** The delivery methods for which tips are offered. */
  methods: Type.Array(DeliveryMethod),
  /** Percentages, and their amounts in cents on the discounted items. */
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
export const OrderStatus = Type.Enum(orderStates);

export const OrderPayment = Type.Object({
  method: Type.String(),
  paid: Flag,
  /** Cents refunded, including pending refunds. */
  refunded: Cents,
});

export const OrderRefund = Type.Object({ amount: Cents, tip: Cents, done: Flag, at: EpochMs });

/** When an order entered a state. */
export const OrderStep = Type.Object({ state: OrderStatus, at: EpochMs });

/** The pickup time that a customer chooses: the start of a slot. */
export const PickupTime = Strict({ pickupDate: EpochMs });

/** The first and last day on which a parcel should arrive, YYYY-MM-DD. */
export const ArrivalDays = Type.Object({ earliest: Type.String(), latest: Type.String() });

export const Order = Type.Object({
  orderID: Nullable(Id),
  /** The number for customers, such as MC-2026-000204; null until the order is placed. */
  orderNumber: Nullable(Type.String()),
  /** Increases with every change; a client keeps the state with the highest value. */
  version: Count,
  state: OrderStatus,
  lineItems: Type.Array(LineItem),
  customerComment: Type.String(),
  orderReserved: Flag,
  pickUpAtStore: Flag,
  inStore: Flag,
  method: Nullable(DeliveryMethod),
  /** The delivery methods that can serve all lines now, each from one location; present while the order is a cart. */
  methods: Type.Optional(Type.Array(DeliveryMethod)),
  localStoreName: Nullable(Id),
  /**
   * The order's store if customers no longer see it, because it was removed or is hidden; present when one such order is
   * requested.
   */
  unlistedStore: Type.Optional(PickupLocation),
  tableNumber: Nullable(Type.String()),
  pickupDate: Nullable(EpochMs),
  orderContact: Nullable(Contact),
  shippingContact: Nullable(Contact),
  shippingAddress: Nullable(Address),
  billingAddress: Nullable(Address),
  shippingMethod: Nullable(Id),
  addTips: Flag,
  tipRate: Type.Number({ minimum: 0, maximum: 1 }),
  /** A custom tip in cents; `tipRate` is then 0. */
  tipAmount: Nullable(Cents),
  /** Null if tips are not offered, and once the order has left the cart. */
  tips: Nullable(TipOffer),
  bill: Bill,
  /** The IANA time zone in which to show the order's times: its store's, or the shop's. */
  timeZone: Type.String(),
  placedAt: Nullable(EpochMs),
  /** The payment provider's name, 'payAtStore', or null. Never a card number. */
  payment: Nullable(OrderPayment),
  /** Refunds, including pending ones (`done` false); present when one order is requested. `tip` is part of `amount`. */
  refunds: Type.Optional(Type.Array(OrderRefund)),
  /**
   * The reservation deadline of an order that is paid at pickup. Present when one such waiting order is requested, and on the
   * bill of a cart that could be reserved.
   */
  reservedUntil: Type.Optional(EpochMs),
  /**
   * The first and last day on which the parcel should arrive, YYYY-MM-DD; present when one order is requested that is shipped
   * and has not ended.
   */
  arrival: Type.Optional(ArrivalDays),
  /** When the order entered each state since it was placed; present when one order is requested. */
  timeline: Type.Optional(Type.Array(OrderStep)),
});
export type Order = Static<typeof Order>;

/** An order as whoever has a link to it sees it: without what identifies its buyer. */
export const OrderByLink = Type.Object({
  ...Type.Omit(Order, ['orderID', 'customerComment', 'orderContact', 'shippingContact', 'shippingAddress', 'billingAddress'])
    .properties,
  /** The buyer's first letters, such as 'J. L.', and the city of the shipping address; '' if unknown. */
  recipient: Type.Object({ initials: Type.String(), city: Type.String() }),
  /** Whether the order is a reservation that can still be cancelled. */
  canCancel: Flag,
  /** Whether another pickup time can still be chosen. */
  canChangePickup: Flag,
});
export type OrderByLink = Static<typeof OrderByLink>;

export const CartItemInput = Strict({
  /** Validated by `rules/quantity.ts`, so that 0 and 1.5 have the SPEC's message. */
  quantity: Type.Number(),
  product: Type.Optional(Id),
  productName: Type.Optional(Type.String({ maxLength: 300 })),
  optionPairs: Type.Optional(Type.String({ maxLength: 500 })),
  sku: Type.Optional(Sku),
});
export type CartItemInput = Static<typeof CartItemInput>;

/** SKUs to put in the cart together. */
export const CartSetInput = Strict({
  items: Type.Array(Strict({ sku: Sku, optionPairs: Type.String({ maxLength: 500 }) }), { minItems: 1, maxItems: 8 }),
});
export type CartSetInput = Static<typeof CartSetInput>;

export const CheckoutConfig = Type.Object({
  enabledGuestOrders: Flag,
  enablePickup: Flag,
  domesticShippingEnabled: Flag,
  /** Dine-in: on if a displayed store has tables. */
  inStoreEnabled: Flag,
  requireMobile: Flag,
  /** Not at a table. */
  requireEmail: Flag,
  displayPickupLocations: Flag,
  displayPickupTime: Flag,
});
export type CheckoutConfig = Static<typeof CheckoutConfig>;

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

/** The shop's estimate for a parcel to its default destination: the cheapest method and its dates, YYYY-MM-DD. */
export const DeliveryPromise = Type.Object({
  earliest: Type.String(),
  latest: Type.String(),
  /** Cents. */
  price: Cents,
  /** Free from this value of items after discount, cents; null if it is never free. */
  freeOver: Nullable(Cents),
  currency: Type.String(),
});
export type DeliveryPromise = Static<typeof DeliveryPromise>;

export const slotReasons = ['closed', 'past', 'tooSoon', 'full', 'tooFar'] as const;
export type SlotReason = (typeof slotReasons)[number];

/** The pickup times of one store on one day, in the store's time zone. Closed or full slots have a reason. */
export const PickupSlots = Type.Object({
  localStoreName: Id,
  timeZone: Type.String(),
  /** YYYY-MM-DD in the store's time zone. */
  date: Type.String(),
  /** 'HH:mm' pairs in the store's time zone; null if it is closed all day. */
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

/** The plain card form. Free text here, validated by `rules/card.ts`. Never stored, never logged. */
export const PaymentInstrument = Strict({
  cardHolderName: Type.Optional(Type.String({ maxLength: 200 })),
  creditCardNumber: Type.Optional(Type.String({ maxLength: 40 })),
  cardCode: Type.Optional(Type.String({ maxLength: 10 })),
  expirationMonth: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 99 }), Type.String({ maxLength: 4 })])),
  expirationYear: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 9999 }), Type.String({ maxLength: 4 })])),
});
export type PaymentInstrument = Static<typeof PaymentInstrument>;
