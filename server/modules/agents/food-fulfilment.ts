/** How an order of food is had (draft): picked up at its store at a time, or brought by the store itself as soon as it is made. */
import { inLocale } from '#contract/locales.ts';
import { type OrderSettings, storeDelivery } from '#server/modules/orders/index.ts';
import { statusNow, zoneOf } from '#server/modules/stores/index.ts';
import { minuteMs } from '#server/platform/durations.ts';
import { addressOf, locationSummary, pickupTitle, type Said, slotId, slotIn, slotsOf } from './fulfilment.ts';
import { type Body, correctable, type Message } from './protocol.ts';
import type { FoodMethod, Postal } from './requests.ts';
import type { Caller, Sale, SalesDeps } from './sales.ts';

type Store = OrderSettings['stores'][number];

const methodId = ({ type }: FoodMethod) => `method_${type ?? 'pickup'}`;
const mostOptions = 8;
/** How long a pickup time lasts at least, where the next one is not known. */
const slotMs = 5 * minuteMs;

/** The fulfilment as the shop's checkout takes it, and what is wrong with the wish. */
export async function foodWish(
  deps: SalesDeps,
  { session, request, settings, cart }: Sale,
  store: Store,
  { locale, address }: Caller,
): Promise<{ fulfillment?: Said['fulfillment']; problems: Message[] }> {
  const method = request.food?.method;
  if (!method) return { problems: [] };
  const at = '$.fulfillment.methods[0]';
  if (method.type === 'delivery') {
    const postal = postalOf(method);
    if (!postal) return { problems: [correctable('field_required', 'A delivery needs the address.', `${at}.destination`)] };
    const chosen = deliveryOf(store, settings, postal);
    const { method: found, message } = await deps.checkout.localDelivery(session, addressOf(postal), address, locale);
    const option = found && store.deliveryZones.some((zone) => storeDelivery(store, zone).method.id === found.id) ? found : null;
    const methods = [
      { type: 'shipping' as const, destinations: [postal], ...(option ? { groups: [{ selected_option_id: option.id }] } : {}) },
    ];
    if (option) {
      const later =
        method.requested_fulfillment_time === undefined
          ? []
          : [correctable('requested_time_unavailable', inLocale(option.nameContent, locale), `${at}.requested_fulfillment_time`)];
      return { fulfillment: { methods }, problems: later };
    }
    const { isOpen } = statusNow(store, deps.now(), locale);
    const subtotal = cart.lineItems.reduce((sum, { lineTotal }) => sum + lineTotal, 0);
    if (chosen && !isOpen) return { problems: [correctable('location_closed', message, '$.food_establishment')] };
    if (chosen && subtotal < chosen.zone.minimumCents)
      return { problems: [correctable('minimum_order_unmet', message, '$.totals')] };
    return { problems: [correctable('address_undeliverable', message, `${at}.destination`)] };
  }
  const slots = settings.checkout.displayPickupTime ? await slotsOf(deps, session, store) : [];
  const slot = wantedSlot(method, slots);
  const groups = slot === null ? {} : { groups: [{ selected_option_id: slotId(slot) }] };
  const fulfillment = { methods: [{ type: 'pickup' as const, selected_destination_id: store.id, ...groups }] };
  if (slot !== null || !settings.checkout.displayPickupTime) return { fulfillment, problems: [] };
  const { text } = statusNow(store, deps.now(), locale);
  const path = slots.length === 0 ? '$.food_establishment' : `${at}.requested_fulfillment_time`;
  return { fulfillment, problems: [correctable('location_closed', text, path)] };
}

/** The option that was selected, the one whose window holds the requested time, or the first. */
function wantedSlot({ selected_option_id: option, requested_fulfillment_time: time }: FoodMethod, slots: readonly number[]) {
  const selected = option === undefined ? null : slotIn(option);
  if (selected !== null && slots.includes(selected)) return selected;
  if (time === undefined) return slots[0] ?? null;
  const at = Date.parse(time);
  return slots.find((start, index) => start <= at && at < endOf(slots, index)) ?? null;
}

/** A slot lasts until the next one of its day. */
function endOf(slots: readonly number[], index: number): number {
  const start = slots[index] ?? 0;
  const length = Math.min(...slots.slice(1).map((each, before) => each - (slots[before] ?? 0)), 60 * minuteMs);
  return start + Math.max(length, slotMs);
}

const postalOf = ({ destination }: FoodMethod): (Postal & { id?: string }) | null =>
  destination?.address ? { ...destination.address, ...(destination.id ? { id: destination.id } : {}) } : null;

function deliveryOf(store: Store, { checkout }: OrderSettings, { postal_code: code = '' }: Postal) {
  const zone = checkout.localDelivery ? zoneOf(store.deliveryZones, code, null) : null;
  return zone && storeDelivery(store, zone);
}

export async function foodFulfilment(deps: SalesDeps, sale: Sale, store: Store, { locale }: Caller): Promise<Body> {
  const { request, settings, cart, session, placedId, row } = sale;
  const method = request.food?.method;
  const hints = [
    ...(settings.checkout.localDelivery && store.deliveryZones.length > 0 ? ['delivery'] : []),
    ...(settings.checkout.enablePickup && store.allowPickup ? ['pickup'] : []),
  ].map((type) => ({ type, fulfillable_on: 'now' }));
  const isOver = placedId !== null || row.canceled === 1;
  const available = isOver ? {} : { available_methods: hints };
  if (!method) return available;
  const { requested_fulfillment_time: time, notes } = method;
  const said = { ...(time ? { requested_fulfillment_time: time } : {}), ...(notes ? { notes } : {}) };
  const base = { id: method.id ?? methodId(method), type: method.type ?? 'pickup', ...said };
  const [chosen] = request.fulfillment?.methods ?? [];
  const selected = chosen?.groups?.[0]?.selected_option_id ?? undefined;
  const choice = selected ? { selected_option_id: selected } : {};
  if (method.type === 'delivery') {
    const { id = 'destination_1', address, geo } = method.destination ?? {};
    const destination = { id, type: 'delivery_address', ...(address ? { address } : {}), ...(geo ? { geo } : {}) };
    const delivery = store.deliveryZones.map((zone) => storeDelivery(store, zone)).find((each) => each.method.id === selected);
    const ready = delivery && deps.now() + delivery.zone.minutes * minuteMs;
    const options = delivery
      ? [
          {
            id: delivery.method.id,
            title: inLocale(delivery.zone.name, locale),
            ...(ready ? { latest_fulfillment_time: new Date(ready).toISOString() } : {}),
            totals: [{ type: 'total', amount: isOver ? delivery.zone.feeCents : cart.bill.shipping }],
          },
        ]
      : [];
    return { methods: [{ ...base, ...(address || geo ? { destination } : {}), options, ...choice }], ...available };
  }
  const destination = { type: 'business_location', ...locationSummary(store, locale) };
  const slots = isOver || !settings.checkout.displayPickupTime ? [] : await slotsOf(deps, session, store);
  const near = time === undefined ? slots.slice(0, mostOptions) : nearest(slots, Date.parse(time));
  const picked = selected === undefined ? null : slotIn(selected);
  const shown = picked !== null && !near.includes(picked) ? [picked, ...near] : near;
  const options = shown.map((at) => {
    const index = slots.indexOf(at);
    return {
      id: slotId(at),
      title: pickupTitle(at, store, locale),
      earliest_fulfillment_time: new Date(at).toISOString(),
      latest_fulfillment_time: new Date(index < 0 ? at : endOf(slots, index)).toISOString(),
      totals: [{ type: 'total', amount: 0 }],
    };
  });
  return { methods: [{ ...base, destination, options, ...choice }], ...available };
}

function nearest(slots: readonly number[], to: number): number[] {
  return slots
    .toSorted((a, b) => Math.abs(a - to) - Math.abs(b - to))
    .slice(0, mostOptions)
    .sort((a, b) => a - b);
}
