import Type, { type Static } from 'typebox';
import { Cents, Count, described, EpochMs, Flag, Id, LocalText, Nullable } from './common.ts';
import { ArrivalDays } from './order.ts';
import { DayHours } from './shop.ts';

export const PartySize = Type.String({ maxLength: 10 });

export const CheckoutConfig = Type.Object({
  enabledGuestOrders: described('Whether guests can order; otherwise they sign in first.', Flag),
  enablePickup: described('Whether orders can be picked up.', Flag),
  domesticShippingEnabled: described('Whether orders are shipped.', Flag),
  inStoreEnabled: described('Dine-in: on if a displayed store has tables.', Flag),
  requireMobile: described('Whether a phone number is required.', Flag),
  requireEmail: described('Whether an email is required.', Flag),
  emailOptionalAtTables: Type.Optional(
    described('True: where it is required, guests at tables may leave it out.', Flag),
  ),
  displayPickupLocations: described(
    'Whether customers choose the store; otherwise it is the main store.',
    Flag,
  ),
  displayPickupTime: described('Whether customers choose a pickup time.', Flag),
  localDelivery: Type.Optional(
    described(
      'True if a store delivers orders itself; `localDelivery` then says whether to an address.',
      Flag,
    ),
  ),
  partyCharge: Type.Optional(
    described(
      'The service charge that depends on the party size, which orders at tables have to name then; absent if none does.',
      Type.Object({
        nameContent: LocalText,
        percent: described('Percent of the discounted items.', Type.Number()),
        fromPartySize: described('It is charged for this many people or more.', Count),
        stores: described('The stores that charge it; empty for all.', Type.Array(Id)),
      }),
    ),
  ),
});
export type CheckoutConfig = Static<typeof CheckoutConfig>;

export const ShippingMethod = Type.Object({
  id: Id,
  nameContent: LocalText,
  description: Type.String(),
  price: described('Cents for this cart to this destination.', Cents),
  minBusinessDays: described('From the packing to the delivery.', Type.Integer()),
  maxBusinessDays: described('From the packing to the delivery.', Type.Integer()),
  arrival: Type.Optional(
    described(
      'The first and last day on which a parcel that is ordered now should arrive; absent if a store delivers.',
      ArrivalDays,
    ),
  ),
  minutes: Type.Optional(described('From the order to its delivery, if a store delivers it itself.', Count)),
});
export type ShippingMethod = Static<typeof ShippingMethod>;

/** By a store itself, now. */
export const LocalDelivery = Type.Object({
  method: described('The method to choose; null if no store does.', Nullable(ShippingMethod)),
  message: described(
    "Why no store does, in the caller's language, and when one does; '' if one does.",
    Type.String(),
  ),
});
export type LocalDelivery = Static<typeof LocalDelivery>;

/** For a parcel to the default destination: the cheapest method and its dates, YYYY-MM-DD. */
export const DeliveryPromise = Type.Object({
  earliest: described('YYYY-MM-DD.', Type.String()),
  latest: described('YYYY-MM-DD.', Type.String()),
  price: described('Cents.', Cents),
  freeOver: described(
    'Free from this value of items after discount, cents; null if it is never free.',
    Nullable(Cents),
  ),
  currency: described('ISO 4217.', Type.String()),
});
export type DeliveryPromise = Static<typeof DeliveryPromise>;

/** `notServed`: a menu of the cart is not served then. `tooMany`: the cart has more than a menu allows for any time. */
export const slotReasons = ['closed', 'past', 'tooSoon', 'full', 'tooFar', 'notServed', 'tooMany'] as const;
export type SlotReason = (typeof slotReasons)[number];

/** Of one store on one day, in its time zone. Closed or full slots have a reason. */
export const PickupSlots = Type.Object({
  localStoreName: Id,
  timeZone: described('IANA, such as America/Toronto.', Type.String()),
  date: described("YYYY-MM-DD in the store's time zone.", Type.String()),
  hours: described("'HH:mm' pairs in the store's time zone; null if it is closed all day.", DayHours),
  slots: described(
    'In order.',
    Type.Array(
      Type.Object({
        at: described('The start of the slot.', EpochMs),
        hour: Type.Integer({ minimum: 0, maximum: 23 }),
        minute: Type.Integer({ minimum: 0, maximum: 59 }),
        available: Flag,
        reason: described('Why it is not available; null if it is.', Nullable(Type.Enum(slotReasons))),
      }),
    ),
  ),
});
export type PickupSlots = Static<typeof PickupSlots>;
