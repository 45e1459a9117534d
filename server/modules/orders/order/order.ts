/** The order as the server uses it, and its states. Money in cents, times in epoch milliseconds. */
import type { CheckoutMethod } from '#contract/limits.ts';
import { warehouse } from '#contract/limits.ts';
import type { Locale, LocalText } from '#contract/locales.ts';
import type { Selection } from '#contract/rules/modifiers.ts';
import type { Bill, Contact, OrderState } from '#contract/schemas/order.ts';
import { openStates } from '#contract/schemas/order.ts';
import type { TaxExemption } from '#contract/tax-exemptions.ts';
import type { StoredGroup } from '#server/modules/catalogue/index.ts';
import type { ResolvedAddress } from '#server/modules/customers/index.ts';
import type {
  Coupon,
  DeliveryDates,
  LinePart,
  ShippingMethodSetting,
  SoldOn,
  TaxedAmount,
} from '#server/modules/pricing/index.ts';
import type { DeliveryZone } from '#server/modules/stores/index.ts';
import type { Permit } from '#server/platform/permits.ts';
import type { OrderSettings, OrderStore } from './order-settings.ts';

/** A bill as agreed, with the shipping method it includes: the chosen one, or the cheapest at the time. */
export interface AgreedBill extends Bill {
  shippingMethod: string | null;
  /** The name of the shipping method; orders from before it was kept have none. */
  shippingName?: LocalText;
  /** Minutes from the order to the door, if its store delivers it itself. */
  deliveryMinutes?: number;
  /** What was promised of a parcel, which later settings do not change; orders from before it was kept have none. */
  promise?: ParcelPromise;
  /**
   * What is taxed how, for the books: the lines in their order, shipping, the service charge. The bases sum to what the bill has before
   * taxes and tip, and the taxes to its `tax`. Bills from before it was kept have none.
   */
  taxed?: TaxedPart[];
  /** Of its coupon, as agreed: editing the coupon changes no order. Bills without one, and from before it was kept, have none. */
  couponTerms?: CouponTerms;
  /** By which it was taxed, so that a change taxes again what was sold. Bills from before it was kept have none. */
  taxTerms?: TaxTerms;
}

export interface CouponTerms {
  coupon: Coupon;
  /** By the ids of lines, whether it discounts them; left out if it is for all items. */
  lines?: Record<string, boolean>;
}

/** Days of the shop's calendar, YYYY-MM-DD: by which a parcel leaves, and between which it arrives. */
export interface ParcelPromise extends DeliveryDates {
  sendBy: string;
}

export interface TaxTerms {
  /** Of each day on which something of it was sold, the first one first. */
  sold: SoldOn[];
  /** Whether at least 90 % of the sales of food were taxable at its place. */
  eatingEstablishment: boolean;
  /** Of the buyer, as they were; left out for none. */
  exemptions?: TaxExemption[];
}

/** What of a bill is taxed alike. */
export interface TaxedPart extends TaxedAmount {
  of: 'line' | 'shipping' | 'serviceCharge';
  /** The line's id; null for the others. */
  line: string | null;
  /** That the sale belongs to: a province, such as `CA-ON`, or a country. */
  place: string;
}

export interface OrderHead {
  id: string;
  number: string | null;
  sessionHash: string | null;
  customerId: string | null;
  state: OrderState;
  version: number;
  language: Locale;
  method: CheckoutMethod | null;
  storeId: string | null;
  tableNumber: string | null;
  /** How many people are at the table; null if nobody was asked. */
  partySize: number | null;
  pickupAt: number | null;
  comment: string;
  contact: Contact | null;
  shippingContact: Contact | null;
  shippingAddress: ResolvedAddress | null;
  billingAddress: ResolvedAddress | null;
  shippingMethod: string | null;
  payAtStore: boolean;
  couponCode: string | null;
  tipBasisPoints: number;
  /** A tip as an amount in cents, instead of a percentage; null otherwise. */
  tipCents: number | null;
  /** As it was when payment began or the order was placed; null in a cart, whose bill is calculated live. */
  bill: AgreedBill | null;
  /** The `billVersion` of the bill that its buyer was last given, or agreed to; null if none was complete. */
  shownBill: string | null;
  /** The token of the table's card by which a dine-in order was begun; null without one. */
  tableCard: string | null;
  currency: string;
  updatedAt: number;
  placedAt: number | null;
  /** For how many opening hours of its store a reservation is held; null for other orders. */
  reservationHours: number | null;
}

/** A modifier of a line, as it is kept once the order is placed. */
export interface OrderModifier {
  group: string;
  modifier: string;
  nameContent: LocalText;
  /** In a unit of the line. */
  quantity: number;
  /** What all of its quantity adds to a unit, cents, without what it opened. */
  amount: number;
  /** Null: that of what it modifies. */
  taxClass: string | null;
  singleServings: number;
  sku: string | null;
  /** What one costs alone, cents, if it is a product of a set. */
  ownPrice: number | null;
  modifiers: OrderModifier[];
}

/** How the modifiers of a line in a cart were chosen, and from what. */
export interface LineChoice {
  groups: readonly StoredGroup[];
  selections: readonly Selection[];
}

/** A line with its current catalogue data, or with what was agreed once the order has left the cart. */
export interface OrderLine {
  id: string;
  /** `identityOf` */
  identity: string;
  sku: string;
  productId: string;
  /** Of the product now; null if it is gone. */
  category: string | null;
  quantity: number;
  name: LocalText;
  /** The name of the product's brand; null if the product is gone and it was not stored. */
  brand: LocalText | null;
  /** Canonical pairs in the default language. */
  optionPairs: string;
  optionText: LocalText;
  modifiers: readonly OrderModifier[];
  /** Null for an order that is placed, and for a product without modifiers. */
  choice: LineChoice | null;
  note: string;
  /** With modifiers. */
  unitPrice: number;
  listPrice: number | null;
  taxClass: string;
  /** In a unit. */
  singleServings: number;
  /** What a unit consists of, for its tax; empty if it is one part. Of an order that is placed, the agreed bill has the tax. */
  parts: readonly LinePart[];
  /** The image's file name. */
  image: string | null;
  inStoreOnly: boolean;
  /** Whether the catalogue still offers it. */
  offered: boolean;
}

/** The caller: a session, which may belong to a customer. */
export interface Buyer {
  idHash: string;
  customerId: string | null;
}

/**
 * The columns that identify an order's buyer: a customer's id alone, so that the cart is available on all of their devices; a
 * guest's session.
 */
export function ownerOf({ idHash, customerId }: Buyer): {
  session_hash: string | null;
  customer_id: string | null;
} {
  return customerId === null
    ? { session_hash: idHash, customer_id: null }
    : { session_hash: null, customer_id: customerId };
}

/** The location of an order's stock: its store, or the warehouse if it is shipped and no store delivers it. Null while undecided. */
export function locationOf(order: Pick<OrderHead, 'method' | 'storeId'>): string | null {
  return order.method === 'shipping' ? (order.storeId ?? warehouse) : order.method ? order.storeId : null;
}

/** The pickup time that an order holds after it leaves the cart. */
export function slotOf(order: OrderHead): { storeId: string; at: number } | null {
  return order.method === 'pickup' && order.storeId !== null && order.pickupAt !== null
    ? { storeId: order.storeId, at: order.pickupAt }
    : null;
}

/**
 * Which state may follow which.
 * - `paying`: stock and pickup time are held until the payment is decided or the hold expires.
 * - `reserved`: to be paid at the store; held without an end.
 * - `lapsed`: the hold expired. A payment that arrives late can still place it, if its stock is available.
 */
export const transitions: Readonly<Record<OrderState, readonly OrderState[]>> = {
  cart: ['paying', 'reserved'],
  paying: ['placed', 'cart', 'lapsed'],
  placed: ['ready', 'shipped', 'completed', 'cancelled'],
  reserved: ['ready', 'completed', 'cancelled', 'lapsed'],
  ready: ['completed', 'cancelled', 'lapsed'],
  shipped: ['completed'],
  completed: [],
  cancelled: [],
  lapsed: ['placed'],
};

export function mayFollow(from: OrderState, to: OrderState): boolean {
  return transitions[from].includes(to);
}

export const endedStates = ['completed', 'cancelled', 'lapsed'] as const satisfies readonly OrderState[];

export function isEnded(state: OrderState): boolean {
  return endedStates.some((each) => each === state);
}

/** The states in which the items of a pickup are still at the store. */
export const waitsForPickup: readonly OrderState[] = ['placed', 'reserved', 'ready'];

/** Delivery by a store itself: each zone of a store is a shipping method, for the bill as for the customer. */
export interface StoreDelivery {
  store: OrderStore;
  zone: DeliveryZone;
  method: ShippingMethodSetting;
}

export function storeDelivery(store: OrderStore, { minutes, ...rest }: DeliveryZone): StoreDelivery {
  const zone = { ...rest, minutes: minutes + (store.today?.busy?.minutes ?? 0) };
  const method = {
    id: `${store.id}.${zone.id}`,
    name: zone.name,
    description: zone.name,
    countries: [store.address.countryISOCode],
    provinceCodes: [],
    priceCents: zone.feeCents,
    freeOverCents: zone.freeFromCents,
    minBusinessDays: 0,
    maxBusinessDays: 0,
  };
  return { store, zone, method };
}

/** Stores that deliver and that customers see. */
export function deliveringStores({
  stores,
  checkout,
}: Pick<OrderSettings, 'stores' | 'checkout'>): OrderStore[] {
  return checkout.domesticShippingEnabled
    ? stores.filter(({ display, deliveryZones }) => display && deliveryZones.length > 0)
    : [];
}

/** The delivery that a shipping method's id names; null for a parcel, and if the zone is gone. */
export function deliveryNamed(
  settings: Pick<OrderSettings, 'stores' | 'checkout'>,
  methodId: string | null | undefined,
): StoreDelivery | null {
  const all = deliveringStores(settings).flatMap((store) =>
    store.deliveryZones.map((zone) => storeDelivery(store, zone)),
  );
  return all.find(({ method }) => method.id === methodId) ?? null;
}

/** Imported from another shop, which numbered it; see `archive.ts`. */
export const isArchived = ({ number }: Pick<OrderHead, 'number'>): boolean =>
  number?.startsWith('#') ?? false;

/** Whether a permit shows an order in its state: nobody at a station sees only what is open. */
export const isShownTo = (
  { isUnattended }: Pick<Permit, 'isUnattended'>,
  { state }: Pick<OrderHead, 'state'>,
): boolean => !isUnattended || openStates.some((each) => each === state);
