/** Generates load for one URL (autocannon), and for carts (a client of its own, since each customer has a cookie). */
import http from 'node:http';
import autocannon from 'autocannon';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';

export interface Figure {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  failures: number;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
  /** Sent with each request; none if missing. */
  cookie?: string;
}

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The median of each column; failures are added up. */
export function middle(figures: Figure[]): Figure {
  return {
    perSecond: median(figures.map((f) => f.perSecond)),
    p50: median(figures.map((f) => f.p50)),
    p99: median(figures.map((f) => f.p99)),
    failures: figures.reduce((sum, f) => sum + f.failures, 0),
  };
}

const headers = { [clientTokenHeader]: clientToken, 'accept-encoding': 'br' };

/** An answer as it was sent: with its headers, and its body still encoded. */
export interface RawAnswer {
  headers: Record<string, string>;
  body: Buffer;
}

/** Requests a URL as the load does. */
export function rawAnswer(url: URL): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`));
        const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ headers: Object.fromEntries(given), body: Buffer.concat(parts) });
      });
    });
    request.once('error', reject);
  });
}

/** Requests the URLs that `next` returns, continuously for `seconds`. */
export async function load(
  url: string,
  next: () => string,
  { connections, seconds, cookie }: LoadOptions,
): Promise<Figure> {
  const sent = cookie === undefined ? headers : { ...headers, cookie };
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({ ...request, path: next() });
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ headers: sent, setupRequest }],
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}

/** `address` is sent as the client's, since the shop limits how many carts one network creates. */
interface Shopper {
  cookie: string | undefined;
  address: string;
}

let shoppers = 0;
function newShopper(): Shopper {
  shoppers += 1;
  return {
    cookie: undefined,
    address: `10.${(shoppers >> 16) & 255}.${(shoppers >> 8) & 255}.${shoppers & 255}`,
  };
}

interface Answer {
  status: number;
  cookie: string | undefined;
}

function post(agent: http.Agent, url: URL, body: string, { cookie, address }: Shopper): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-forwarded-for': address,
          ...(cookie ? { cookie } : {}),
        },
      },
      (response) => {
        response.resume();
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            cookie: response.headers['set-cookie']?.[0]?.split(';')[0],
          }),
        );
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

/**
 * `connections` customers add SKUs to their carts one after another for `seconds`. After ten items a customer starts again with
 * a new session, so that carts stay of a realistic size.
 */
export async function addToCarts(
  url: string,
  skus: readonly string[],
  { connections, seconds }: LoadOptions,
): Promise<Figure> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  let failures = 0;
  const body = JSON.stringify({ quantity: 1 });
  async function shopper(first: number): Promise<void> {
    let current = newShopper();
    for (let n = 0; performance.now() < until; n += 1) {
      if (n % 10 === 0) current = newShopper();
      const sku = skus[(first + (n % 3)) % skus.length] ?? '';
      const begun = performance.now();
      const answer = await post(
        agent,
        new URL(`${apiBase}shoppingManagement4/myCart/${sku}`, url),
        body,
        current,
      );
      times.push(performance.now() - begun);
      current.cookie ??= answer.cookie;
      if (answer.status !== 200) failures += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => shopper(index)));
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), failures };
}
