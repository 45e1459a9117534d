/** How an agent's order reaches its buyer: chosen by the calls of the storefront's checkout, and presented with its choices. */
import { dateFormat } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { pickupStores } from '#contract/rules/method.ts';
import type { AddressInput, ContactInput } from '#contract/schemas/order.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { AppError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { dayMs, hourMs, minuteMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import { plainTotals } from './bodies.ts';
import { isNamed } from './choices.ts';
import {
  type Body,
  correctable,
  type Message,
  messagesOf,
  olderVersion,
  type UcpVersion,
} from './protocol.ts';
import { type Agent, isProven } from './registry.ts';
import type { CheckoutInput, FoodInput, FoodMethod, MethodInput, Postal } from './requests.ts';
import type { Call, Sale, Visit } from './sales.ts';

/** What an agent says of buyer and delivery. */
export type Said = {
  [K in 'buyer' | 'context' | 'discounts' | 'fulfillment' | 'note']?: CheckoutInput[K] | undefined;
} & {
  /** Of a checkout of food, in its own words. */
  food?: { establishment: string; tip?: FoodInput['tip'] | undefined; method?: FoodMethod | undefined };
};

type Store = OrderSettings['stores'][number];

/** A session's checkout as it is asked for. */
export type Wish = Pick<Sale, 'session' | 'request' | 'settings' | 'cart'>;

/** Pickup times that an answer lists at most, and around one that is asked for. */
const mostSlots = 40;
const slotsAround = 8;
const slotDays = 3;
/** Of a pickup whose exact time is not offered, the one before it that is no further away. */
const slotReachMs = 15 * minuteMs;
const quarterMs = 15 * minuteMs;

/** The method that was asked for, or the only one that the cart can have. */
export function methodOf({
  request,
  cart,
  settings,
}: Wish): { type: 'shipping' | 'pickup'; asked: MethodInput } | null {
  const all = request.fulfillment?.methods ?? [];
  const asked = all.find(({ type }) => type) ?? all[0] ?? {};
  const { domesticShippingEnabled: isShipped, enablePickup } = settings.checkout;
  const offered = (['shipping', 'pickup'] as const).filter((type) =>
    type === 'shipping' ? isShipped : enablePickup,
  );
  // What is never sent is picked up, also while its store is closed.
  const isSent = cart.lineItems.every(({ inStoreOnly }) => !inStoreOnly);
  const preferred = isSent ? offered : offered.toReversed();
  const type = asked.type ?? preferred.find((each) => cart.methods?.includes(each)) ?? preferred[0];
  return type ? { type, asked } : null;
}

function contactOf(buyer: Said['buyer'] = {}, destination: Postal = {}): ContactInput {
  const {
    first_name: firstName = '',
    last_name: lastName = '',
    phone_number: phoneNumber = '',
  } = { ...destination, ...buyer };
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
    : { country: (postal.address_country ?? '').trim().slice(0, 100) }),
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
    return chosen.type === 'shipping'
      ? await ship(visit, wish, chosen.asked)
      : await pickUp(visit, wish, chosen.asked);
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors || error.status >= 500) throw error;
    return messagesOf(error.details.errors, visit.locale);
  }
}

async function ship(
  { checkout, address, locale }: Visit,
  { session, request }: Wish,
  asked: MethodInput,
): Promise<Message[]> {
  const destination = destinationOf(asked) ?? {};
  const contact = contactOf(request.buyer, destination);
  const {
    first_name: firstName = '',
    last_name: lastName = '',
    phone_number: phoneNumber = '',
  } = destination;
  const recipient = firstName || lastName ? { shippingContact: { firstName, lastName, phoneNumber } } : {};
  const option = optionOf(asked);
  const input = {
    address: addressOf(destination),
    contact,
    ...recipient,
    ...(option ? { shippingMethod: option } : {}),
  };
  await checkout.deliver(session, input, address, locale);
  return [];
}

async function pickUp(
  visit: Visit,
  { session, request, settings }: Wish,
  asked: MethodInput,
): Promise<Message[]> {
  const { checkout, locale } = visit;
  const store = storeOf(settings, asked);
  const localStoreName = store?.id ?? asked.selected_destination_id ?? undefined;
  await checkout.visit(
    session,
    { contact: contactOf(request.buyer), methodName: 'pickup', localStoreName },
    locale,
  );
  const option = optionOf(asked);
  const at = option === undefined ? null : slotIn(option);
  if (at !== null) await checkout.pickupDate(session, at, locale);
  if (option !== undefined) return at === null ? messagesOf({ pickupDate: 'field.invalid' }, locale) : [];
  const time = timeAsked(request, asked);
  return time === undefined || !store ? [] : chooseTime(visit, session, store, time);
}

/** By id or by name. */
export const storeOf = (
  { stores }: OrderSettings,
  { selected_destination_id: wanted }: MethodInput,
): Store | undefined =>
  wanted ? pickupStores(stores).find(({ id, name }) => isNamed(wanted, id, name)) : undefined;

const timeAsked = ({ context }: Said, asked: MethodInput): string | undefined =>
  asked.requested_fulfillment_time ?? context?.requested_fulfillment_time;

/** The pickup time that holds the one that is asked for. */
async function chooseTime(
  visit: Visit,
  session: SessionHandle,
  store: Store,
  text: string,
): Promise<Message[]> {
  const { checkout, locale, now } = visit;
  const t = translate(locale);
  const path = '$.fulfillment.methods[0].requested_fulfillment_time';
  const wanted = momentOf(text, store, now());
  if (wanted === null) return [correctable('invalid', t('agents.timeInvalid'), path)];
  const slots = await slotsOn(visit, session, store, wallClock(wanted, store.timeZone).date);
  const found = slots.findLast((at) => at <= wanted && wanted - at < slotReachMs);
  if (found !== undefined) {
    await checkout.pickupDate(session, found, locale);
    return [];
  }
  const times = around(slots, wanted).map((at) => titleOf(at, store, locale));
  const content = t('agents.timeTaken', {
    store: inLocale(store.name, locale),
    times: times.join(', ') || t('agents.noTimes'),
  });
  return [correctable('requested_time_unavailable', content, path)];
}

/** Epoch ms: a time with a zone, or one of the store's clock, which without a date is the next. Null if it is none. */
export function momentOf(text: string, { timeZone }: Pick<Store, 'timeZone'>, now: number): number | null {
  const [, date, hours, minutes, zone] =
    /^(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(
      text.trim(),
    ) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  if (date !== undefined && zone !== undefined) {
    const at = Date.parse(text.trim().replace(' ', 'T'));
    return Number.isNaN(at) ? null : at;
  }
  if (date !== undefined && Number.isNaN(Date.parse(date))) return null;
  const ofDay = Number(hours) * 60 + Number(minutes);
  if (date !== undefined) return momentAt(date, ofDay, timeZone);
  const [today = 0, tomorrow = 0] = [0, 1].map((day) =>
    momentAt(wallClock(now + day * dayMs, timeZone).date, ofDay, timeZone),
  );
  return today >= now ? today : tomorrow;
}

const around = (slots: readonly number[], to: number): number[] =>
  slots
    .toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to))
    .slice(0, slotsAround)
    .sort((a, b) => a - b);

async function slotsOn(
  { checkout }: Visit,
  session: SessionHandle,
  store: Store,
  date: string,
): Promise<number[]> {
  const { slots } = await checkout.pickupSlots(session, store.id, date);
  return slots.flatMap(({ at, available }) => (available ? [at] : []));
}

const titleOf = (at: number, { timeZone }: Store, locale: Locale) =>
  dateFormat(locale, { ...timeParts, timeZone }).format(at);

const timeParts = {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;
/** A pickup time as an option; it lasts until another time (epoch ms). */
export const slotOption = (at: number, until: number, store: Store, locale: Locale) => ({
  id: slotId(at),
  title: titleOf(at, store, locale),
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
export async function fulfilmentBody(
  call: Call,
  wish: Wish,
): Promise<{ body: Body; hints: readonly Message[] }> {
  const { cart } = wish;
  const chosen = methodOf(wish);
  const lineIds = cart.lineItems.map(({ id }) => id);
  const available = (cart.methods ?? []).flatMap((type) =>
    type === 'instore' ? [] : [{ type, line_item_ids: lineIds, fulfillable_on: 'now' }],
  );
  if (!chosen) return { body: { methods: [], available_methods: available }, hints: [] };
  const { type, asked } = chosen;
  const parts =
    type === 'shipping' ? await shippingParts(call, wish, asked) : await pickupParts(call, wish, asked);
  const body = {
    methods: [methodBody(type, asked, lineIds, parts)],
    available_methods: available.length > 0 ? available : undefined,
  };
  return { body, hints: parts.hints ?? [] };
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
  /** What an agent may want to know before it chooses. */
  hints?: Message[];
}

const methodBody = (
  type: string,
  { id = 'method_1' }: MethodInput,
  lineIds: readonly string[],
  parts: MethodParts,
): Body => ({
  id,
  type,
  line_item_ids: lineIds,
  destinations: parts.destinations,
  selected_destination_id: parts.selected || undefined,
  groups: [
    {
      id: 'group_1',
      line_item_ids: lineIds,
      options: parts.options,
      selected_option_id: parts.selectedOption || undefined,
    },
  ],
});

/** The cheapest first; none where the shop ships nothing of the cart to. */
export async function shippingOptions({ checkout, locale }: Visit, wish: Wish, asked: MethodInput) {
  const { country, province } = placeOf(wish, asked);
  const isShippable = wish.cart.lineItems.every(({ inStoreOnly }) => !inStoreOnly);
  return country === undefined || !isShippable
    ? []
    : checkout.shippingMethods(wish.session, country, province, locale);
}

/** Where it goes, as far as it is known: the country by its code. */
export function placeOf({ request, settings }: Pick<Wish, 'request' | 'settings'>, asked: MethodInput) {
  const { address_country: named = '', address_region: province } = {
    ...request.context,
    ...destinationOf(asked),
  };
  const country = settings.countries.find(({ countryISOCode, name }) => isNamed(named, countryISOCode, name));
  return { country: country?.countryISOCode, province };
}

async function shippingParts(call: Call, wish: Wish, asked: MethodInput): Promise<MethodParts> {
  const { locale, agent } = call;
  const { timeZone } = wish.settings;
  const { version } = agent;
  const destinations = shippingDestinations(asked, agent);
  const destination = destinationOf({ ...asked, destinations });
  const methods = await shippingOptions(call, wish, asked);
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
      latest_fulfillment_time:
        arrival && new Date(momentAt(arrival.latest, 24 * 60 - 1, timeZone)).toISOString(),
      totals: plainTotals(price),
    })),
    selectedOption: chosen?.id,
  };
}

async function pickupParts(
  call: Call,
  { session, settings, cart, request }: Wish,
  asked: MethodInput,
): Promise<MethodParts> {
  const { locale, agent, now } = call;
  const stores = pickupStores(settings.stores);
  const selected = storeOf(settings, asked) ?? stores.find(({ id }) => id === cart.localStoreName);
  const isTimed = selected !== undefined && settings.checkout.displayPickupTime;
  const time = timeAsked(request, asked);
  const wanted = selected && time !== undefined ? momentOf(time, selected, now()) : null;
  const free = isTimed ? await timesOf(call, session, selected, wanted) : [];
  const slots = shownSlots(free, wanted);
  const chosen = cart.method === 'pickup' && cart.localStoreName === selected?.id ? cart.pickupDate : null;
  const all = chosen !== null && !slots.includes(chosen) ? [chosen, ...slots] : slots;
  const [first] = free;
  const isOpen = isTimed && chosen === null && first !== undefined;
  const hint = isOpen ? asSoonAs(first, selected, locale) : [];
  return {
    destinations: stores.map((store) => ({
      ...typed('business_location', agent.version),
      ...locationSummary(store, locale),
    })),
    selected: selected?.id,
    options: selected
      ? all.map((at) => ({ ...slotOption(at, at, selected, locale), totals: plainTotals(0) }))
      : [],
    selectedOption: chosen === null ? undefined : slotId(chosen),
    hints: [...hint, ...(isOpen && free.length > slots.length ? [moreTimes(locale)] : [])],
  };
}

/** Of the next days, or of the day that is asked for. */
const timesOf = (call: Call, session: SessionHandle, store: Store, wanted: number | null) =>
  wanted === null
    ? slotsOf(call, session, store)
    : slotsOn(call, session, store, wallClock(wanted, store.timeZone).date);

const optionPath = '$.fulfillment.methods[0].groups[0].selected_option_id';
const info = (code: string, content: string): Message => ({ type: 'info', code, content, path: optionPath });

const asSoonAs = (at: number, store: Store, locale: Locale): Message[] => [
  info('pickup_time_optional', translate(locale)('agents.readyAt', { time: titleOf(at, store, locale) })),
];
const moreTimes = (locale: Locale): Message =>
  info('more_pickup_times', translate(locale)('agents.moreTimes'));

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

export async function slotsOf(visit: Visit, session: SessionHandle, store: Store): Promise<number[]> {
  const found: number[] = [];
  for (let day = 0; day < slotDays; day++) {
    const { date } = wallClock(visit.now() + day * dayMs, store.timeZone);
    found.push(...(await slotsOn(visit, session, store, date)));
  }
  return found;
}

/** All of the first hour, then quarter hours; or those around a time that is asked for. */
export function shownSlots(slots: readonly number[], wanted: number | null): number[] {
  if (wanted !== null) return around(slots, wanted);
  const [first = 0] = slots;
  return slots.filter((at) => at < first + hourMs || at % quarterMs === 0).slice(0, mostSlots);
}
