/**
 * Loads of a shop that lives: many addresses at random, while a merchant changes the catalogue and customers order. Each mix is
 * measured in turns with the same reads alone, in the same run.
 */
import path from 'node:path';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import { type Figure, type LoadOptions, load, middle } from './load.ts';
import { type Server, startServer } from './servers.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Changes of the catalogue a second, made by another process, as a merchant's import does. */
export async function withChanges<T>(perSecond: number, env: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const merchant = await startServer(path.join(root, 'bench/merchant.ts'), { ...env, CHANGES_PER_SECOND: String(perSecond) });
  try {
    return await work();
  } finally {
    await merchant.stop();
  }
}

/** What a customer needs for an order of each SKU. */
const contact = { firstName: 'Jordan', lastName: 'Lin', phoneNumber: '+1 519-555-0104', email: 'bench@shop.example' };
const address = {
  streetNumberAndNameDetails: '100 Bench Road',
  city: 'Waterloo',
  province: 'Ontario',
  postCode: 'N2L 0A1',
  countryISOCode: 'CA',
};
const paymentInstrucment = {
  cardHolderName: 'Jordan Lin',
  creditCardNumber: '4242 4242 4242 4242',
  cardCode: '739',
  expirationMonth: 12,
  expirationYear: 2035,
};

let customers = 0;

/** Orders one unit by card; returns whether it was placed. Each customer has an IP address of their own. */
async function order(shop: Server, sku: string): Promise<boolean> {
  customers += 1;
  const headers: Record<string, string> = {
    [clientTokenHeader]: clientToken,
    'content-type': 'application/json',
    'x-forwarded-for': `10.${(customers >> 16) & 255}.${(customers >> 8) & 255}.${customers & 255}`,
  };
  const post = async (route: string, body: unknown) => {
    const answer = await fetch(new URL(`${apiBase}${route}`, shop.url), { method: 'POST', headers, body: JSON.stringify(body) });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0];
    if (cookie) headers.cookie = cookie;
    await answer.arrayBuffer();
    return answer.ok;
  };
  return (
    (await post(`shoppingManagement4/myCart/${sku}`, { quantity: 1 })) &&
    (await post('shoppingManagement4/orderDeliverInfo', { contact, address })) &&
    (await post('shoppingManagement4/billing/%7Bhost%7D', { paymentInstrucment, billingAddress: address }))
  );
}

/** Orders a second by customers who come at that rate, whether or not those before them have been served. */
export async function withOrders<T>(
  shop: Server,
  perSecond: number,
  skus: readonly string[],
  work: () => Promise<T>,
): Promise<{ result: T; placed: number; failed: number }> {
  const underWay = new Set<Promise<unknown>>();
  let [placed, failed, next] = [0, 0, 0];
  const timer = setInterval(() => {
    const mine = order(shop, skus[next++ % skus.length] ?? '').then(
      (ok) => {
        if (ok) placed += 1;
        else failed += 1;
      },
      () => {
        failed += 1;
      },
    );
    underWay.add(mine);
    void mine.finally(() => underWay.delete(mine));
  }, 1000 / perSecond);
  try {
    const result = await work();
    return { result, placed, failed };
  } finally {
    clearInterval(timer);
    await Promise.all(underWay);
  }
}

/** Requests `routes` in random order; the same order in every run. */
export function atRandom(shop: Server, routes: readonly string[], options: LoadOptions): Promise<Figure> {
  let seed = 11;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return routes[Math.floor((seed / 2_147_483_648) * routes.length)] ?? '/';
  };
  return load(shop.url, next, options);
}

/** Asks for every address twice, as a shop that has been open for a while has. */
export async function warm(shop: Server, routes: readonly string[]): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const route of routes) {
      const answer = await fetch(new URL(route, shop.url), { headers: { 'accept-encoding': 'br' } });
      if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
      await answer.arrayBuffer();
    }
}

export interface Mix {
  what: string;
  /** The reads alone, and with what happens besides, measured in turns; medians. */
  alone: Figure;
  mixed: Figure;
  /** The least share of `alone` that `mixed` must reach. */
  bar: number;
}

/** Measures reads of `routes` at random alone and during `besides`, in turns. */
export async function measureMix(
  shop: Server,
  routes: readonly string[],
  { what, rounds, ...options }: LoadOptions & { what: string; rounds: number },
  besides: (read: () => Promise<Figure>) => Promise<Figure>,
): Promise<Mix> {
  await warm(shop, routes);
  const alone: Figure[] = [];
  const mixed: Figure[] = [];
  const read = () => atRandom(shop, routes, options);
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await read());
    mixed.push(await besides(read));
  }
  return { what, alone: middle(alone), mixed: middle(mixed), bar: 0.8 };
}
