/**
 * Every call that the role of bookkeepers reaches, whatever it is about: no answer names a customer, or says where one is reached. A new
 * call joins by itself, with the ids of the shop; one that needs more is a line of `cases`.
 */
import { randomUUID } from 'node:crypto';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { clientTokenHeader, requestKeyHeader, staffBase, staffToken } from '#contract/limits.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import { roles } from '#contract/staff/permissions.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import { register } from '#tests/accounts.ts';
import { bookSale } from '#tests/book-entries.ts';
import { sellProduct } from '#tests/products.ts';
import { keepPayout } from '#tests/settlements.ts';
import { add, card, cards, deliver, pay, setUnits } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OF-BUYER';
const buyer = {
  firstName: 'Wilhelmina',
  lastName: 'Zwiebel',
  phoneNumber: '+1 519-555-0177',
  email: 'mina@zwiebel.example',
};
const home = {
  streetNumberAndNameDetails: '12 Onion Lane',
  city: 'Kitchener',
  province: 'Ontario',
  postCode: 'N2G 9Z9',
  countryISOCode: 'CA',
};
/** Words of the buyer and about them, as staff write them. */
const words = [
  'Ring at the Onion gate',
  'Wilhelmina called from the hospital',
  'Zwiebel is a friend of the house',
];
const evidence = 'PST-9876-5432';

/** Calls about the caller's own session, password and devices: nothing of the shop is in them. */
const ofOneself = new Set<StaffEndpointName>([
  ...(['signOut', 'confirm', 'newSecondFactor', 'confirmSecondFactor', 'endSession', 'setPin'] as const),
  ...(['confirmPasskey', 'newPasskey', 'addPasskey', 'removePasskey'] as const),
]);

interface Request {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** In place of a body. */
  file?: string;
}

const isOfBookkeepers = ([, { needs, station }]: [string, StaffEndpoint]) =>
  needs === 'anybody' ? station !== 'only' : needs !== 'nobody' && roles.bookkeeper.includes(needs);
/** What others make is read last. */
const last: readonly StaffEndpointName[] = ['periodProof', 'handedFile', 'journal', 'exportJournal'];
const reached = (Object.entries(staffEndpoints) as [StaffEndpointName, StaffEndpoint][])
  .filter(isOfBookkeepers)
  .sort(([a], [b]) => last.indexOf(a) - last.indexOf(b));

onOneEngine((engine) => {
  let testApp: TestApp;
  let bookkeeper: Shopper;
  let numbers: string[];
  let ids: string[];
  let secrets: string[];
  let days: { from: string; to: string };

  const owners = async (name: StaffEndpointName, as: Shopper, input: Request) => {
    const { status, body } = await askStaff(testApp, name, { as, ...input });
    expect(status, `${name} ${JSON.stringify(body)}`).toBe(200);
    return body;
  };

  /** That the provider refunded something of an order by itself: a difference about it. */
  async function unknownRefund(number: string): Promise<void> {
    const known = await testApp.db.read
      .selectFrom('settlement_rows as r')
      .innerJoin('orders', 'orders.id', 'r.order_id')
      .selectAll('r')
      .where('order_number', '=', number)
      .where('kind', '=', 'payment')
      .executeTakeFirstOrThrow();
    const refund = {
      ...known,
      row_id: 're_walk',
      kind: 'refund',
      type: 'refund',
      gross_cents: -100,
      net_cents: -100,
      fee_cents: 0,
    };
    await testApp.db.transaction((trx) => trx.insertInto('settlement_rows').values(refund).execute());
  }

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 100);
    const { firstName, lastName, email, phoneNumber: mobilePhone } = buyer;
    const { session, id: customer } = await register(testApp, { firstName, lastName, email, mobilePhone });
    const sold = async () => {
      await add(testApp, session, mug, 2);
      await deliver(testApp, session, { contact: buyer, address: home });
      await testApp.call('updateCustomerComment', { session, body: { value: words[0] } });
      const payment = { ...card(cards.approve), cardHolderName: `${buyer.firstName} ${buyer.lastName}` };
      const { body } = await pay(testApp, session, cards.approve, {
        paymentInstrucment: payment,
        billingAddress: home,
      });
      expect(body, JSON.stringify(body)).toHaveProperty('orderID');
      testApp.clock.advance(minuteMs);
      const { orderNumber } = await testApp.call('order', { session, params: { id: body.orderID } });
      return orderNumber ?? '';
    };
    const owner = await joinStaff(testApp, 'owner@walk.example');
    await secureStaff(testApp, owner);
    const [kept, refunded, cancelled] = [await sold(), await sold(), await sold()];
    const params = { number: refunded };
    const sheet = (await askStaff(testApp, 'order', { as: owner, params })).body;
    await owners('refundOrder', owner, {
      params,
      body: {
        lines: [{ line: sheet.order.lineItems[0]?.id, quantity: 1 }],
        shipping: false,
        serviceCharge: false,
        tip: 0,
        amount: sheet.refundable.lines[0]?.amounts[0],
        refunded: 0,
        restock: true,
        reason: words[1],
        note: words[2],
      },
    });
    await owners('noteOrder', owner, { params, body: { text: words[1] } });
    await owners('correctEmail', owner, { params: { number: kept }, body: { email: `new.${buyer.email}` } });
    await owners('noteCustomer', owner, { params: { id: customer }, body: { text: words[2] } });
    const exemption = { kind: 'bcPst' as const, number: evidence, expires: null, postCode: '' };
    await owners('exemptCustomer', owner, { params: { id: customer }, body: { exemptions: [exemption] } });
    const whole = (await askStaff(testApp, 'order', { as: owner, params: { number: cancelled } })).body;
    await owners('cancelOrderBack', owner, {
      params: { number: cancelled },
      body: {
        reason: words[1],
        note: words[2],
        restock: true,
        mail: true,
        version: whole.version,
        most: whole.cancellable?.most,
        refund: whole.cancellable?.most,
      },
    });
    await bookSale(testApp, testApp.clock.now() - 90 * dayMs, 1000);
    await keepPayout(testApp, 'po_walk', 'line_walk');
    testApp.clock.advance(3 * dayMs);
    await testApp.container.settlements.reader.readAll();
    await unknownRefund(kept);
    bookkeeper = await joinStaff(testApp, 'books@walk.example', 'bookkeeper');
    await secureStaff(testApp, bookkeeper);
    numbers = [kept, refunded, cancelled];
    const orders = await testApp.db.read
      .selectFrom('orders')
      .select(['id', 'contact', 'shipping_address'])
      .execute();
    const customers = await testApp.db.read
      .selectFrom('customers')
      .select(['id', 'email', 'mobile_phone'])
      .execute();
    ids = [...numbers, ...orders.map(({ id }) => id), customer];
    const ofOrders = orders.flatMap(({ contact, shipping_address: sent }) => {
      const { email = '', phoneNumber = '', firstName = '', lastName = '' } = JSON.parse(contact ?? '{}');
      const { streetNumberAndNameDetails = '' } = JSON.parse(sent ?? '{}');
      const name = firstName && lastName ? `${firstName} ${lastName}` : '';
      return [email, phoneNumber, streetNumberAndNameDetails, name];
    });
    const ofPeople = customers.flatMap(({ email, mobile_phone: phone }) => [email, phone]);
    const { phoneNumber, ...typed } = buyer;
    const own = [
      ...Object.values(typed),
      phoneNumber,
      phoneNumber.replaceAll(/[^+\d]/g, ''),
      'Onion',
      home.postCode,
      evidence,
    ];
    secrets = [...new Set([...ofOrders, ...ofPeople, ...own, ...words])].filter(Boolean);
    // The demo's people are among them.
    expect(secrets).toContain('demo@maple-and-clay.example');
    const today = new Date(testApp.clock.now()).toISOString().slice(0, 10);
    days = { from: '2026-01-01', to: today };
  });

  const spans = () => [{ query: days }];
  const events = () => ({ ...days, currency: 'CAD', filter: {} });
  const files = ['csv', 'xlsx'] as const;
  const read = async <N extends StaffEndpointName>(name: N, input: Request = {}) =>
    (await askStaff(testApp, name, { as: bookkeeper, ...input })).body;
  const cases: Partial<Record<StaffEndpointName, () => Request[] | Promise<Request[]>>> = {
    feed: () => [{ query: { since: '0' } }],
    takings: spans,
    books: () => [
      ...[undefined, 'product', 'category', 'hour', 'weekday'].map((by) => ({
        query: { ...days, ...(by ? { by } : {}) },
      })),
    ],
    booksEvents: () => [{ body: events() }],
    booksOwed: () => [{ query: { day: days.to } }],
    booksFile: () =>
      files.flatMap((form) => [
        { body: { ...days, what: 'report', form } },
        { body: { ...days, what: 'owed', form } },
        { body: { ...days, what: 'return', return: 'gst', answers: {}, form } },
      ]),
    bookOrder: () => numbers.map((number) => ({ params: { number } })),
    stockValue: spans,
    stockValueFile: () => files.map((form) => ({ body: { ...days, form } })),
    periodProof: async () => {
      const { periods } = await read('periods');
      return periods.map(({ id }) => ({ params: { period: id } }));
    },
    openFigures: async () => {
      const { next } = await read('periods');
      return next ? [{ body: { from: next.from, to: next.from } }] : [];
    },
    closePeriod: async () => {
      const { next } = await read('periods');
      const span = { from: next?.from ?? '', to: next?.from ?? '' };
      return [{ body: { ...span, entries: (await read('openFigures', { body: span })).entries } }];
    },
    cashSheet: () => [{ query: { store: 'toronto-queen-west' } }],
    moveCash: () => [{ body: { store: 'toronto-queen-west', kind: 'float', amount: 100 } }],
    takeBackCash: async () => {
      const { moves } = await read('cashSheet', { query: { store: 'toronto-queen-west' } });
      return [{ params: { move: moves.at(-1)?.id ?? '' } }];
    },
    saveBookAccounts: async () => {
      const { revision, lines } = await read('bookAccounts');
      const edits = lines.map(({ key }) => {
        const id = `sage ${key}`;
        return { path: ['bookAccounts', id], to: { id, code: '4000', taxRate: '' } };
      });
      return [{ body: { revision, edits } }];
    },
    handOver: () => [{ body: { program: 'sage', days: { from: '2026-05-01', to: '2026-05-17' } } }],
    handedFile: async () => (await read('handedFiles')).files.map(({ id }) => ({ params: { file: id } })),
    bookEntries: () => ['csv', 'xlsx', 'hledger'].map((form) => ({ query: { ...days, form } })),
    settlementFindings: spans,
    askAboutFinding: async () =>
      (await read('settlementFindings')).findings.map(({ id }) => ({ body: { finding: id } })),
    acceptFinding: async () =>
      (await read('settlementFindings')).findings.map(({ id }) => ({ body: { finding: id, note: 'known' } })),
    readStatement: () => {
      const file = 'Date,Amount,Description\n2026-05-18,7.31,STRIPE PAYOUT\n';
      return [
        { query: { currency: 'CAD' }, file },
        { query: { currency: 'CAD', apply: 'yes' }, file },
      ];
    },
    linkPayout: () => [{ body: { provider: 'Stripe', payout: 'po_walk', line: 'line_walk' } }],
    exportPayouts: () => files.map((format) => ({ body: { ...days, format } })),
    exportFile: async () => {
      const tickets = await Promise.all(
        files.map((format) => read('exportPayouts', { body: { ...days, format } })),
      );
      return tickets.map(({ ticket }) => ({ query: { ticket } }));
    },
  };

  async function send(
    name: StaffEndpointName,
    { params = {}, query = {}, body, file }: Request,
    as: Shopper,
  ) {
    const { route }: StaffEndpoint = staffEndpoints[name];
    const [method, path = ''] = route.split(' ') as ['GET' | 'POST', string];
    const answer = await testApp.app.inject({
      method,
      url: `${staffBase}${path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}?${new URLSearchParams(query)}`,
      headers: {
        [clientTokenHeader]: staffToken,
        [requestKeyHeader]: randomUUID(),
        cookie: as.header,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(file === undefined ? {} : { payload: file }),
    });
    return {
      status: answer.statusCode,
      text: `${JSON.stringify(answer.headers)}\n${readable(answer.rawPayload)}`,
    };
  }

  /** Each id for each of the path's names, and for those that a page is narrowed by. */
  function usual({ params, query }: StaffEndpoint): Request[] {
    const keys = Object.keys((params as { properties?: object } | undefined)?.properties ?? {});
    if (keys.length > 0)
      return ids.map((id) => ({ params: Object.fromEntries(keys.map((key) => [key, id])) }));
    const narrowed = Object.keys((query as { properties?: object } | undefined)?.properties ?? {}).includes(
      'text',
    );
    return [{}, ...(narrowed ? [buyer.lastName, buyer.email].map((text) => ({ query: { text } })) : [])];
  }

  it('no answer to a bookkeeper has the name, address, email or phone of a customer, or words about them', async () => {
    const answered: string[] = [];
    let mentioned = 0;
    for (const [name, endpoint] of reached) {
      if (ofOneself.has(name)) continue;
      const statuses: number[] = [];
      for (const request of (await cases[name]?.()) ?? usual(endpoint)) {
        const { status, text } = await send(name, request, bookkeeper);
        statuses.push(status);
        for (const secret of secrets)
          expect.soft(text, `${name} ${JSON.stringify(request)}`).not.toContain(secret);
        if (numbers.some((number) => text.includes(number))) mentioned += 1;
      }
      expect.soft(statuses.includes(200), `${name} answered ${statuses.join(', ')}`).toBe(true);
      answered.push(name);
    }
    expect(answered).toContain('bookOrder');
    // What is looked at is about their orders.
    expect(mentioned).toBeGreaterThan(8);
  });
});

/** The text of an answer: of files within JSON, and of what is packed in workbooks. */
function readable(payload: Buffer): string {
  const text = payload.toString();
  const inside = /"base64":"([^"]+)"/.exec(text)?.[1];
  return [
    text,
    ...(inside === undefined ? [] : [readable(Buffer.from(inside, 'base64'))]),
    ...unpacked(payload),
  ].join('\n');
}

/** The parts of a ZIP archive, by the signature of its central directory. */
function unpacked(file: Buffer): string[] {
  if (file.subarray(0, 2).toString('hex') === '1f8b') return [gunzipSync(file).toString()];
  if (file.subarray(0, 2).toString() !== 'PK') return [];
  const parts: string[] = [];
  for (
    let at = file.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0;
    at = file.indexOf('PK\x01\x02', at + 4, 'latin1')
  ) {
    const [method, size, local] = [
      file.readUInt16LE(at + 10),
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 42),
    ];
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const packed = file.subarray(begin, begin + size);
    parts.push((method === 0 ? packed : inflateRawSync(packed)).toString());
  }
  return parts;
}
