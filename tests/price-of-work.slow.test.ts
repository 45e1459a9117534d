/**
 * What the dearest allowed request of each call of shop, staff and agents costs another shopper, who changes a cart meanwhile. Bodies are
 * made from the schemas, so that a new call joins by itself; those of documents set each field of the document, over and over. The
 * table of the results is in docs/security.md.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '#cli/run.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import {
  apiBase,
  clientToken,
  clientTokenHeader,
  requestKeyHeader,
  staffBase,
  staffToken,
} from '#contract/limits.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { staffEndpoints } from '#contract/staff/endpoints.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { bodyLimit } from '#server/http/errors.ts';
import { operations } from '#server/modules/agents/operations.ts';
import { restPath, restRoutes } from '#server/modules/agents/routes.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { agentProfile } from './agents.ts';
import { dearest, type Known } from './dearest.ts';
import { type ShopProcess, startShop } from './processes.ts';

/** Ms: of a shopper's cart changes beside one call, the 95th percentile. */
const bar = 50;
/** So many send the call at once, so long; and so often is one measured that is above the bar, since a busy machine only adds. */
const [senders, lastsMs, tries] = [4, 800, 3];
const ownSku = 'MC-CM-01-OAT';
const profile = 'https://price.example/agent';

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

interface Answer {
  status: number;
  body: string;
  cookie: string | undefined;
  ms: number;
}

interface Result {
  call: string;
  bytes: number;
  p95: number;
  /** Of the call itself, the slowest answer. */
  slowest: number;
  statuses: string;
}

let folder: string;
let shop: ShopProcess;
let known: Known;
let staffCookie: string;
let env: Record<string, string>;
const agent = new http.Agent({ keepAlive: true });
const results: Result[] = [];

function send({ method, path, headers, body }: Request): Promise<Answer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(path, shop.url), { method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts).toString(),
          cookie,
          ms: performance.now() - begun,
        });
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const ofShop = { [clientTokenHeader]: clientToken };
const ofStaff = () => ({ [clientTokenHeader]: staffToken, cookie: staffCookie });

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** What exists in the demo, by the names of fields that hold it. */
function whatExists(): Known {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', sqliteFileName), { readOnly: true });
  const all = (text: string) =>
    db
      .prepare(text)
      .all()
      .map((row) => Object.values(row)[0]);
  const skus = all(`select id from skus where id <> '${ownSku}' order by id`);
  const products = all("select id from products where id <> 'speckled-mug' order by id");
  const orders = all(
    'select order_number from orders where order_number is not null order by placed_at desc limit 200',
  );
  const of = (table: string) => all(`select id from ${table} order by id`);
  const [stores, categories, brands, tags] = [of('stores'), of('categories'), of('brands'), of('tags')];
  const customers = all('select id from customers order by id limit 100');
  db.close();
  return {
    ...byNames(skus, 'sku', 'item', 'skus', 'itemName'),
    ...byNames(products, 'product', 'productid', 'productID', 'products', 'ids', 'like'),
    ...byNames(stores, 'store', 'stores', 'localStoreName', 'place'),
    ...byNames(categories, 'category', 'categories', 'categoryName', 'menu'),
    ...byNames(brands, 'brand', 'brandName'),
    ...byNames(tags, 'tag', 'tagName', 'tagid'),
    ...byNames(orders, 'number', 'numbers', 'order'),
    ...byNames(customers, 'customer'),
    // Of moves it is a place, of reports the last day.
    to: [daysAgo(1), ...stores],
    from: [daysAgo(365)],
    day: [daysAgo(30)],
    ...byNames(['CA'], 'countryISOCode', 'country'),
    ...byNames(['a'], 'text', 'nameLike'),
    lang: ['zh'],
    currency: ['CAD'],
    email: ['a@shop.example'],
    timeZone: ['America/Toronto'],
    by: ['store'],
    kind: ['order'],
    quantity: [1],
    revision: [0],
    version: [1],
    numberToLoad: [48],
  };
}

const byNames = (values: readonly unknown[], ...names: string[]): Known =>
  Object.fromEntries(names.map((name) => [name, values]));

/** What a call's parameter `id` is, by its path. */
const idsByPath: readonly [RegExp, string][] = [
  [/^(?:stores|opening)\//, 'store'],
  [/^(?:products|goods)/, 'product'],
  [/^categories|\/categories/, 'category'],
  [/^brands/, 'brand'],
  [/^tags/, 'tag'],
  [/^customers/, 'customer'],
  [/product/, 'product'],
  [/\/category\//, 'category'],
  [/\/brand\//, 'brand'],
  [/\/tag\//, 'tag'],
];

function filled(path: string, ids: ReadonlyMap<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const own =
      name === 'id' || name === 'name' ? (idsByPath.find(([form]) => form.test(path))?.[1] ?? 'id') : name;
    return encodeURIComponent(ids.get(path.split('/')[0] ?? '') ?? String(known[own]?.[0] ?? 'a'));
  });
}

function queryOf(schema: TSchema | undefined): string {
  if (!schema) return '';
  const value = dearest(schema, known, 3000) as Record<string, unknown>;
  return `?${new URLSearchParams(Object.entries(value).map(([name, each]) => [name, String(each)]))}`;
}

/** Each text and value of a document, as edits that set it, over and over. */
function editsOf(content: unknown, most: number): object[] {
  const edits: { path: string[]; to: unknown }[] = [];
  const walk = (value: unknown, path: string[]): void => {
    if (path.length >= 10) return;
    if (Array.isArray(value)) {
      const named = value.every((each) => typeof each === 'object' && each !== null && 'id' in each);
      if (!named || value.length === 0) edits.push({ path, to: value });
      else for (const each of value as { id: string }[]) walk(each, [...path, each.id]);
    } else if (typeof value === 'object' && value !== null && path.length < 4)
      for (const [name, each] of Object.entries(value)) walk(each, [...path, name]);
    else if (path.length > 0 && path.at(-1) !== 'id') edits.push({ path, to: value });
  };
  walk(content, []);
  if (edits.length === 0) return [];
  return Array.from({ length: most }, (_, index) => {
    const { path, to } = edits[index % edits.length] ?? { path: [], to: null };
    // Something changes with each round.
    return { path, to: typeof to === 'string' && to.includes(' ') ? `${to} ${index}` : to };
  });
}

/** So many of the edits as fit. */
function fitting(body: Record<string, unknown>, content: unknown): Record<string, unknown> {
  const all = editsOf(content, 5000);
  let [low, high] = [0, all.length];
  const size = (count: number) => Buffer.byteLength(JSON.stringify({ ...body, edits: all.slice(0, count) }));
  if (size(high) <= bodyLimit) return { ...body, edits: all };
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (size(middle) <= bodyLimit) low = middle;
    else high = middle;
  }
  return { ...body, edits: all.slice(0, low) };
}

async function staffRequest(
  endpoint: StaffEndpoint,
  ids: ReadonlyMap<string, string>,
): Promise<() => Request> {
  await signIn();
  const [method = '', path = ''] = endpoint.route.split(' ');
  const to = `${staffBase}${filled(path, ids)}`;
  const asked = endpoint.query ? queryOf(endpoint.query) : '';
  let body = endpoint.body ? dearest(endpoint.body, known, bodyLimit) : undefined;
  if (typeof body === 'object' && body !== null && 'edits' in body) {
    // The document that is edited.
    const base = path.replace(/\/(?:try|try-publish|test)$/, '');
    const document = await send({
      method: 'GET',
      path: `${staffBase}${filled(base, ids)}`,
      headers: ofStaff(),
    });
    const { revision, content } = (document.status === 200 ? JSON.parse(document.body) : {}) as {
      revision?: number;
      content?: unknown;
    };
    body = fitting({ ...body, ...('revision' in body ? { revision } : {}) }, content);
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  return () => ({
    method,
    path: to + asked,
    headers: {
      ...ofStaff(),
      ...(text === undefined ? {} : json),
      ...(endpoint.repeat === 'key' ? { [requestKeyHeader]: randomUUID() } : {}),
    },
    body: text,
  });
}

let shoppers = 0;
/** Each sender is a browser of its own, in a network of its own. */
const newShopper = () => {
  shoppers += 1;
  return `10.${(shoppers >> 16) & 255}.${(shoppers >> 8) & 255}.${shoppers & 255}`;
};

function shopRequest({ route, query, body, repeat }: Endpoint): () => Request {
  const [method = '', path = ''] = route.split(' ');
  const to = apiBase + filled(path, new Map()) + queryOf(query);
  const text = body ? JSON.stringify(dearest(body, known, bodyLimit)) : undefined;
  return () => ({
    method,
    path: to,
    headers: {
      ...ofShop,
      ...(text === undefined ? {} : json),
      ...(repeat === 'key' ? { [requestKeyHeader]: randomUUID() } : {}),
      'x-forwarded-for': newShopper(),
    },
    body: text,
  });
}

/** Anew for each call: some end the session that makes them. */
async function signIn(): Promise<void> {
  const { cookie } = await send({
    method: 'POST',
    path: `${staffBase}sign-in/demo/demo-mei`,
    headers: { [clientTokenHeader]: staffToken },
  });
  staffCookie = cookie ?? '';
}

/** Beside four who send the call again and again, how long another shopper waits for changes of the cart. */
async function measured(call: string, request: () => Request): Promise<Result> {
  const shopper = newShopper();
  let cookie: string | undefined;
  const change = async (quantity: number) => {
    const answer = await send({
      method: 'PUT',
      path: `${apiBase}shoppingManagement4/myCart/${ownSku}`,
      headers: { ...ofShop, ...json, ...(cookie ? { cookie } : {}), 'x-forwarded-for': shopper },
      body: JSON.stringify({ quantity }),
    });
    cookie = answer.cookie ?? cookie;
    return answer;
  };
  const first = await send({
    method: 'POST',
    path: `${apiBase}shoppingManagement4/myCart/${ownSku}`,
    headers: { ...ofShop, ...json, [requestKeyHeader]: randomUUID(), 'x-forwarded-for': shopper },
    body: JSON.stringify({ quantity: 1 }),
  });
  cookie = first.cookie;
  if (first.status !== 200) throw new Error(`A cart was answered with ${first.status}: ${first.body}`);
  const end = performance.now() + lastsMs;
  const statuses = new Map<number, number>();
  let slowest = 0;
  const sending = Array.from({ length: senders }, async () => {
    while (performance.now() < end) {
      const { status, ms } = await send(request());
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      slowest = Math.max(slowest, ms);
    }
  });
  const times: number[] = [];
  for (let count = 1; performance.now() < end || times.length < 20; count++) {
    const { status, ms } = await change(1 + (count % 5));
    if (status !== 200) throw new Error(`Beside ${call} a change of a cart was answered with ${status}`);
    times.push(ms);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(sending);
  times.sort((a, b) => a - b);
  const said = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return {
    call,
    bytes: request().body?.length ?? 0,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    slowest,
    statuses: said,
  };
}

async function atMost(call: string, request: () => Request): Promise<Result> {
  let best = await measured(call, request);
  for (let again = 1; again < tries && best.p95 > bar; again++) {
    const next = await measured(call, request);
    if (next.p95 < best.p95) best = next;
  }
  results.push(best);
  return best;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shopwright-price-'));
  env = { DATA_DIR: join(folder, 'data'), DEMO: '1', PROXY_HOPS: '1' };
  shop = await startShop(env);
  writeFileSync(join(folder, 'profile.json'), agentProfile());
  const said: string[] = [];
  const approved = await run(['agents', 'approve', profile, join(folder, 'profile.json')], env, (line) =>
    said.push(line),
  );
  expect(approved, said.join('\n')).toBe(0);
  known = whatExists();
});
afterAll(async () => {
  agent.destroy();
  await shop.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
  const dear = results.toSorted((a, b) => b.p95 - a.p95).slice(0, 25);
  console.log(
    dear
      .map(
        ({ call, bytes, p95, slowest, statuses }) =>
          `| ${call} | ${bytes} | ${p95.toFixed(0)} | ${slowest.toFixed(0)} | ${statuses} |`,
      )
      .join('\n'),
  );
});

/** They end the session that makes the calls, or what the carts of the test need. */
const ending = /^(?:signOut|endSession|startStation|removeProduct|changeGoods|changeGoodsRows|feed)$/;

it.for(Object.entries<StaffEndpoint>(staffEndpoints).filter(([name]) => !ending.test(name)))(
  'four people who send $0 of the office without a pause leave a shopper’s cart changes quick',
  async ([name, endpoint]) => {
    const call = `office ${name}`;
    const { p95, statuses } = await atMost(call, await staffRequest(endpoint, new Map()));
    expect(statuses).not.toMatch(/× 5/);
    expect(p95, statuses).toBeLessThanOrEqual(bar);
  },
);

it.for(Object.entries<Endpoint>(endpoints))(
  'four shoppers who send $0 without a pause leave another’s cart changes quick',
  async ([name, endpoint]) => {
    const { p95, statuses } = await atMost(`shop ${name}`, shopRequest(endpoint));
    expect(statuses).not.toMatch(/× 500/);
    expect(p95, statuses).toBeLessThanOrEqual(bar);
  },
);

it.for(operations.map(({ name, input }) => [name, input] as const))(
  'an agent that sends $0 without a pause leaves a shopper’s cart changes quick',
  async ([name, input]) => {
    const [method = '', path = ''] = restRoutes[name].split(' ');
    const body = method === 'GET' ? undefined : JSON.stringify(dearest(input, known, bodyLimit));
    const request = () => ({
      method,
      path: restPath + filled(path, new Map()),
      headers: { ...json, 'ucp-agent': `profile="${profile}"`, [requestKeyHeader]: randomUUID() },
      body,
    });
    const { p95, statuses } = await atMost(`agents ${name}`, request);
    expect(statuses).not.toMatch(/× 500/);
    expect(p95, statuses).toBeLessThanOrEqual(bar);
  },
);
