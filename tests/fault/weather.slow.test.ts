/**
 * A day of bad weather at two stores: two processes of one shop, each killed again and again, with clocks that are wrong by a minute
 * and disks that are full for a while; answers that are lost on their way; a mail server and a printer that are dead for half of the
 * day. Shoppers and six devices of the staff send again what they got no answer to. In the evening the books agree with the
 * provider, and nothing was done twice.
 * `WEATHER_SEED` repeats a day, `WEATHER_ORDERS` makes it longer or shorter.
 */
import { execFileSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  apiBase,
  clientToken,
  clientTokenHeader,
  requestKeyHeader,
  staffBase,
  staffToken,
} from '#contract/limits.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import { type StaffEndpointName, type StaffResponse, staffEndpoints } from '#contract/staff/endpoints.ts';
import { type CallParts, requestOf } from '#contract/transport.ts';
import { parseMail } from '#tests/accounts.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sellTea, tea, usual } from '#tests/modifiers.ts';
import { type ShopProcess, startShop } from '#tests/processes.ts';
import { sellProduct } from '#tests/products.ts';
import { closeAtEnd } from '#tests/resources.ts';
import { address, contact, homeOf, setUnits, unitsOf } from '#tests/shop-actions.ts';
import { fakeSmtp } from '#tests/smtp.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines } from '#tests/test-app.ts';
import { fakePrinter } from '#tests/ticket-printer.ts';
import { byStripe, environment } from './buying.ts';
import { openStripeBooks } from './stripe-ledger.ts';

const seed = Number(process.env.WEATHER_SEED ?? randomInt(2 ** 31));
const orders = Number(process.env.WEATHER_ORDERS ?? 60);

const sku = 'STORM-MUG';
const stores = ['toronto-queen-west', 'ottawa-byward'] as const;
/** Of a hundred answers. */
const lost = 5;
const ordersBetweenKills = 10;
const shoppersAtOnce = 6;
/** Emails or tickets that one process sends at a time. */
const mostUnderWay = 5;
/** How often something is sent before its sender gives up. */
const mostTries = 80;
const mostWrongMs = 60_000;
const fullDiskMs = 1500;
/** On a machine that others use as well. */
const msAnOrder = 12_000;

/** A process whose clock is wrong, and that is told of a full disk instead of being ended. */
const wrong = (ms: number) =>
  `--import=data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${Math.round(ms)}; process.on('SIGXFSZ', () => {});`)}`;

/** No file of the process can be written to for a while. */
async function fillDisk({ child: { pid } }: ShopProcess): Promise<void> {
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
  try {
    limit('1');
    await pause(fullDiskMs);
    limit('unlimited');
  } catch {
    // It was killed meanwhile.
  }
}

/** Numbers from 0 to below 1, the same for the same seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The way from devices to the shop: what is running now answers, and some of its answers get lost. */
async function weather(processes: () => readonly ShopProcess[], random: () => number) {
  let turn = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const running = processes();
    const shop = running[turn++ % Math.max(running.length, 1)];
    if (!shop) return void response.destroy();
    const isLost = random() * 100 < lost;
    const { port } = new URL(shop.url);
    const passed = httpRequest({
      port,
      host: '127.0.0.1',
      path: request.url,
      method: request.method,
      headers: request.headers,
    });
    passed.on('error', () => response.destroy());
    passed.on('response', (from) => {
      from.on('error', () => response.destroy());
      if (isLost) return void from.resume().on('end', () => response.destroy());
      response.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(response);
    });
    request.pipe(passed);
  };
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closeAtEnd(() => server.closeAllConnections());
  closeAtEnd(() => new Promise((done) => server.close(done)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Sent {
  status: number;
  body: Record<string, unknown>;
  cookie: string | undefined;
}

/** Sends a request until it is answered by a shop that could do it. @throws {Error} after `mostTries` */
async function send(
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
): Promise<Sent> {
  for (let tried = 1; tried <= mostTries; tried += 1) {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) });
      const body = (await answer.json()) as Record<string, unknown>;
      const isUnsure = answer.status >= 500 || answer.status === 429 || body.errorKey === 'error.underWay';
      if (!isUnsure)
        return { status: answer.status, body, cookie: answer.headers.get('set-cookie')?.split(';')[0] };
    } catch {
      // Lost on its way, in one direction or the other.
    }
    await pause(100 + tried * 20);
  }
  throw new Error(`${init.method} ${url} got no answer`);
}

class Guest {
  readonly #shop: string;
  readonly #home: string;
  #cookie = '';

  constructor(shop: string, number: number) {
    this.#shop = shop;
    this.#home = homeOf(number % 65_536);
  }

  /** What a phone does: the key of a change stays the same while it is sent again. */
  async call(name: EndpointName, parts: CallParts, data?: unknown): Promise<Sent> {
    const { method, url } = requestOf(name, parts, 'en');
    return this.#send(method, url, data);
  }

  async pay(path: string, data: object): Promise<Sent> {
    return this.#send('POST', `${apiBase}shoppingManagement4/${path}`, data);
  }

  async #send(method: string, url: string, data: unknown): Promise<Sent> {
    const sent = await send(this.#shop + url, {
      method,
      headers: {
        'content-type': 'application/json',
        [clientTokenHeader]: clientToken,
        [requestKeyHeader]: randomUUID(),
        'x-forwarded-for': this.#home,
        cookie: this.#cookie,
      },
      ...(data === undefined ? {} : { body: JSON.stringify(data) }),
    });
    this.#cookie = sent.cookie ?? this.#cookie;
    return sent;
  }
}

onBothEngines((engine) => {
  it(`a day of bad weather ends with books that agree (WEATHER_SEED=${seed})`, {
    timeout: Math.max(1_800_000, orders * msAnOrder),
  }, async () => {
    const random = randomFrom(seed);
    const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
    const stripe = await startStripeFake();
    closeAtEnd(() => stripe.close());
    const [smtp, printer] = [await fakeSmtp(), await fakePrinter()];
    closeAtEnd(() => smtp.close());
    closeAtEnd(() => printer.close());
    const env = {
      ...stripe.env,
      SMTP_URL: smtp.url,
      TICKET_PRINTERS: stores.map((store) => `${store}=tcp://127.0.0.1:${printer.port}`).join(' '),
    };
    const testApp = await createTestApp({ engine, demo: true, now: Date.now(), env, connections: 6 });
    await sellProduct(testApp, sku);
    await sellTea(testApp);
    await setUnits(testApp, sku, orders * 3);
    // Of each tea and what goes into it, for as long as the day is.
    const ingredients = [tea, 'PEARLS'].flatMap((each) =>
      stores.map((place) => ({ sku: each, place, units: orders * 3 })),
    );
    await testApp.services.stock.count(ingredients);
    const books = await openStripeBooks(testApp, stripe, [sku]);
    const before = await unitsOf(testApp.db.read, sku);
    const placedBefore = await placedOrders();

    const running = new Set<ShopProcess>();
    const start = async () => {
      const NODE_OPTIONS = wrong((random() * 2 - 1) * mostWrongMs);
      running.add(await startShop({ ...environment(testApp), ...env, NODE_OPTIONS }));
    };
    await Promise.all([start(), start()]);
    const shop = await weather(() => [...running], random);

    const owner = await joinStaff(testApp, 'storm@weather.example');
    await secureStaff(testApp, owner);
    let isOver = false;
    const staffCall = async <N extends StaffEndpointName>(
      name: N,
      params: Record<string, string>,
      data?: object,
    ) => {
      const { route } = staffEndpoints[name];
      const [method = 'GET', path = ''] = route.split(' ');
      const url = `${shop}${staffBase}${path.replace(/:(\w+)/g, (_, key: string) => params[key] ?? '')}`;
      const { status, body } = await send(url, {
        method,
        headers: {
          'content-type': 'application/json',
          [clientTokenHeader]: staffToken,
          [requestKeyHeader]: randomUUID(),
          cookie: owner.header,
        },
        ...(data ? { body: JSON.stringify(data) } : {}),
      });
      return { status, body: body as StaffResponse<N> };
    };

    /** Somebody at a counter or in the kitchen, who presses what the desk offers. */
    async function device(): Promise<void> {
      while (!isOver) {
        const { status, body } = await staffCall('deskOrders', {});
        const order = status === 200 ? pick(body.orders.filter(({ next }) => next.length > 0)) : undefined;
        if (!order) {
          await pause(200);
          continue;
        }
        const params = { number: order.number };
        const [to = 'completed'] = order.next;
        const paid = order.due > 0 && to !== 'ready' ? { paid: 'cash' } : {};
        if (random() < 0.7) await staffCall('moveOrder', params, { to, version: order.version, ...paid });
        else if (order.due === 0) await refundOne(params);
        else
          await staffCall('takeMoney', params, {
            kind: 'terminal',
            amount: Math.min(100, order.due),
            due: order.due,
          });
        await pause(20);
      }
    }

    async function refundOne(params: { number: string }): Promise<void> {
      const { status, body } = await staffCall('order', params);
      const line =
        status === 200 ? body.refundable.lines.find(({ amounts }) => amounts.length > 0) : undefined;
      const amount = line?.amounts[0] ?? 0;
      if (!line || amount === 0) return;
      await staffCall('refundOrder', params, {
        lines: [{ line: line.line, quantity: 1 }],
        shipping: false,
        serviceCharge: false,
        tip: 0,
        amount,
        refunded: (status === 200 && body.refundable.refunded) || 0,
        restock: true,
        reason: 'chipped',
        note: '',
      });
    }

    const acknowledged: string[] = [];
    let kills = 0;
    let fullDisks = 0;
    let teas = 0;
    let begun = 0;
    async function shopper(): Promise<void> {
      while (begun < orders) {
        begun += 1;
        const guest = new Guest(shop, begun);
        const atTable = random() < 0.3;
        if (atTable) {
          teas += 1;
          await guest.call('addToCart', { params: { itemName: tea } }, { quantity: 1, modifiers: usual });
          const query = {
            methodName: 'instore',
            localStoreName: pick(stores) ?? stores[0],
            tableNumber: String(1 + (begun % 8)),
            partySize: '2',
          };
          const seated = await guest.call('orderContactInfo', { query }, { contact });
          expect([seated.status, seated.body.errors]).toEqual([200, undefined]);
        } else {
          await guest.call('addToCart', { params: { itemName: sku } }, { quantity: 1 });
          await guest.call('orderDeliverInfo', {}, { contact, address });
        }
        const pay = () => guest.pay(...byStripe(stripe.token(testCards.approve.method)));
        let paid = await pay();
        // A process whose clock is ahead ends an attempt that another one began. Nothing is charged, and people press again.
        while (paid.body.errorKey === 'payment.attemptEnded') paid = await pay();
        expect([paid.status, paid.body]).toEqual([
          200,
          expect.objectContaining({ orderID: expect.any(String) }),
        ]);
        acknowledged.push(String(paid.body.orderID));
      }
    }

    /** Kills one process after the other, and lets the others of the day be dead for its first half. */
    async function storm(): Promise<void> {
      smtp.fail('connect', null, 60);
      printer.isBusy = true;
      for (let next = ordersBetweenKills; !isOver; next += ordersBetweenKills) {
        while (!isOver && acknowledged.length < next) await pause(50);
        printer.isBusy = acknowledged.length < orders / 2;
        kills += 1;
        const [victim, other] = running;
        if (isOver || !victim) break;
        // On PostgreSQL the disk of the database is elsewhere.
        if (engine === 'sqlite' && other && random() < 0.3) {
          fullDisks += 1;
          await fillDisk(other);
        }
        running.delete(victim);
        await victim.end('SIGKILL');
        await start();
      }
    }

    const staff = Array.from({ length: 6 }, () => device());
    const chaos = storm();
    await Promise.all(Array.from({ length: shoppersAtOnce }, () => shopper()));
    isOver = true;
    await Promise.all([...staff, chaos]);
    for (const each of running) await each.end('SIGTERM');

    // The evening: what waited is sent, and what was open at the provider is asked for.
    printer.isBusy = false;
    await stripe.webhooks.settled();
    for (let hour = 0; hour < 8; hour += 1) {
      testApp.clock.set(Date.now() + hour * 3_600_000);
      await testApp.services.payments.reconcile();
      await testApp.services.deliveries.run();
    }

    process.stdout.write(
      `${orders} orders, ${kills} kills, ${fullDisks} full disks, ${printer.printed.length} tickets of ${teas}, ${smtp.received.length} emails\n`,
    );
    expect(new Set(acknowledged).size).toBe(orders);
    expect((await placedOrders()) - placedBefore).toBe(orders);
    expect(await books.complaints()).toEqual([]);
    expect((await unitsOf(testApp.db.read, sku)).all).toBe(before.all);
    await expectTakingsOfPayments();
    await expectStatesOnce();
    expectSentOnce(smtp.received.map(({ source }) => parseMail(source).headers['message-id'] ?? source));
    expect(printer.printed.length).toBeGreaterThanOrEqual(teas);
    expectSentOnce(printer.printed.map((ticket) => ticket.toString('latin1')));

    /** A process that is killed while it sends cannot know what arrived: that alone may come again. */
    function expectSentOnce(all: readonly string[]): void {
      expect(all.length - new Set(all).size).toBeLessThanOrEqual(kills * mostUnderWay);
    }

    async function placedOrders(): Promise<number> {
      const rows = await testApp.db.read
        .selectFrom('orders')
        .select('id')
        .where('placed_at', 'is not', null)
        .execute();
      return rows.length;
    }

    /** What takings say was received and given back is what the payments and refunds are. */
    async function expectTakingsOfPayments(): Promise<void> {
      const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
      const query = { from: day(Date.now() - 2 * 86_400_000), to: day(Date.now() + 86_400_000) };
      testApp.clock.set(Date.now());
      const { body } = await askStaff(testApp, 'takings', { as: owner, query });
      const money = body.cells.flatMap((cell) => cell.money);
      const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
      const payments = await testApp.db.read
        .selectFrom('payments')
        .selectAll()
        .where('received_at', '>=', Date.now() - 86_400_000)
        .execute();
      const refunds = await testApp.db.read
        .selectFrom('refunds')
        .selectAll()
        .where('created_at', '>=', Date.now() - 86_400_000)
        .where('state', '<>', 'refused')
        .execute();
      expect(sum(money.map(({ received }) => received))).toBe(
        sum(payments.map(({ amount_cents }) => amount_cents)),
      );
      expect(sum(money.map(({ refunded }) => refunded))).toBe(
        sum(refunds.map(({ amount_cents }) => amount_cents)),
      );
    }

    /** No order entered a state twice, but for one whose attempt ended: it was paid for again. */
    async function expectStatesOnce(): Promise<void> {
      const rows = await testApp.db.read
        .selectFrom('order_events')
        .selectAll()
        .where('to_state', 'not in', ['cart', 'paying'])
        .execute();
      const twice = [...Map.groupBy(rows, (row) => JSON.stringify([row.order_id, row.to_state]))].filter(
        ([, all]) => all.length > 1,
      );
      expect(twice.map(([name]) => name)).toEqual([]);
    }
  });
});
