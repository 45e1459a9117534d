/** How an agent's order reaches its buyer: chosen by the calls of the storefront's checkout, and presented with its choices. */
import { dateFormat } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { pickupStores } from '#contract/rules/method.ts';
import type { AddressInput, ContactInput, Order } from '#contract/schemas/order.ts';
import type { CheckoutService } from '#server/modules/checkout/index.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { type Body, type Message, messagesOf, olderVersion, type UcpVersion } from './protocol.ts';
import type { CheckoutInput, FoodInput, FoodMethod, MethodInput, Postal } from './requests.ts';

export interface FulfilmentDeps {
  checkout: CheckoutService;
  now: () => number;
}

/** What an agent says of buyer and delivery. */
export type Said = { [K in 'buyer' | 'context' | 'discounts' | 'fulfillment']?: CheckoutInput[K] | undefined } & {
  /** Of a checkout of food, in its own words. */
  food?: { establishment: string; tip?: FoodInput['tip'] | undefined; method?: FoodMethod | undefined };
};

/** A session's checkout as it is asked for. */
export interface Wish {
  session: SessionHandle;
  request: Said;
  settings: OrderSettings;
  locale: Locale;
  address: string;
}

/** Pickup times that an answer lists at most. */
const mostSlots = 40;
const slotDays = 3;

type Chosen = { type: 'shipping' | 'pickup'; asked: MethodInput };

/** The method that was asked for, or the only one that the cart can have. */
export function methodOf(
  { fulfillment }: Wish['request'],
  { methods = [] }: Pick<Order, 'methods'>,
  settings: OrderSettings,
): Chosen | null {
  const asked = fulfillment?.methods?.find(({ type }) => type) ?? fulfillment?.methods?.[0];
  const { checkout } = settings;
  const offered = (['shipping', 'pickup'] as const).filter((type) =>
    type === 'shipping' ? checkout.domesticShippingEnabled : checkout.enablePickup,
  );
  const type = asked?.type ?? offered.find((each) => methods.includes(each)) ?? offered[0];
  return type ? { type, asked: asked ?? {} } : null;
}

export function contactOf(buyer: Said['buyer'], destination: Postal = {}): ContactInput {
  return {
    firstName: buyer?.first_name ?? destination.first_name ?? '',
    lastName: buyer?.last_name ?? destination.last_name ?? '',
    phoneNumber: buyer?.phone_number ?? destination.phone_number ?? '',
    email: buyer?.email ?? '',
  };
}

export const addressOf = (postal: Postal): AddressInput => ({
  streetNumberAndNameDetails: postal.street_address ?? '',
  addressDescription: (postal.extended_address ?? '').slice(0, 200),
  city: (postal.address_locality ?? '').slice(0, 100),
  province: (postal.address_region ?? '').slice(0, 100),
  postCode: (postal.postal_code ?? '').slice(0, 20),
  ...(/^[A-Za-z]{2}$/.test(postal.address_country ?? '')
    ? { countryISOCode: (postal.address_country ?? '').toUpperCase() }
    : { country: (postal.address_country ?? '').slice(0, 100) }),
  contactPhone: (postal.phone_number ?? '').slice(0, 40),
});

export function destinationOf({ destinations = [], selected_destination_id: id }: MethodInput) {
  return (id ? destinations.find((each) => each.id === id) : undefined) ?? destinations[0];
}

const optionOf = ({ groups }: MethodInput) => groups?.[0]?.selected_option_id ?? undefined;

/** Chooses delivery for the session's cart as far as the request says it. Returns what is missing or wrong. */
export async function chooseFulfilment(deps: FulfilmentDeps, wish: Wish, cart: Order): Promise<Message[]> {
  const { request, settings, locale } = wish;
  const chosen = methodOf(request, cart, settings);
  if (!chosen) return [];
  try {
    return chosen.type === 'shipping' ? await ship(deps, wish, chosen.asked) : await pickUp(deps, wish, chosen.asked);
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors || error.status >= 500) throw error;
    return messagesOf(error.details.errors, locale);
  }
}

async function ship(
  { checkout }: FulfilmentDeps,
  { session, request, locale, address }: Wish,
  asked: MethodInput,
): Promise<Message[]> {
  const destination = destinationOf(asked) ?? {};
  const contact = contactOf(request.buyer, destination);
  const { first_name: firstName = '', last_name: lastName = '', phone_number: phoneNumber = '' } = destination;
  const recipient = firstName || lastName ? { shippingContact: { firstName, lastName, phoneNumber } } : {};
  const option = optionOf(asked);
  const input = { address: addressOf(destination), contact, ...recipient, ...(option ? { shippingMethod: option } : {}) };
  await checkout.deliver(session, input, address, locale);
  return [];
}

async function pickUp({ checkout }: FulfilmentDeps, wish: Wish, asked: MethodInput): Promise<Message[]> {
  const { session, request, locale } = wish;
  const store = asked.selected_destination_id ?? undefined;
  const contact = contactOf(request.buyer);
  await checkout.visit(session, { contact, methodName: 'pickup', localStoreName: store }, locale);
  const option = optionOf(asked);
  const at = option === undefined ? null : slotIn(option);
  if (at !== null) await checkout.pickupDate(session, at, locale);
  return at === null && option !== undefined ? messagesOf({ pickupDate: 'field.invalid' }, locale) : [];
}

const timeParts = { weekday: 'short', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
export const pickupTitle = (at: number, { timeZone }: { timeZone: string }, locale: Locale): string =>
  dateFormat(locale, { ...timeParts, timeZone }).format(at);

export const slotId = (at: number) => `pickup_${at}`;
export const slotIn = (option: string): number | null => {
  const [, digits] = /^pickup_(\d{10,15})$/.exec(option) ?? [];
  const at = digits ? Number(digits) : Date.parse(option);
  return Number.isSafeInteger(at) ? at : null;
};

/** The part of a checkout that says how it can be had, and how it was chosen. */
export async function fulfilmentBody(deps: FulfilmentDeps, wish: Wish, cart: Order, version: UcpVersion): Promise<Body> {
  const { request, settings } = wish;
  const chosen = methodOf(request, cart, settings);
  const lineIds = cart.lineItems.map(({ id }) => id);
  const available = (cart.methods ?? []).flatMap((type) =>
    type === 'instore' ? [] : [{ type, line_item_ids: lineIds, fulfillable_on: 'now' }],
  );
  if (!chosen) return { methods: [], available_methods: available };
  const method =
    chosen.type === 'shipping'
      ? await shippingBody(deps, wish, chosen.asked, version)
      : await pickupBody(deps, wish, chosen.asked, cart, version);
  const { destinations, selected, options, selectedOption } = method;
  const group = {
    id: 'group_1',
    line_item_ids: lineIds,
    options,
    ...(selectedOption ? { selected_option_id: selectedOption } : {}),
  };
  return {
    methods: [
      {
        id: chosen.asked.id ?? 'method_1',
        type: chosen.type,
        line_item_ids: lineIds,
        destinations,
        ...(selected ? { selected_destination_id: selected } : {}),
        groups: [group],
      },
    ],
    ...(available.length > 0 ? { available_methods: available } : {}),
  };
}

interface MethodBody {
  destinations: Body[];
  selected: string | undefined;
  options: Body[];
  selectedOption: string | undefined;
}

async function shippingBody(
  { checkout, now }: FulfilmentDeps,
  { session, request, locale }: Wish,
  asked: MethodInput,
  version: UcpVersion,
): Promise<MethodBody> {
  const destinations = (asked.destinations ?? []).map((each, index) => shippingDestination(each, index, version));
  const destination = destinationOf({ ...asked, destinations });
  const country = destination?.address_country ?? request.context?.address_country;
  const region = destination?.address_region ?? request.context?.address_region;
  const methods = country ? await checkout.shippingMethods(session, country, region, locale) : [];
  const wanted = optionOf(asked);
  const chosen = methods.find(({ id }) => id === wanted) ?? methods[0];
  return {
    destinations,
    selected: destination?.id,
    options: methods.map(({ id, nameContent, description, price, minBusinessDays, maxBusinessDays }) => ({
      id,
      title: inLocale(nameContent, locale),
      ...(description ? { description: version === olderVersion ? description : { plain: description } } : {}),
      // Business days, told in calendar days of which seven have five.
      earliest_fulfillment_time: new Date(now() + Math.floor(minBusinessDays * 1.4) * dayMs).toISOString(),
      latest_fulfillment_time: new Date(now() + Math.ceil(maxBusinessDays * 1.4 + 2) * dayMs).toISOString(),
      totals: [
        { type: 'subtotal', amount: price },
        { type: 'total', amount: price },
      ],
    })),
    selectedOption: chosen?.id,
  };
}

async function pickupBody(
  deps: FulfilmentDeps,
  { session, settings, locale }: Wish,
  asked: MethodInput,
  cart: Order,
  version: UcpVersion,
): Promise<MethodBody> {
  const stores = pickupStores(settings.stores);
  const selected = stores.find(({ id }) => id === (asked.selected_destination_id ?? cart.localStoreName));
  const slots = selected && settings.checkout.displayPickupTime ? await slotsOf(deps, session, selected) : [];
  const chosen = cart.method === 'pickup' && cart.localStoreName === selected?.id ? cart.pickupDate : null;
  const all = chosen !== null && !slots.includes(chosen) ? [chosen, ...slots] : slots;
  const free = [
    { type: 'subtotal', amount: 0 },
    { type: 'total', amount: 0 },
  ];
  return {
    destinations: stores.map((store) => ({ ...typed('business_location', version), ...locationSummary(store, locale) })),
    selected: selected?.id,
    options: all.map((at) => ({
      id: slotId(at),
      title: selected ? pickupTitle(at, selected, locale) : '',
      earliest_fulfillment_time: new Date(at).toISOString(),
      latest_fulfillment_time: new Date(at).toISOString(),
      totals: free,
    })),
    selectedOption: chosen === null ? undefined : slotId(chosen),
  };
}

/** The older version tells them apart by their fields. */
const typed = (type: string, version: UcpVersion) => (version === olderVersion ? {} : { type });

export const shippingDestination = (each: Postal & { id?: string }, index: number, version: UcpVersion) => ({
  ...each,
  id: each.id ?? `destination_${index + 1}`,
  ...typed('shipping_address', version),
});

export const locationSummary = (store: OrderSettings['stores'][number], locale: Locale) => ({
  id: store.id,
  name: inLocale(store.name, locale),
  address: storeAddress(store),
});

export const storeAddress = ({ address, phone }: OrderSettings['stores'][number]): Body => ({
  street_address: address.street,
  address_locality: address.city,
  address_region: address.provinceCode ?? address.province,
  postal_code: address.postCode,
  address_country: address.countryISOCode,
  ...(phone ? { phone_number: phone } : {}),
});

export async function slotsOf(
  { checkout, now }: FulfilmentDeps,
  session: SessionHandle,
  store: OrderSettings['stores'][number],
): Promise<number[]> {
  const found: number[] = [];
  for (let day = 0; day < slotDays && found.length < mostSlots; day++) {
    const { date } = wallClock(now() + day * dayMs, store.timeZone);
    const { slots } = await checkout.pickupSlots(session, store.id, date);
    found.push(...slots.flatMap(({ at, available }) => (available ? [at] : [])));
  }
  return found.slice(0, mostSlots);
}
