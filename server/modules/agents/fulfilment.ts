/** How an agent's order reaches its buyer: chosen by the calls of the storefront's checkout, and presented with its choices. */
import { dateFormat } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { pickupStores } from '#contract/rules/method.ts';
import type { AddressInput, ContactInput } from '#contract/schemas/order.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { dayMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import { lineTotals } from './bodies.ts';
import { type Body, type Message, messagesOf, olderVersion, type UcpVersion } from './protocol.ts';
import { type Agent, isProven } from './registry.ts';
import type { CheckoutInput, FoodInput, FoodMethod, MethodInput, Postal } from './requests.ts';
import type { Call, Sale, Visit } from './sales.ts';

/** What an agent says of buyer and delivery. */
export type Said = { [K in 'buyer' | 'context' | 'discounts' | 'fulfillment']?: CheckoutInput[K] | undefined } & {
  /** Of a checkout of food, in its own words. */
  food?: { establishment: string; tip?: FoodInput['tip'] | undefined; method?: FoodMethod | undefined };
};

type Store = OrderSettings['stores'][number];

/** A session's checkout as it is asked for. */
export type Wish = Pick<Sale, 'session' | 'request' | 'settings' | 'cart'>;

/** Pickup times that an answer lists at most. */
const mostSlots = 40;
const slotDays = 3;

/** The method that was asked for, or the only one that the cart can have. */
export function methodOf({ request, cart, settings }: Wish): { type: 'shipping' | 'pickup'; asked: MethodInput } | null {
  const all = request.fulfillment?.methods ?? [];
  const asked = all.find(({ type }) => type) ?? all[0] ?? {};
  const { domesticShippingEnabled: isShipped, enablePickup } = settings.checkout;
  const offered = (['shipping', 'pickup'] as const).filter((type) => (type === 'shipping' ? isShipped : enablePickup));
  const type = asked.type ?? offered.find((each) => cart.methods?.includes(each)) ?? offered[0];
  return type ? { type, asked } : null;
}

function contactOf(buyer: Said['buyer'] = {}, destination: Postal = {}): ContactInput {
  const { first_name: firstName = '', last_name: lastName = '', phone_number: phoneNumber = '' } = { ...destination, ...buyer };
  return { firstName, lastName, phoneNumber, email: buyer.email ?? '' };
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

export const optionOf = ({ groups }: MethodInput) => groups?.[0]?.selected_option_id ?? undefined;

/** Chooses delivery for the session's cart as far as the request says it. Returns what is missing or wrong. */
export async function chooseFulfilment(visit: Visit, wish: Wish): Promise<Message[]> {
  const chosen = methodOf(wish);
  if (!chosen) return [];
  try {
    return chosen.type === 'shipping' ? await ship(visit, wish, chosen.asked) : await pickUp(visit, wish, chosen.asked);
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors || error.status >= 500) throw error;
    return messagesOf(error.details.errors, visit.locale);
  }
}

async function ship({ checkout, address, locale }: Visit, { session, request }: Wish, asked: MethodInput): Promise<Message[]> {
  const destination = destinationOf(asked) ?? {};
  const contact = contactOf(request.buyer, destination);
  const { first_name: firstName = '', last_name: lastName = '', phone_number: phoneNumber = '' } = destination;
  const recipient = firstName || lastName ? { shippingContact: { firstName, lastName, phoneNumber } } : {};
  const option = optionOf(asked);
  const input = { address: addressOf(destination), contact, ...recipient, ...(option ? { shippingMethod: option } : {}) };
  await checkout.deliver(session, input, address, locale);
  return [];
}

async function pickUp({ checkout, locale }: Visit, { session, request }: Wish, asked: MethodInput): Promise<Message[]> {
  const localStoreName = asked.selected_destination_id ?? undefined;
  await checkout.visit(session, { contact: contactOf(request.buyer), methodName: 'pickup', localStoreName }, locale);
  const option = optionOf(asked);
  const at = option === undefined ? null : slotIn(option);
  if (at !== null) await checkout.pickupDate(session, at, locale);
  return at === null && option !== undefined ? messagesOf({ pickupDate: 'field.invalid' }, locale) : [];
}

const timeParts = { weekday: 'short', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
/** A pickup time as an option; it lasts until another time (epoch ms). */
export const slotOption = (at: number, until: number, { timeZone }: Store, locale: Locale) => ({
  id: slotId(at),
  title: dateFormat(locale, { ...timeParts, timeZone }).format(at),
  earliest_fulfillment_time: new Date(at).toISOString(),
  latest_fulfillment_time: new Date(until).toISOString(),
});

export const slotId = (at: number) => `pickup_${at}`;
export const slotIn = (option: string): number | null => {
  const [, digits] = /^pickup_(\d{10,15})$/.exec(option) ?? [];
  const at = digits ? Number(digits) : Date.parse(option);
  return Number.isSafeInteger(at) ? at : null;
};

/** The part of a checkout that says how it can be had, and how it was chosen. */
export async function fulfilmentBody(call: Call, wish: Wish): Promise<Body> {
  const { cart } = wish;
  const chosen = methodOf(wish);
  const lineIds = cart.lineItems.map(({ id }) => id);
  const available = (cart.methods ?? []).flatMap((type) =>
    type === 'instore' ? [] : [{ type, line_item_ids: lineIds, fulfillable_on: 'now' }],
  );
  if (!chosen) return { methods: [], available_methods: available };
  const { type, asked } = chosen;
  const parts = type === 'shipping' ? await shippingParts(call, wish, asked) : await pickupParts(call, wish, asked);
  return {
    methods: [methodBody(type, asked, lineIds, parts)],
    available_methods: available.length > 0 ? available : undefined,
  };
}

/** As the agent chose it; of an order that a person finished, no more than its method. */
export function placedFulfilment({ request, cart: { method, lineItems } }: Wish, agent: Agent): Body {
  const [asked = {}] = request.fulfillment?.methods ?? [];
  if (method === 'instore' || method === null) return { methods: [] };
  const destinations = method === 'shipping' ? shippingDestinations(asked, agent) : undefined;
  const chosen = { selected: asked.selected_destination_id, selectedOption: optionOf(asked) };
  const ids = lineItems.map(({ id }) => id);
  return { methods: [methodBody(method, asked, ids, { destinations, ...chosen })] };
}

interface MethodParts {
  destinations: Body[] | undefined;
  selected: string | null | undefined;
  options?: Body[];
  selectedOption: string | undefined;
}

const methodBody = (type: string, { id = 'method_1' }: MethodInput, lineIds: readonly string[], parts: MethodParts): Body => ({
  id,
  type,
  line_item_ids: lineIds,
  destinations: parts.destinations,
  selected_destination_id: parts.selected || undefined,
  groups: [
    { id: 'group_1', line_item_ids: lineIds, options: parts.options, selected_option_id: parts.selectedOption || undefined },
  ],
});

async function shippingParts(
  { checkout, locale, agent }: Call,
  { session, request, settings: { timeZone } }: Wish,
  asked: MethodInput,
): Promise<MethodParts> {
  const { version } = agent;
  const destinations = shippingDestinations(asked, agent);
  const destination = destinationOf({ ...asked, destinations });
  const { address_country: country, address_region: region } = { ...request.context, ...destination };
  const methods = country ? await checkout.shippingMethods(session, country, region, locale) : [];
  const wanted = optionOf(asked);
  const chosen = methods.find(({ id }) => id === wanted) ?? methods[0];
  const worded = (plain: string) => (version === olderVersion ? plain : { plain });
  return {
    destinations,
    selected: destination?.id,
    options: methods.map(({ id, nameContent, description, price, arrival }) => ({
      id,
      title: inLocale(nameContent, locale),
      description: description ? worded(description) : undefined,
      // From the first minute of the first day to the last of the last.
      earliest_fulfillment_time: arrival && new Date(momentAt(arrival.earliest, 0, timeZone)).toISOString(),
      latest_fulfillment_time: arrival && new Date(momentAt(arrival.latest, 24 * 60 - 1, timeZone)).toISOString(),
      totals: lineTotals(price),
    })),
    selectedOption: chosen?.id,
  };
}

async function pickupParts(call: Call, { session, settings, cart }: Wish, asked: MethodInput): Promise<MethodParts> {
  const { locale, agent } = call;
  const stores = pickupStores(settings.stores);
  const selected = stores.find(({ id }) => id === (asked.selected_destination_id ?? cart.localStoreName));
  const slots = selected && settings.checkout.displayPickupTime ? await slotsOf(call, session, selected) : [];
  const chosen = cart.method === 'pickup' && cart.localStoreName === selected?.id ? cart.pickupDate : null;
  const all = chosen !== null && !slots.includes(chosen) ? [chosen, ...slots] : slots;
  return {
    destinations: stores.map((store) => ({ ...typed('business_location', agent.version), ...locationSummary(store, locale) })),
    selected: selected?.id,
    options: selected ? all.map((at) => ({ ...slotOption(at, at, selected, locale), totals: lineTotals(0) })) : [],
    selectedOption: chosen === null ? undefined : slotId(chosen),
  };
}

/** The older version tells them apart by their fields. */
const typed = (type: string, version: UcpVersion) => (version === olderVersion ? {} : { type });

const shippingDestinations = ({ destinations = [] }: MethodInput, agent: Agent) =>
  destinations.map((each, index) => ({
    ...shownPostal(each, agent),
    id: each.id ?? `destination_${index + 1}`,
    ...typed('shipping_address', agent.version),
  }));

/** The whole address goes only to an agent that has proven who it is; others see what tax and delivery depend on. */
export function shownPostal(postal: Postal, agent: Agent): Postal {
  if (isProven(agent)) return postal;
  const { address_country, address_region } = postal;
  return {
    ...(address_country === undefined ? {} : { address_country }),
    ...(address_region === undefined ? {} : { address_region }),
  };
}

export const locationSummary = (store: Store, locale: Locale) => ({
  id: store.id,
  name: inLocale(store.name, locale),
  address: storeAddress(store),
});

export const storeAddress = ({ address, phone }: Store): Body => ({
  street_address: address.street,
  address_locality: address.city,
  address_region: address.provinceCode ?? address.province,
  postal_code: address.postCode,
  address_country: address.countryISOCode,
  phone_number: phone || undefined,
});

export async function slotsOf({ checkout, now }: Visit, session: SessionHandle, store: Store): Promise<number[]> {
  const found: number[] = [];
  for (let day = 0; day < slotDays && found.length < mostSlots; day++) {
    const { date } = wallClock(now() + day * dayMs, store.timeZone);
    const { slots } = await checkout.pickupSlots(session, store.id, date);
    found.push(...slots.flatMap(({ at, available }) => (available ? [at] : [])));
  }
  return found.slice(0, mostSlots);
}
