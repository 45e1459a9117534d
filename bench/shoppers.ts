/** Shoppers for benchmarks: each has a cookie and an IP address of their own, and calls the shop over kept connections. */
import http from 'node:http';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { Figure, LoadOptions } from './load.ts';

/** What a customer needs for an order of each SKU. */
const contact = {
  firstName: 'Jordan',
  lastName: 'Lin',
  phoneNumber: '+1 519-555-0104',
  email: 'bench@shop.example',
};
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

export interface Shopper {
  readonly agent: http.Agent;
  readonly url: string;
  /** Sent as the client's, since the shop limits how many carts one network creates. */
  readonly address: string;
  cookie: string | undefined;
}

export function newShopper(url: string, agent: http.Agent): Shopper {
  customers += 1;
  return {
    agent,
    url,
    address: `10.${(customers >> 16) & 255}.${(customers >> 8) & 255}.${customers & 255}`,
    cookie: undefined,
  };
}

/** Calls the API as a shopper; posts if there is a body. Returns the status. */
export function call(shopper: Shopper, route: string, body?: unknown): Promise<number> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = http.request(
      new URL(`${apiBase}${route}`, shopper.url),
      {
        agent: shopper.agent,
        method: text === undefined ? 'GET' : 'POST',
        headers: {
          [clientTokenHeader]: clientToken,
          'x-forwarded-for': shopper.address,
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(shopper.cookie ? { cookie: shopper.cookie } : {}),
        },
      },
      (response) => {
        shopper.cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? shopper.cookie;
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.once('error', reject);
    request.end(text);
  });
}

/** Puts one unit in the cart and chooses shipping. Returns whether the order can be paid. */
async function prepareOrder(shopper: Shopper, sku: string): Promise<boolean> {
  return (
    (await call(shopper, `shoppingManagement4/myCart/${sku}`, { quantity: 1 })) === 200 &&
    (await call(shopper, 'shoppingManagement4/orderDeliverInfo', { contact, address })) === 200
  );
}

async function payByCard(shopper: Shopper): Promise<boolean> {
  return (
    (await call(shopper, 'shoppingManagement4/billing/%7Bhost%7D', {
      paymentInstrucment,
      billingAddress: address,
    })) === 200
  );
}

/** Orders one unit by card: puts it in the cart, chooses shipping, and pays. Returns whether it was placed. */
export async function orderByCard(shopper: Shopper, sku: string): Promise<boolean> {
  return (await prepareOrder(shopper, sku)) && (await payByCard(shopper));
}

/** Runs `work` over and over on each connection for `seconds`, at most `most` times in all; it returns whether it succeeded. */
export async function repeat(
  { connections, seconds }: LoadOptions,
  work: (agent: http.Agent, index: number) => Promise<boolean>,
  most = Number.POSITIVE_INFINITY,
): Promise<Figure> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  let failures = 0;
  async function run(first: number): Promise<void> {
    for (let n = first; n < most && performance.now() < until; n += connections) {
      const begun = performance.now();
      if (!(await work(agent, n))) failures += 1;
      times.push(performance.now() - begun);
    }
  }
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, index) => run(index)));
  const took = (performance.now() - begun) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / took, p50: at(0.5), p99: at(0.99), failures };
}

/** New customers order by card, one after another on each connection. */
export function placeOrders(url: string, skus: readonly string[], options: LoadOptions): Promise<Figure> {
  return repeat(options, (agent, n) => orderByCard(newShopper(url, agent), skus[n % skus.length] ?? ''));
}

/** Prepares `count` orders, each of a new customer, and returns a function that pays them. */
export async function ordersToPay(
  url: string,
  skus: readonly string[],
  count: number,
  { connections }: LoadOptions,
): Promise<() => Promise<Figure>> {
  const asking = { connections, seconds: Number.POSITIVE_INFINITY };
  const shoppers: Shopper[] = [];
  const prepare = async (agent: http.Agent, n: number): Promise<boolean> => {
    const shopper = newShopper(url, agent);
    shoppers[n] = shopper;
    return await prepareOrder(shopper, skus[n % skus.length] ?? '');
  };
  await repeat(asking, prepare, count);
  return () =>
    repeat(
      asking,
      async (agent, n) => {
        const shopper = shoppers[n];
        return shopper !== undefined && (await payByCard({ ...shopper, agent }));
      },
      count,
    );
}
