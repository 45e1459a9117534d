/** SPEC §3, §4. A cart is an order in state `cart`. */
import Type, { type Static } from 'typebox';
import { checkoutMethods, counterKinds } from '../limits.ts';
import { exemptionKinds } from '../tax-exemptions.ts';
import { registrableTaxes } from '../tax-rates.ts';
import {
  Address,
  CalendarDay,
  Cents,
  Count,
  described,
  EpochMs,
  Flag,
  Id,
  ImageInfo,
  LocalText,
  Nullable,
  Sku,
  Strict,
} from './common.ts';
import { LineModifier, lineChoices, ModifierSelections } from './modifiers.ts';
import { PickupLocation } from './shop.ts';

export { Address };

/** As typed: `rules/address.ts` decides which fields are required, so that each missing one has its own message. */
export const AddressInput = Strict({
  streetNumberAndNameDetails: Type.Optional(Type.String({ maxLength: 200 })),
  streetNumberAndDetails: Type.Optional(
    described(
      'Another spelling of `streetNumberAndNameDetails`, used if that is missing.',
      Type.String({ maxLength: 200 }),
    ),
  ),
  city: Type.Optional(Type.String({ maxLength: 100 })),
  province: Type.Optional(
    described("The province's or state's name as in `provinces`.", Type.String({ maxLength: 100 })),
  ),
  postCode: Type.Optional(Type.String({ maxLength: 20 })),
  country: Type.Optional(Type.String({ maxLength: 100 })),
  countryISOCode: Type.Optional(described('ISO 3166-1 alpha-2.', Type.String({ maxLength: 2 }))),
  addressDescription: Type.Optional(
    described('Such as a floor or a door code.', Type.String({ maxLength: 200 })),
  ),
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
export const inventoryProcessingStatuses = [
  'available',
  'notAvailable',
  'processing',
  'processed',
  'processingFailed',
] as const;
export type InventoryProcessingStatus = (typeof inventoryProcessingStatuses)[number];

export const LineItem = Type.Object({
  id: described('Of the line, in `myCartLine/{line}`.', Id),
  itemName: described(
    "The line's name in `myCart/{itemName}`: its SKU. Several lines can have the same one.",
    Sku,
  ),
  sku: Sku,
  product: described('The id of the product.', Id),
  productName: Type.String(),
  nameContent: LocalText,
  brandContent: described(
    "The name of the product's brand, as it was when the order was placed; null if it is unknown.",
    Nullable(LocalText),
  ),
  optionPairs: described(
    "Text of `#name:value` pairs in the default language, '' without options.",
    Type.String(),
  ),
  optionText: described("The chosen values for display, in the caller's language.", Type.String()),
  modifiers: described(
    'In the order of their groups; empty for a product without.',
    Type.Array(LineModifier),
  ),
  modifierText: described(
    "The chosen modifiers for display, in the caller's language; '' for none.",
    Type.String(),
  ),
  note: described("The customer's note on the line; '' for none.", Type.String()),
  quantity: Count,
  unitPrice: described('With modifiers, cents before tax.', Cents),
  listPrice: described(
    'The price of a unit before a reduction, cents before tax; null if there was none.',
    Nullable(Cents),
  ),
  lineTotal: described('Cents before tax and discount.', Cents),
  image: Nullable(ImageInfo),
  inStoreOnly: described('Sold only in a store, never shipped.', Flag),
  inventoryProcessingStatus: described(
    'available: in stock for the order as it stands. processing: held for payment. processed: sold.',
    Type.Enum(inventoryProcessingStatuses),
  ),
  unavailable: Type.Optional(
    described(
      "Why a line of a cart cannot be ordered at its store or time, or with its modifiers, in the caller's language.",
      Type.String(),
    ),
  ),
  obtainable: described(
    "Units available for the order's delivery method, or at any location if it has none. At most 98.",
    Count,
  ),
  backorder: Type.Optional(
    described(
      'Of a cart: there are fewer units than it has, and the rest, which is sold beyond stock, follows later.',
      Flag,
    ),
  ),
});
export type LineItem = Static<typeof LineItem>;

export const couponKinds = ['percent', 'amount', 'freeShipping'] as const;
export type CouponKind = (typeof couponKinds)[number];

/**
 * `applied`: it counts. Otherwise: the code does not exist (`unknown`), it is too early or too late, the items are below its
 * minimum, it has no uses left, this customer has used it up, it is limited by email and there is none, it does not apply at the
 * destination (`elsewhere`), or it is for other items than those of the order.
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
  'otherItems',
] as const;
export type CouponState = (typeof couponStates)[number];

/** One that does not apply takes nothing off, and says why. */
export const BillCoupon = Type.Object({
  code: Type.String(),
  nameContent: LocalText,
  kind: described('Null if the code does not exist.', Nullable(Type.Enum(couponKinds))),
  state: described('applied: the coupon counts. Any other says why it does not.', Type.Enum(couponStates)),
  message: described("Why it does not apply, in the caller's language; '' if it does.", Type.String()),
  shares: Type.Optional(
    described(
      'Of a coupon for certain items that applies to them: what it takes off their lines. They sum to the discount.',
      Type.Array(
        Type.Object({
          line: described('The `id` of the line.', Type.String()),
          amount: described('Cents.', Cents),
        }),
      ),
    ),
  ),
});
export type BillCoupon = Static<typeof BillCoupon>;

export const TaxLine = Type.Object({ label: Type.String(), amount: Cents });

/** Cents. The parts sum to `total`: subtotal − discount + shipping + serviceCharge + tax + tip. */
export const Bill = Type.Object({
  subtotal: described('The lines, cents before tax and discount.', Cents),
  discount: described("The coupon's discount on the lines, cents.", Cents),
  couponCode: described(
    'The code that was applied; null if there is none or it does not apply.',
    Nullable(Type.String()),
  ),
  coupon: described(
    'The coupon of the order, whether it applies or not; null for none.',
    Nullable(BillCoupon),
  ),
  shipping: described('Cents before tax.', Cents),
  shippingSaved: described("The coupon's discount on shipping; `shipping` already excludes it.", Cents),
  serviceCharge: Type.Optional(
    described(
      'The charge for service; absent if there is none.',
      Type.Object({
        nameContent: LocalText,
        amount: described('Cents before tax.', Cents),
        taxes: described(
          'What it is taxed at, which is part of `tax`; empty if it is not taxed.',
          Type.Array(TaxLine),
        ),
      }),
    ),
  ),
  final: described('False until a destination is known; until then shipping and tax are 0.', Flag),
  taxLines: described('The taxes by name, cents.', Type.Array(TaxLine)),
  lineTaxes: Type.Optional(
    described(
      'What each line is taxed at, in the order of the lines, then shipping if it is taxed. The amounts sum to `tax`, with those of the service charge. Orders from before it was stored have none.',
      Type.Array(
        Type.Object({
          sku: described('Null for shipping.', Nullable(Sku)),
          line: Type.Optional(
            described(
              'The id of the line; null for shipping. Orders from before it was stored have none.',
              Nullable(Id),
            ),
          ),
          taxes: described('The taxes by name, cents; empty if it is not taxed.', Type.Array(TaxLine)),
        }),
      ),
    ),
  ),
  taxExemptions: Type.Optional(
    described(
      'Why a tax is not charged: what the buyer is exempt by, and the number of its certificate; absent if they pay every tax.',
      Type.Array(Type.Object({ kind: Type.Enum([...exemptionKinds]), number: Type.String() })),
    ),
  ),
  taxNumbers: Type.Optional(
    described(
      'Of a placed order: the numbers by which the shop is registered for the taxes on it, as receipts say them.',
      Type.Array(Type.Object({ tax: Type.Enum([...registrableTaxes]), number: Type.String() })),
    ),
  ),
  tax: described('The sum of the taxes, cents.', Cents),
  tip: described('Cents.', Cents),
  total: described('Cents: subtotal − discount + shipping + serviceCharge + tax + tip.', Cents),
  currency: described('ISO 4217.', Type.String()),
  billVersion: described(
    'A fingerprint of everything that was billed. The client sends it when paying, so that a change needs a confirmation.',
    Type.String(),
  ),
});
export type Bill = Static<typeof Bill>;

export const DeliveryMethod = Type.Enum(checkoutMethods);

/** While the order is a cart. */
export const TipOffer = Type.Object({
  methods: described('The delivery methods for which tips are offered.', Type.Array(DeliveryMethod)),
  choices: described(
    'Percentages, and their amounts in cents on the discounted items.',
    Type.Array(
      Type.Object({ percent: described('Percent.', Type.Number()), amount: described('Cents.', Cents) }),
    ),
  ),
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
/** Of a placed order that has not ended. */
export const openStates = ['placed', 'reserved', 'ready', 'shipped'] as const;
export const OrderStatus = Type.Enum(orderStates);

export const OrderStep = Type.Object({ state: OrderStatus, at: EpochMs });

export const Shipment = Type.Object({
  id: Id,
  at: EpochMs,
  carrier: described("The carrier's name; '' if it is unknown.", Type.String()),
  trackingNumber: described("'' for none.", Type.String()),
  trackingUrl: described("The parcel's page at its carrier; null for none.", Nullable(Type.String())),
  lines: Type.Array(Type.Object({ line: described('The id of the line.', Id), quantity: Count })),
});
export type Shipment = Static<typeof Shipment>;

/** The start of a slot. */
export const PickupTime = Strict({ pickupDate: EpochMs });

/** YYYY-MM-DD. */
export const ArrivalDays = Type.Object({
  earliest: described('YYYY-MM-DD.', Type.String()),
  latest: described('YYYY-MM-DD.', Type.String()),
});

/** How an order is sent, and what was promised. */
export const Promised = Type.Object({
  nameContent: described('Of the shipping method; null if it has none any more.', Nullable(LocalText)),
  dueAt: described('When a store that delivers itself is at the door; null for parcels.', Nullable(EpochMs)),
  sendBy: described(
    'The day by which a parcel leaves, YYYY-MM-DD; null for others, and once the order has ended.',
    Nullable(CalendarDay),
  ),
  arrival: described('The days on which a parcel arrives; null as `sendBy`.', Nullable(ArrivalDays)),
});
export type Promised = Static<typeof Promised>;

export const OrderPayment = Type.Object({
  method: described(
    "The provider's name, or payAtStore; of several payments, that of the first.",
    Type.String(),
  ),
  paid: described('Whether all of the money was received.', Flag),
  refunded: described('Cents refunded, including pending refunds.', Cents),
});

export const ReceivedPayment = Type.Object({
  provider: described("The provider's name, or counter for money that staff took.", Type.String()),
  kind: described('How staff took it; null for an online payment.', Nullable(Type.Enum(counterKinds))),
  amount: described('Cents.', Cents),
  rounding: Type.Optional(
    described(
      'Cents by which the cash that was handed over differed, where the currency has no smaller coin.',
      Type.Integer(),
    ),
  ),
  refunded: described('Cents of it refunded, including pending refunds.', Cents),
  at: EpochMs,
});

export const OrderRefund = Type.Object({
  amount: described('Cents.', Cents),
  tip: described('The part of the amount that is a tip, cents.', Cents),
  done: described('False while the refund is pending.', Flag),
  at: EpochMs,
});

export const Order = Type.Object({
  orderID: described('Null for a cart to which nothing was added.', Nullable(Id)),
  orderNumber: described(
    'The number for customers, such as MC-2026-000204; null until the order is placed.',
    Nullable(Type.String()),
  ),
  version: described('Increases with every change; a client keeps the state with the highest value.', Count),
  state: described('A cart is an order in state cart.', OrderStatus),
  lineItems: Type.Array(LineItem),
  customerComment: described("The note to the shop; '' for none.", Type.String()),
  orderReserved: described('Whether it is paid at the store.', Flag),
  pickUpAtStore: described('Whether the method is pickup.', Flag),
  inStore: described('Whether the method is instore.', Flag),
  method: described('Null until one is chosen.', Nullable(DeliveryMethod)),
  methods: Type.Optional(
    described(
      'The delivery methods that can serve all lines now, each from one location; present while the order is a cart.',
      Type.Array(DeliveryMethod),
    ),
  ),
  localStoreName: described(
    'The store of an order that is picked up, served, or delivered by the store itself; null otherwise.',
    Nullable(Id),
  ),
  unlistedStore: Type.Optional(
    described(
      "The order's store if customers no longer see it, because it was removed or is hidden; present when one such order is requested.",
      PickupLocation,
    ),
  ),
  tableNumber: described('Of an order that is served.', Nullable(Type.String())),
  partySize: Type.Optional(described('How many people are at the table; absent if nobody was asked.', Count)),
  pickupDate: described('The start of the pickup time.', Nullable(EpochMs)),
  orderContact: Nullable(Contact),
  shippingContact: described('Who receives the parcel, if it is somebody else.', Nullable(Contact)),
  shippingAddress: Nullable(Address),
  billingAddress: Nullable(Address),
  shippingMethod: described('The id of the shipping method.', Nullable(Id)),
  shippingNameContent: Type.Optional(
    described(
      'The name of the shipping method as it was agreed; present if a placed order is sent.',
      LocalText,
    ),
  ),
  deliveryMinutes: Type.Optional(
    described(
      'Minutes from placing the order to its delivery; present if its store delivers it itself.',
      Count,
    ),
  ),
  addTips: described('Whether the bill has a tip.', Flag),
  tipRate: described(
    'A share of the discounted items: 0.15 for 15 percent.',
    Type.Number({ minimum: 0, maximum: 1 }),
  ),
  tipAmount: described('A custom tip in cents; `tipRate` is then 0.', Nullable(Cents)),
  tips: described('Null if tips are not offered, and once the order has left the cart.', Nullable(TipOffer)),
  bill: Bill,
  timeZone: described(
    "The IANA time zone in which to show the order's times: its store's, or the shop's.",
    Type.String(),
  ),
  placedAt: described('Null for a cart.', Nullable(EpochMs)),
  payment: described(
    "The payment provider's name, 'payAtStore', or null. Never a card number.",
    Nullable(OrderPayment),
  ),
  payments: Type.Optional(
    described(
      'What was received, oldest first; present if there are several payments, and when one placed order is requested.',
      Type.Array(ReceivedPayment),
    ),
  ),
  paid: Type.Optional(described('Payments less refunds, cents; present once the order is placed.', Cents)),
  due: Type.Optional(described('What is still to be paid, cents; present once the order is placed.', Cents)),
  dueVersion: Type.Optional(
    described(
      'Given in place of a `billVersion`, it pays what is due; present if that can be paid online.',
      Type.String(),
    ),
  ),
  refunds: Type.Optional(
    described(
      'Refunds, including pending ones (`done` false); present when one order is requested. `tip` is part of `amount`.',
      Type.Array(OrderRefund),
    ),
  ),
  reservedUntil: Type.Optional(
    described(
      'The reservation deadline of an order that is paid at pickup. Present when one such waiting order is requested, and on the bill of a cart that could be reserved.',
      EpochMs,
    ),
  ),
  payAtStoreProblem: Type.Optional(
    described(
      "Why the order cannot be paid at the store, in the caller's language; on the bill of a cart that is picked up or for a table.",
      Type.String(),
    ),
  ),
  arrival: Type.Optional(
    described(
      'The first and last day on which the parcel should arrive, YYYY-MM-DD; present when one order is requested that is shipped and has not ended.',
      ArrivalDays,
    ),
  ),
  sendBy: Type.Optional(
    described('The day by which the parcel leaves, YYYY-MM-DD; present as `arrival`.', Type.String()),
  ),
  shipments: Type.Optional(
    described(
      'The parcels that were sent, oldest first; present when one order is requested that was shipped, or in part: its state is then still `placed`.',
      Type.Array(Shipment),
    ),
  ),
  timeline: Type.Optional(
    described(
      'When the order entered each state since it was placed; present when one order is requested.',
      Type.Array(OrderStep),
    ),
  ),
});
export type Order = Static<typeof Order>;

/** For whoever has a link to it: without what identifies its buyer. */
export const OrderByLink = Type.Object({
  ...Type.Omit(Order, [
    'orderID',
    'customerComment',
    'orderContact',
    'shippingContact',
    'shippingAddress',
    'billingAddress',
  ]).properties,
  recipient: described(
    "The buyer's first letters, such as 'J. L.', and the city of the shipping address; '' if unknown.",
    Type.Object({
      initials: described("Such as 'J. L.'; '' if unknown.", Type.String()),
      city: described("Of the shipping address; '' if unknown.", Type.String()),
    }),
  ),
  canCancel: described('Whether the order is a reservation that can still be cancelled.', Flag),
  canChangePickup: described('Whether another pickup time can still be chosen.', Flag),
});
export type OrderByLink = Static<typeof OrderByLink>;

export const CartItemInput = Strict({
  quantity: described('1 to 98, whole.', Type.Number()),
  product: Type.Optional(described('The id of the product, to check it against the SKU.', Id)),
  productName: Type.Optional(Type.String({ maxLength: 300 })),
  optionPairs: Type.Optional(
    described(
      'Text of `#name:value` pairs, to check them against the SKU.',
      Type.String({ maxLength: 2100 }),
    ),
  ),
  sku: Type.Optional(Sku),
  ...lineChoices,
});
export type CartItemInput = Static<typeof CartItemInput>;
export type CartItem = CartItemInput &
  Required<Pick<CartItemInput, 'sku' | 'product' | 'productName' | 'optionPairs'>>;

export const CartSetInput = Strict({
  items: Type.Array(
    Strict({
      sku: Sku,
      optionPairs: described(
        'Text of `#name:value` pairs, to check them against the SKU.',
        Type.String({ maxLength: 500 }),
      ),
    }),
    { minItems: 1, maxItems: 8 },
  ),
});
export type CartSetInput = Static<typeof CartSetInput>;

/** Free text, validated by `rules/payment.ts`. Never stored, never logged. */
export const PaymentInstrument = Strict({
  cardHolderName: Type.Optional(Type.String({ maxLength: 200 })),
  creditCardNumber: Type.Optional(
    described('12 to 19 digits; spaces and dashes are ignored.', Type.String({ maxLength: 40 })),
  ),
  cardCode: Type.Optional(described('3 or 4 digits.', Type.String({ maxLength: 10 }))),
  expirationMonth: Type.Optional(
    described(
      '1 to 12.',
      Type.Union([Type.Integer({ minimum: 0, maximum: 99 }), Type.String({ maxLength: 4 })]),
    ),
  ),
  expirationYear: Type.Optional(
    described(
      'Two or four digits.',
      Type.Union([Type.Integer({ minimum: 0, maximum: 9999 }), Type.String({ maxLength: 4 })]),
    ),
  ),
});
export type PaymentInstrument = Static<typeof PaymentInstrument>;

/** A line of a placed order as it is to be. */
export const LineChange = Strict({
  line: Type.Optional(described('Left out for a line that is added.', Id)),
  sku: Type.Optional(described('Another SKU, such as the large size; needed for a line that is added.', Sku)),
  quantity: Type.Optional(
    described('0 removes the line; 1 if a line is added.', Type.Integer({ minimum: 0, maximum: 98 })),
  ),
  modifiers: Type.Optional(ModifierSelections),
  note: Type.Optional(Type.String({ maxLength: 1000 })),
});
export type LineChange = Static<typeof LineChange>;
