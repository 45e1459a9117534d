/** How an order of food is had (draft): picked up at its store at a time, or brought by the store itself as soon as it is made. */
import { inLocale } from '#contract/locales.ts';
import type { OrderSettings } from '#server/modules/orders/index.ts';
import { statusNow, zoneOf } from '#server/modules/stores/index.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import {
  addressOf,
  locationSummary,
  optionOf,
  type Said,
  shownPostal,
  slotId,
  slotIn,
  slotOption,
  slotsOf,
} from './fulfilment.ts';
import { type Body, correctable, type Message } from './protocol.ts';
import { isProven } from './registry.ts';
import type { FoodMethod } from './requests.ts';
import type { Call, Sale } from './sales.ts';

type Store = OrderSettings['stores'][number];

const mostOptions = 8;
/** How long a pickup time lasts at least, where the next one is not known. */
const slotMs = 5 * minuteMs;
const at = '$.fulfillment.methods[0]';

interface FoodWish {
  /** As the shop's checkout takes it. */
  fulfillment?: Said['fulfillment'];
  problems: Message[];
}

export async function foodWish(call: Call, sale: Sale, store: Store): Promise<FoodWish> {
  const method = sale.request.food?.method;
  if (!method) return { problems: [] };
  if (method.type === 'delivery') return deliveryWish(call, sale, store, method);
  const isTimed = sale.settings.checkout.displayPickupTime;
  const slots = isTimed ? await slotsOf(call, sale.session, store) : [];
  const slot = wantedSlot(method, slots);
  const groups = slot === null ? {} : { groups: [{ selected_option_id: slotId(slot) }] };
  const fulfillment = {
    methods: [{ type: 'pickup' as const, selected_destination_id: store.id, ...groups }],
  };
  if (slot !== null || !isTimed) return { fulfillment, problems: [] };
  const { text } = statusNow(store, call.now(), call.locale);
  const path = slots.length === 0 ? '$.food_establishment' : `${at}.requested_fulfillment_time`;
  return { fulfillment, problems: [correctable('location_closed', text, path)] };
}

async function deliveryWish(call: Call, sale: Sale, store: Store, method: FoodMethod): Promise<FoodWish> {
  const { locale } = call;
  const { destination: { address, id } = {}, requested_fulfillment_time: time } = method;
  const problem = (code: string, content: string, path: string) => ({
    problems: [correctable(code, content, path)],
  });
  if (!address) return problem('field_required', 'A delivery needs the address.', `${at}.destination`);
  const { method: found, message } = await call.checkout.localDelivery(
    sale.session,
    addressOf(address),
    call.address,
    locale,
  );
  if (found && call.orders.deliveriesOf(store).some((each) => each.method.id === found.id)) {
    const destinations = [{ ...address, ...(id ? { id } : {}) }];
    const methods = [{ type: 'shipping' as const, destinations, groups: [{ selected_option_id: found.id }] }];
    const name = inLocale(found.nameContent, locale);
    const isLater = time !== undefined;
    const problems = isLater
      ? [correctable('requested_time_unavailable', name, `${at}.requested_fulfillment_time`)]
      : [];
    return { fulfillment: { methods }, problems };
  }
  const zone = sale.settings.checkout.localDelivery
    ? zoneOf(store.deliveryZones, address.postal_code ?? '', null)
    : null;
  const subtotal = sale.cart.lineItems.reduce((sum, { lineTotal }) => sum + lineTotal, 0);
  if (zone && !statusNow(store, call.now(), locale).isOpen)
    return problem('location_closed', message, '$.food_establishment');
  if (zone && subtotal < zone.minimumCents) return problem('minimum_order_unmet', message, '$.totals');
  return problem('address_undeliverable', message, `${at}.destination`);
}

/** The option that was selected, the one whose window holds the requested time, or the first. */
function wantedSlot(
  { selected_option_id: option, requested_fulfillment_time: time }: FoodMethod,
  slots: readonly number[],
) {
  const selected = option === undefined ? null : slotIn(option);
  if (selected !== null && slots.includes(selected)) return selected;
  if (time === undefined) return slots[0] ?? null;
  const wanted = Date.parse(time);
  return slots.find((start) => start <= wanted && wanted < endOf(slots, start)) ?? null;
}

/** A slot lasts as long as the shortest time between two, an hour at most. */
function endOf(slots: readonly number[], start: number): number {
  const length = Math.min(
    ...slots.slice(1).map((each, before) => each - (slots[before] ?? 0)),
    60 * minuteMs,
  );
  return start + Math.max(length, slotMs);
}

export async function foodFulfilment(call: Call, sale: Sale, store: Store): Promise<Body> {
  const { request, settings, placedId, row } = sale;
  const { localDelivery, enablePickup } = settings.checkout;
  const method = request.food?.method;
  const isOver = placedId !== null || row.canceled === 1;
  const hints = [
    ...(localDelivery && store.deliveryZones.length > 0 ? ['delivery'] : []),
    ...(enablePickup && store.allowPickup ? ['pickup'] : []),
  ].map((type) => ({ type, fulfillable_on: 'now' }));
  const available = isOver ? {} : { available_methods: hints };
  if (!method) return available;
  const { type = 'pickup', id = `method_${type}`, requested_fulfillment_time: time, notes } = method;
  const selected = optionOf(request.fulfillment?.methods?.[0] ?? {});
  const parts =
    type === 'delivery'
      ? deliveryBody(call, sale, store, { selected, isOver })
      : await pickupBody(call, sale, store, { selected, isOver });
  const said = {
    id,
    type,
    requested_fulfillment_time: time || undefined,
    notes: (isProven(call.agent) && notes) || undefined,
  };
  return { methods: [{ ...said, ...parts, selected_option_id: selected || undefined }], ...available };
}

interface Chosen {
  /** The id of the option. */
  selected: string | undefined;
  isOver: boolean;
}

function deliveryBody(call: Call, { request, cart }: Sale, store: Store, { selected, isOver }: Chosen): Body {
  const { id = 'destination_1', address, geo } = request.food?.method?.destination ?? {};
  const options = call.orders
    .deliveriesOf(store)
    .filter(({ method }) => method.id === selected)
    .map(({ method, zone }) => ({
      id: method.id,
      title: inLocale(zone.name, call.locale),
      latest_fulfillment_time: new Date(call.now() + zone.minutes * minuteMs).toISOString(),
      totals: [{ type: 'total', amount: isOver ? zone.feeCents : cart.bill.shipping }],
    }));
  const isShown = isProven(call.agent);
  const shown = { address: address && shownPostal(address, call.agent), geo: isShown ? geo : undefined };
  return { destination: address || geo ? { id, type: 'delivery_address', ...shown } : undefined, options };
}

async function pickupBody(call: Call, sale: Sale, store: Store, { selected, isOver }: Chosen): Promise<Body> {
  const { settings, session, request } = sale;
  const slots = isOver || !settings.checkout.displayPickupTime ? [] : await slotsOf(call, session, store);
  const time = request.food?.method?.requested_fulfillment_time;
  const near = time === undefined ? slots.slice(0, mostOptions) : nearest(slots, Date.parse(time));
  const picked = selected === undefined ? null : slotIn(selected);
  const shown = picked !== null && !near.includes(picked) ? [picked, ...near] : near;
  const options = shown.map((start) => ({
    ...slotOption(start, slots.includes(start) ? endOf(slots, start) : start, store, call.locale),
    totals: [{ type: 'total', amount: 0 }],
  }));
  return { destination: { type: 'business_location', ...locationSummary(store, call.locale) }, options };
}

function nearest(slots: readonly number[], to: number): number[] {
  return slots
    .toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to))
    .slice(0, mostOptions)
    .sort((a, b) => a - b);
}
