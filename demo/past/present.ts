/** What waits in the demo shop now: eight orders at the desk, some of them in the kitchen, one late, two unpaid. */
import { hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { chanceOf } from './chance.ts';
import type { Wanted } from './goods.ts';
import { type Placed, type Purchase, place } from './orders.ts';
import { addressNearby, type Buyer } from './people.ts';
import { bikeZone, pickupTime } from './plan.ts';
import type { PastShop } from './shop.ts';

type Waiting = Omit<Purchase, 'buyer'> & {
  /** Before now, ms. */
  ago: number;
  /** What the shop has done about it since. */
  since?: (shop: PastShop, placed: Placed, pickupAt: number) => Promise<unknown>;
  /** In its place, if the store is closed. */
  otherwise?: Waiting;
};

const toronto = 'toronto-queen-west';

const milkTea: Wanted = {
  sku: 'MC-DR-05-LRG',
  quantity: 2,
  note: 'No straws',
  modifiers: [
    { group: 'temperature', modifier: 'iced', modifiers: [{ group: 'ice', modifier: 'less' }] },
    { group: 'sugar', modifier: 'half' },
    { group: 'milk', modifier: 'oat' },
    { group: 'toppings', modifier: 'pearls' },
  ],
};
const hojicha: Wanted = {
  sku: 'MC-DR-03',
  quantity: 1,
  modifiers: [
    { group: 'temperature', modifier: 'hot' },
    { group: 'sugar', modifier: 'none' },
    { group: 'milk', modifier: 'soy' },
  ],
};

const ready: Waiting['since'] = async (shop, { number }, pickupAt) => {
  shop.at = Math.max(shop.at + minuteMs, Math.min(pickupAt - 40 * minuteMs, shop.until - 12 * minuteMs));
  const { changes, fulfilment } = shop.services;
  return changes.run(shop.who('noah'), 'orders ready', (change) => fulfilment.move(change, number, 'ready'));
};

const waiting: readonly Waiting[] = [
  {
    ago: 4 * hourMs,
    kind: 'pickup',
    store: toronto,
    since: ready,
    wanted: [
      { sku: 'MC-OT-01-100', quantity: 1 },
      { sku: 'MC-CM-03', quantity: 1 },
    ],
  },
  {
    ago: 3 * hourMs,
    kind: 'parcel',
    store: null,
    shippingMethod: 'ca-express',
    card: 'approve',
    wanted: [{ sku: 'MC-TP-04', quantity: 1 }],
    comment: 'A present: no prices in the parcel, please.',
  },
  {
    ago: 55 * minuteMs,
    kind: 'parcel',
    store: null,
    card: 'approve',
    wanted: [
      { sku: 'MC-BT-01-100', quantity: 2 },
      { sku: 'MC-CM-02-250', quantity: 2 },
    ],
  },
  {
    ago: 20 * minuteMs,
    kind: 'pickup',
    store: toronto,
    card: 'approve',
    tip: 15,
    wanted: [
      { sku: 'MC-WP-02', quantity: 1 },
      { sku: 'MC-GW-01', quantity: 1 },
    ],
  },
  {
    ago: 14 * minuteMs,
    kind: 'table',
    store: toronto,
    table: '3',
    wanted: [
      { sku: 'MC-DR-03', quantity: 1 },
      { sku: 'MC-SW-02', quantity: 2, note: 'Peanut allergy' },
    ],
  },
  {
    ago: 11 * minuteMs,
    kind: 'bike',
    store: toronto,
    shippingMethod: bikeZone(toronto).shippingMethod,
    card: 'approve',
    wanted: [{ sku: 'MC-SW-03', quantity: 3 }],
    otherwise: {
      ago: 11 * minuteMs,
      kind: 'table',
      store: toronto,
      table: '11',
      card: 'approve',
      wanted: [{ sku: 'MC-SW-03', quantity: 1 }],
    },
  },
  {
    ago: 6 * minuteMs,
    kind: 'table',
    store: 'ottawa-byward',
    table: '5',
    wanted: [hojicha],
  },
  {
    ago: 2 * minuteMs,
    kind: 'table',
    store: toronto,
    table: '7',
    card: 'approve',
    tip: 15,
    wanted: [milkTea],
  },
];

/** Places them, each as long ago as it says. */
export async function makePresent(
  shop: PastShop,
  buyers: readonly Buyer[],
  log: (problem: string) => void,
): Promise<void> {
  // Express goes to Canada alone.
  const atHome = buyers.filter(({ address }) => address.countryISOCode === 'CA');
  for (const [index, order] of waiting.entries()) {
    const buyer = atHome[index * 5 + 3];
    if (!buyer) throw new Error('There are too few buyers');
    const make = (each: Waiting) => () => placeWaiting(shop, buyer, each);
    await shop
      .apart(make(order))
      .catch((error: unknown) =>
        order.otherwise ? shop.apart(make(order.otherwise)) : Promise.reject(error),
      )
      .catch((error: unknown) => log(`an order that waits: ${String(error)}`));
  }
}

async function placeWaiting(
  shop: PastShop,
  buyer: Buyer,
  { ago, since, otherwise: _, ...order }: Waiting,
): Promise<void> {
  shop.at = shop.until - ago;
  const chance = chanceOf(`waiting ${ago}`);
  const pickupAt = order.kind === 'pickup' ? pickupTime(order.store ?? '', shop.at, chance) : shop.at;
  const placed = await place(shop, {
    ...order,
    buyer,
    ...(order.kind === 'pickup' ? { pickupAt } : {}),
    ...(order.kind === 'bike' ? { address: addressNearby(chance) } : {}),
  });
  await since?.(shop, placed, pickupAt);
}
