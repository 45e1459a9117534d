/**
 * Every call by which staff change something, sent again: at once because its answer was lost, by two people at the same time, and an
 * hour later by a device that kept it. The shop is as after one. The table has each call that the contract declares, by its type.
 */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { requestKeyHeader } from '#contract/limits.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, type StaffEndpoints, staffEndpoints } from '#contract/staff/endpoints.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { register } from '#tests/accounts.ts';
import { bookSale } from '#tests/book-entries.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { failedRefund } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { keepPayout } from '#tests/settlements.ts';
import { add, address, contact, deliver, setUnits } from '#tests/shop-actions.ts';
import { askStaff, askStaffOnceCounted, inviteStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { everyTable, type Tables, withoutFields } from '#tests/whole-database.ts';

const [tart, mug] = ['TART-AGAIN', 'MUG-AGAIN'];
const store = 'toronto-queen-west';

interface Request {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** In place of a body, with the type of its content. */
  file?: string | Buffer;
  type?: string;
  as?: Shopper;
}
/** Makes what the request is about: nobody sent it yet. */
type Case = () => Promise<Request> | Request;
type Named<R extends string> = {
  [N in StaffEndpointName]: StaffEndpoints[N] extends { repeat: R } ? N : never;
}[StaffEndpointName];
/** What makes something of its own that expires is not compared: each time it is another one. */
type Compared = Exclude<Named<'key' | 'seen' | 'id' | 'same' | 'used'>, Device>;
/** Calls about a session, a device or its sensor that a test without a browser does not have; a code or an invitation is used up. */
type Device =
  | 'signOut'
  | 'confirm'
  | 'endStation'
  | 'enterPin'
  | 'leaveStation'
  | 'startPush'
  | 'stopPush'
  | 'acceptInvitation'
  | 'confirmSecondFactor'
  | 'passkeySignIn'
  | 'confirmPasskey'
  | 'addPasskey';

/** What is told to caches: they look again, and find the same. */
const caches = ['catalogue_changes', 'catalogue_version'];
/** Counts of tries, who was seen when, when providers were read, and the keys themselves. */
const besides = new Set([
  'settlement_readings',
  'rate_limits',
  'staff_sessions',
  'staff_stations',
  'request_keys',
  'sessions',
  ...caches,
]);

/** Two people who send these mean two things. */
const twoThings = new Set<Compared>([
  // Keys of two people.
  'addKey',
  'addPost',
  'noteOrder',
  'noteCustomer',
  'correctStock',
  'transferStock',
  'saveOrderView',
  'changeGoodsRows',
  'moveCash',
  'rotateWebhook',
  // To two people's own addresses.
  'sendTestEmail',
]);

/** What only the first answer says, because it is stored nowhere. */
const saidOnce: Partial<Record<Compared, object>> = { addKey: { key: null } };

onOneEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  let other: Shopper;
  let count = 0;
  const stripe = new FakeProvider('Stripe');
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, providers: { stripe } });
    await sellProduct(testApp, tart, { inStoreOnly: true, taxClass: 'prepared-food' });
    await sellProduct(testApp, mug);
    await setUnits(testApp, tart, 2000, store);
    await setUnits(testApp, mug, 2000);
    // Days that are over, for what closes periods.
    await bookSale(testApp, Date.UTC(2026, 1, 2, 16), 1000);
    owner = await joinStaff(testApp, 'one@again.example');
    other = await joinStaff(testApp, 'two@again.example');
    await secureStaff(testApp, owner);
    await secureStaff(testApp, other);
    // The category of products that name none is there from now on.
    await imported();
  });

  const fresh = () => {
    count += 1;
    testApp.clock.advance(1);
    return `again-${count}`;
  };
  const typeOf = ({ type }: Request) => (type ? { 'content-type': type } : {});
  const answerOf = async <N extends StaffEndpointName>(name: N, input: Request = {}) => {
    const { status, body } = await askStaff(testApp, name, { as: owner, headers: typeOf(input), ...input });
    if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const sheetOf = (number: string) => answerOf('order', { params: { number } });
  const ordered = async (how: 'reserve' | 'pay' | 'ship'): Promise<string> => {
    const session = testApp.shopper();
    await add(testApp, session, how === 'ship' ? mug : tart, 2);
    const query = { methodName: 'instore', localStoreName: store, tableNumber: '4' };
    if (how === 'ship') await deliver(testApp, session);
    else await testApp.call('orderContactInfo', { session, query, body: { contact } });
    const body = { confirmationToken: 'ctoken_1', billingAddress: address };
    const { orderID } =
      how === 'reserve'
        ? await testApp.call('reserve', { session })
        : await testApp.call('payByStripe', { session, body });
    const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    return orderNumber ?? '';
  };
  const onDesk = async (how: 'reserve' | 'pay' | 'ship') => {
    const number = await ordered(how);
    const { orders } = await answerOf('deskOrders', { query: { numbers: number } });
    const [order] = orders;
    if (!order) throw new Error(`${number} is not on the desk`);
    return order;
  };
  const moved = async () => {
    const { number, version } = await onDesk('reserve');
    return answerOf('moveOrder', { params: { number }, body: { to: 'completed', version, paid: 'cash' } });
  };
  const shipOne = async () => {
    const number = await ordered('ship');
    const { order } = await sheetOf(number);
    const lines = [{ line: order.lineItems[0]?.id, quantity: 1 }];
    return { number, body: { lines, tracking: '', seen: 0 } };
  };
  const changed = async (quantity: number) => {
    const number = await ordered('pay');
    const { order } = await sheetOf(number);
    const lines = [{ line: order.lineItems[0]?.id, quantity }];
    const { version } = await answerOf('previewChange', { params: { number }, body: { lines } });
    return { params: { number }, body: { lines, version } };
  };
  const refusedRefund = async () => {
    const number = await ordered('pay');
    const { id } = await testApp.container.fulfilment.find(number);
    return { params: { id: await failedRefund(testApp, stripe, { id, number }) } };
  };
  const cancelling = async (how: 'reserve' | 'pay') => {
    const number = await ordered(how);
    const { version, cancellable } = await sheetOf(number);
    const most = cancellable?.most ?? 0;
    const body = { reason: 'closed', note: '', restock: true, mail: true, version, most };
    return { params: { number }, body: how === 'pay' ? { ...body, refund: most } : body };
  };
  const product = async () => {
    const id = fresh();
    await answerOf('addProduct', { body: { id, name: { en: 'Jar' }, like: null } });
    return id;
  };
  const tag = async () => {
    const id = fresh();
    await answerOf('addTag', { body: { id, name: { en: 'Tag' } } });
    return id;
  };
  const brand = async () => {
    const id = fresh();
    await answerOf('addBrand', { body: { id, name: { en: 'Brand' } } });
    return id;
  };
  const category = async () => {
    const id = fresh();
    await answerOf('addCategory', { body: { id, name: { en: 'Category' }, parent: null } });
    return id;
  };
  const group = async () => {
    const id = fresh();
    await answerOf('addModifierGroup', { body: { id, name: { en: 'Group' } } });
    return id;
  };
  const post = async () => {
    const { content, revision } = await answerOf('addPost', { body: { title: { en: `Post ${fresh()}` } } });
    const { id } = content;
    const words = patchOf({ revision }, ['parts', 'text', 'html', 'en'], '<p>Words</p>');
    return { id, revision: (await answerOf('savePost', { params: { id }, body: words })).revision };
  };
  const blog = async () => {
    const { blogs } = await answerOf('blogs');
    const id = blogs[0]?.id ?? '';
    return { id, revision: (await answerOf('blog', { params: { id } })).revision };
  };
  const redirect = async () => {
    const { content, revision } = await answerOf('addRedirect', {
      body: { from: `/old/${fresh()}`, to: '/about' },
    });
    return { id: content.id, revision };
  };
  const webhook = async () => {
    const body = { url: `https://receiver.example/${fresh()}`, events: ['order.paid'] };
    const { content, revision } = await answerOf('addWebhook', { body });
    return { id: content.id, revision };
  };
  const coupon = () => ({
    code: fresh().toUpperCase(),
    name: { en: 'Ten' },
    kind: 'percent',
    percent: 10_000,
    amount: 0,
    minSubtotal: 0,
    countries: [],
    products: [],
    categories: [],
    totalLimit: null,
    customerLimit: null,
    from: '2026-05-16',
    until: '2026-06-16',
  });
  const person = async (email = `${fresh()}@again.example`) => {
    const as = await joinStaff(testApp, email, 'packer');
    const row = await testApp.db.read
      .selectFrom('staff')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return { as, id: row.id };
  };
  const role = async () => {
    const { roles } = await answerOf('addRole', { body: { name: fresh(), permissions: ['orders.read'] } });
    return roles.at(-1)?.id ?? '';
  };
  const view = async () => {
    const { views } = await answerOf('saveOrderView', {
      body: { name: fresh(), filters: { state: 'open' } },
    });
    return views.find(({ name }) => name === `again-${count}`)?.id ?? '';
  };
  const newPicture = async () => {
    count += 1;
    const image = sharp({ create: { width: 60 + count, height: 40, channels: 3, background: '#345' } });
    return { file: await image.png().toBuffer(), type: 'image/png' };
  };
  const picture = async () =>
    answerOf('addPicture', { query: { name: `again-${count}.png` }, ...(await newPicture()) });
  /** A file with a product that the shop does not have, as it was judged. */
  const judged = async () => {
    const id = fresh();
    const file = `Handle,Title,Status,Variant SKU,Variant Price\n${id},Jar,active,${id.toUpperCase()},12.00\n`;
    const sent = await answerOf('upload', { query: { name: 'goods.csv' }, file, type: 'text/csv' });
    await testApp.container.importRuns.work();
    return answerOf('import', { params: { import: sent.id } });
  };
  const imported = async () => {
    const { id, version } = await judged();
    await answerOf('applyImport', { params: { import: id }, body: { seen: version } });
    await testApp.container.importRuns.work();
    return id;
  };
  const take = async () => {
    const [{ id = '' } = {}] = await testApp.db.read
      .selectFrom('stock_takes')
      .select('id')
      .where('state', '=', 'open')
      .execute();
    if (id) await answerOf('endTake', { params: { take: id } });
    return (await answerOf('startTake', { params: { place: store }, body: { key: randomUUID() } })).id;
  };
  const tomorrow = () => testApp.clock.now() + 24 * 60 * 60_000;
  const patchOf = ({ revision }: { revision: number }, path: string[], to: unknown) => ({
    revision,
    edits: [{ path, to }],
  });
  type Saving =
    | 'saveStore'
    | 'savePage'
    | 'saveBlog'
    | 'saveSettings'
    | 'saveLook'
    | 'saveEmail'
    | 'saveNavigation'
    | 'saveCoupon'
    | 'saveProduct'
    | 'saveTag'
    | 'saveBrand'
    | 'saveCategory'
    | 'saveModifierGroup';
  /** Of a document that was saved twice: back to the first. */
  const leadBack = async (
    save: Saving,
    params: Record<string, string>,
    path: string[],
    first: unknown,
    second: unknown,
  ) => {
    const read = save.replace('save', '').replace(/^./, (letter) => letter.toLowerCase()) as 'store';
    let seen = (await answerOf(read, { params })).revision;
    const saved: number[] = [];
    for (const to of [first, second]) {
      seen = (await answerOf(save, { params, body: patchOf({ revision: seen }, path, to) })).revision;
      saved.push(seen);
    }
    return { params, body: { revision: saved[0], seen } };
  };
  const bulk = async (body: object) => {
    const { changes } = await answerOf('goodsChanges');
    return { filter: {}, latest: changes[0]?.id ?? null, ...body };
  };
  const stock = () => ({ params: { place: store, sku: tart } });

  const cases: Record<Compared, Case> = {
    addKey: () => ({ body: { name: fresh(), permissions: ['orders.read'], stores: null, days: 1 } }),
    endKey: async () => {
      const name = fresh();
      const body = { name, permissions: ['orders.read'], stores: null, days: 1 };
      const { keys } = await answerOf('addKey', { body });
      return { params: { id: keys.find((each) => each.name === name)?.id ?? '' } };
    },
    saveTranslation: async () => {
      const query = { language: 'zh', state: 'all', kind: 'store' };
      const { body: listed } = await askStaffOnceCounted(testApp, 'translations', { as: owner, query });
      const [text] = listed.texts;
      if (!text) throw new Error('The demo has stores');
      const { kind, id, path, source, translation } = text;
      return { body: { kind, id, path, language: 'zh', text: fresh(), seen: { source, translation } } };
    },
    endSession: async () => {
      const { as, id } = await person();
      const row = await testApp.db.read
        .selectFrom('staff_sessions')
        .select('id')
        .where('staff_id', '=', id)
        .executeTakeFirstOrThrow();
      return { as, params: { id: row.id } };
    },
    endInvitation: async () => {
      count += 1;
      const email = `invited${count}@again.example`;
      await inviteStaff(testApp, email, 'packer');
      return { body: { email } };
    },
    changeStaff: async () => ({ params: { id: (await person()).id }, body: { role: 'assistant' } }),
    addRole: () => ({ body: { name: fresh(), permissions: ['orders.read'] } }),
    changeRole: async () => ({
      params: { id: await role() },
      body: { name: fresh(), permissions: ['orders.read'] },
    }),
    removeRole: async () => ({ params: { id: await role() } }),
    removePasskey: () => ({ params: { id: 'none' } }),
    setPin: async () => {
      await answerOf('setPin', { body: { pin: '4827' } });
      return { body: { pin: null } };
    },
    saveOrderView: () => ({ body: { name: fresh(), filters: { state: 'open' } } }),
    shareOrderView: async () => ({ params: { id: await view() }, body: { shared: true } }),
    removeOrderView: async () => ({ params: { id: await view() } }),
    noteOrder: async () => ({
      params: { number: await ordered('reserve') },
      body: { text: 'By the window' },
    }),
    sendMailAgain: async () => {
      const number = await ordered('pay');
      const { mails } = await sheetOf(number);
      return { params: { number, mail: mails[0]?.id ?? '' } };
    },
    acceptDisputes: async () => ({ params: { number: await ordered('pay') } }),
    correctEmail: async () => ({
      params: { number: await ordered('pay') },
      body: { email: 'new@example.com' },
    }),
    takeMoney: async () => {
      const number = await ordered('reserve');
      const { order } = await sheetOf(number);
      return { params: { number }, body: { kind: 'cash', amount: 300, due: order.due } };
    },
    shipOrder: async () => {
      const { number, body } = await shipOne();
      return { params: { number }, body };
    },
    takeBackShipment: async () => {
      const { number, body } = await shipOne();
      const { shipment } = await answerOf('shipOrder', { params: { number }, body });
      return { params: { number, id: shipment }, body: { reason: '' } };
    },
    refundOrder: async () => {
      const number = await ordered('pay');
      const { refundable } = await sheetOf(number);
      const [line] = refundable.lines;
      return {
        params: { number },
        body: {
          lines: [{ line: line?.line, quantity: 1 }],
          shipping: false,
          serviceCharge: false,
          tip: 0,
          amount: line?.amounts[0],
          refunded: refundable.refunded,
          restock: true,
          reason: 'chipped',
          note: '',
        },
      };
    },
    retryRefund: () => refusedRefund(),
    settleRefund: () => refusedRefund(),
    cancelOrder: () => cancelling('reserve'),
    cancelOrderBack: () => cancelling('pay'),
    changeOrder: () => changed(3),
    changeOrderBack: () => changed(1),
    changePickup: () => ({ params: { store }, body: { busyMinutes: 15, until: '23:00' } }),
    markSoldOut: () => ({ params: { store }, body: { item: `sku:${mug}`, soldOut: true } }),
    closeDay: () => {
      count += 1;
      return {
        params: { store },
        body: { date: `2026-07-${String((count % 28) + 1).padStart(2, '0')}`, closed: true },
      };
    },
    correctStock: () => ({ ...stock(), body: { key: randomUUID(), units: 3, reason: 'received' } }),
    countStock: async () => {
      const { places } = await answerOf('stockLedger', { params: { sku: tart } });
      const here = places.find(({ place }) => place === store);
      const expected = (here?.units ?? 0) + (here?.held ?? 0);
      return { ...stock(), body: { key: randomUUID(), expected, found: expected - 1 } };
    },
    transferStock: () => ({ ...stock(), body: { key: randomUUID(), to: 'ottawa-byward', units: 1 } }),
    setLowStock: () => ({ ...stock(), body: { units: 7 + count } }),
    setUsualLowStock: () => ({ body: { units: 5 } }),
    startTake: async () => {
      await answerOf('endTake', { params: { take: await take() } });
      return { params: { place: store }, body: { key: randomUUID() } };
    },
    sendCounts: async () => ({
      params: { take: await take() },
      body: {
        now: testApp.clock.now(),
        counts: [{ id: randomUUID(), code: tart, units: 5, at: testApp.clock.now() }],
      },
    }),
    bookTake: async () => ({ params: { take: await take() }, body: { counts: 0 } }),
    endTake: async () => ({ params: { take: await take() } }),
    exemptCustomer: async () => {
      const { id } = await register(testApp);
      const exemption = { kind: 'bcPst' as const, number: 'PST-1234-5678', expires: null, postCode: '' };
      return { params: { id }, body: { exemptions: [exemption] } };
    },
    noteCustomer: async () => {
      const { id } = await register(testApp);
      return { params: { id }, body: { text: 'Calls before noon' } };
    },
    markMessage: async () => {
      await testApp.db.transaction((trx) =>
        trx
          .insertInto('form_messages')
          .values({ ...message, id: fresh(), fingerprint: fresh(), created_at: testApp.clock.now() })
          .execute(),
      );
      return { params: { id: `again-${count - 1}` }, body: { done: true } };
    },
    moveOrder: async () => {
      const { number, version } = await onDesk('reserve');
      return { params: { number }, body: { to: 'completed', version, paid: 'cash' } };
    },
    undoMove: async () => {
      const { number, version } = await moved();
      return { params: { number }, body: { version } };
    },
    moveOrders: async () => {
      const { number, version } = await onDesk('reserve');
      return { body: { to: 'completed', orders: [{ number, version }], paid: 'cash' } };
    },
    undoMoves: async () => {
      const { number, version } = await moved();
      return { body: { orders: [{ number, version }] } };
    },
    takeBackMove: async () => {
      const { number, version } = await moved();
      return { params: { number }, body: { version, reason: 'a mistake' } };
    },
    tickLine: async () => {
      const { number, lines } = await onDesk('reserve');
      return { params: { number }, body: { line: lines[0]?.id, ticked: true } };
    },
    blockAgent: async () => {
      const at = testApp.clock.now();
      const agent = {
        id: fresh(),
        profile: `https://${fresh()}.example/ucp`,
        blocked: 0,
        approved: 0,
        document: '{}',
      } as const;
      await testApp.db.transaction((trx) =>
        trx
          .insertInto('agents')
          .values({ ...agent, fresh_until: at, created_at: at, last_seen_at: at })
          .execute(),
      );
      return { params: { id: agent.id }, body: { blocked: true } };
    },
    addStore: () => ({
      body: { id: fresh(), name: { en: 'Store' }, phone: '416-555-0100', email: 'store@shop.example' },
    }),
    saveStore: async () => {
      const { revision } = await answerOf('store', { params: { id: 'ottawa-byward' } });
      return {
        params: { id: 'ottawa-byward' },
        body: patchOf({ revision }, ['name', 'en'], `Byward ${fresh()}`),
      };
    },
    restoreStore: () =>
      leadBack(
        'saveStore',
        { id: 'ottawa-byward' },
        ['name', 'en'],
        `Byward ${fresh()}`,
        `Byward ${fresh()}`,
      ),
    addPage: () => ({ body: { id: fresh(), title: { en: 'Questions' }, beginning: 'faq' } }),
    savePage: async () => {
      const read = await answerOf('page', { params: { id: 'about' } });
      return { params: { id: 'about' }, body: patchOf(read, ['title', 'en'], `About ${fresh()}`) };
    },
    restorePage: () =>
      leadBack('savePage', { id: 'about' }, ['title', 'en'], `About ${fresh()}`, `About ${fresh()}`),
    publishPage: async () => {
      const params = { id: 'about' };
      const { revision } = await answerOf('page', { params });
      const saved = await answerOf('savePage', {
        params,
        body: patchOf({ revision }, ['title', 'en'], `About ${fresh()}`),
      });
      return { params, body: { seen: saved.revision, at: null } };
    },
    unschedulePage: async () => {
      const params = { id: 'terms' };
      const { revision: seen } = await answerOf('page', { params });
      const { revision } = await answerOf('publishPage', { params, body: { seen, at: tomorrow() } });
      return { params, body: { seen: revision } };
    },
    withdrawPage: async () => {
      const params = { id: 'terms' };
      const { revision: seen } = await answerOf('page', { params });
      const { revision } = await answerOf('publishPage', { params, body: { seen, at: null } });
      return { params, body: { seen: revision } };
    },
    revertPage: async () => {
      const params = { id: 'privacy' };
      const { revision } = await answerOf('page', { params });
      const saved = await answerOf('savePage', {
        params,
        body: patchOf({ revision }, ['title', 'en'], `Privacy ${fresh()}`),
      });
      return { params, body: { seen: saved.revision } };
    },
    addPost: () => ({ body: { title: { en: `Post ${fresh()}` } } }),
    savePost: async () => {
      const { id, revision } = await post();
      return { params: { id }, body: patchOf({ revision }, ['title', 'en'], `Post ${fresh()}`) };
    },
    restorePost: async () => {
      const { id, revision } = await post();
      const saved = await answerOf('savePost', {
        params: { id },
        body: patchOf({ revision }, ['title', 'en'], 'Post'),
      });
      return { params: { id }, body: { revision, seen: saved.revision } };
    },
    publishPost: async () => {
      const { id, revision: seen } = await post();
      return { params: { id }, body: { seen, at: null } };
    },
    unschedulePost: async () => {
      const { id, revision: seen } = await post();
      const { revision } = await answerOf('publishPost', { params: { id }, body: { seen, at: tomorrow() } });
      return { params: { id }, body: { seen: revision } };
    },
    withdrawPost: async () => {
      const { id, revision: seen } = await post();
      const { revision } = await answerOf('publishPost', { params: { id }, body: { seen, at: null } });
      return { params: { id }, body: { seen: revision } };
    },
    revertPost: async () => {
      const { id, revision: seen } = await post();
      const { revision } = await answerOf('publishPost', { params: { id }, body: { seen, at: null } });
      const saved = await answerOf('savePost', {
        params: { id },
        body: patchOf({ revision }, ['title', 'en'], 'Changed'),
      });
      return { params: { id }, body: { seen: saved.revision } };
    },
    unsharePost: async () => {
      const { id } = await post();
      const { links } = await answerOf('sharePost', { params: { id } });
      return { params: { id }, body: { key: links[0]?.key ?? '' } };
    },
    saveBlog: async () => {
      const { id, revision } = await blog();
      return { params: { id }, body: patchOf({ revision }, ['name', 'en'], `Blog ${fresh()}`) };
    },
    restoreBlog: async () =>
      leadBack('saveBlog', { id: (await blog()).id }, ['name', 'en'], `Blog ${fresh()}`, `Blog ${fresh()}`),
    addRedirect: () => ({ body: { from: `/old/${fresh()}`, to: '/about' } }),
    saveRedirect: async () => {
      const { id, revision } = await redirect();
      return { params: { id }, body: patchOf({ revision }, ['to'], `/terms?${fresh()}`) };
    },
    restoreRedirect: async () => {
      const { id, revision } = await redirect();
      const saved = await answerOf('saveRedirect', {
        params: { id },
        body: patchOf({ revision }, ['to'], '/terms'),
      });
      return { params: { id }, body: { revision, seen: saved.revision } };
    },
    addWebhook: () => ({ body: { url: `https://receiver.example/${fresh()}`, events: ['order.paid'] } }),
    saveWebhook: async () => {
      const { id, revision } = await webhook();
      return { params: { id }, body: patchOf({ revision }, ['paused'], true) };
    },
    restoreWebhook: async () => {
      const { id, revision } = await webhook();
      const saved = await answerOf('saveWebhook', {
        params: { id },
        body: patchOf({ revision }, ['paused'], true),
      });
      return { params: { id }, body: { revision, seen: saved.revision } };
    },
    rotateWebhook: async () => ({ params: { id: (await webhook()).id } }),
    saveSettings: async () => {
      const params = { id: 'shop' };
      const { revision, content } = await answerOf('settings', { params });
      return { params, body: patchOf({ revision }, ['agentDrafts'], !content.agentDrafts) };
    },
    restoreSettings: async () => {
      const params = { id: 'shop' };
      const { agentDrafts } = (await answerOf('settings', { params })).content;
      return leadBack('saveSettings', params, ['agentDrafts'], !agentDrafts, agentDrafts);
    },
    saveLook: async () => {
      const params = { id: 'shop' };
      const { revision, content } = await answerOf('look', { params });
      return { params, body: { revision, edits: [{ path: ['night'], to: !content.night }] } };
    },
    restoreLook: async () => {
      const params = { id: 'shop' };
      const { night } = (await answerOf('look', { params })).content;
      return leadBack('saveLook', params, ['night'], !night, night);
    },
    saveEmail: async () => {
      const params = { id: 'orderReady' };
      return {
        params,
        body: patchOf(await answerOf('email', { params }), ['closing', 'en'], `Thanks ${fresh()}`),
      };
    },
    restoreEmail: async () =>
      leadBack('saveEmail', { id: 'refund' }, ['closing', 'en'], `Thanks ${fresh()}`, `Thanks ${fresh()}`),
    sendTestEmail: () => ({ params: { id: 'welcome' }, body: { edits: [], language: 'en' } }),
    unsharePage: async () => {
      const { links } = await answerOf('sharePage', { params: { id: 'terms' } });
      return { params: { id: 'terms' }, body: { key: links[0]?.key ?? '' } };
    },
    saveNavigation: async () => {
      const params = { id: 'footer' };
      const { revision, content } = await answerOf('navigation', { params });
      return { params, body: { revision, edits: [{ path: ['brands'], to: !content.brands }] } };
    },
    restoreNavigation: async () => {
      const params = { id: 'footer' };
      const { blog: shown } = (await answerOf('navigation', { params })).content;
      return leadBack('saveNavigation', params, ['blog'], !shown, shown);
    },
    addCoupon: () => ({ body: coupon() }),
    endCoupon: async () => ({ params: { id: await addedCoupon() } }),
    saveCoupon: async () => {
      const params = { id: await addedCoupon() };
      return { params, body: patchOf(await answerOf('coupon', { params }), ['minSubtotal'], 4200) };
    },
    restoreCoupon: async () =>
      leadBack('saveCoupon', { id: await addedCoupon() }, ['minSubtotal'], 4300, 4400),
    addProduct: () => ({ body: { id: fresh(), name: { en: 'Jar' }, like: null } }),
    saveProduct: async () => {
      const id = await product();
      const read = await answerOf('product', { params: { product: id } });
      return { params: { product: id }, body: patchOf(read, ['priceCents'], 1234) };
    },
    moveProduct: async () => ({ params: { product: await product() }, body: { id: fresh() } }),
    restoreProduct: async () =>
      leadBack('saveProduct', { product: await product() }, ['priceCents'], 4321, 4322),
    changeGoods: async () => ({ body: await bulk({ ids: [await product()], change: { percent: 1000 } }) }),
    changeGoodsRows: async () => ({ body: { rows: [{ id: await product(), priceCents: 777 }] } }),
    takeGoodsChangeBack: async () => {
      const begun = await answerOf('changeGoods', {
        body: await bulk({ ids: [await product()], change: { set: 900 } }),
      });
      await testApp.container.goodsChanges.work();
      return { params: { change: begun.id } };
    },
    saveConnection: () => ({ params: { name: 'mail' }, body: { fields: { host: `${fresh()}.example` } } }),
    forgetLocked: async () => {
      const row = { value: 'damaged', tail: null, actor: 'terminal', at: testApp.clock.now() };
      await testApp.db.transaction((trx) =>
        trx
          .insertInto('connections')
          .values({ field: 'mail.password', ...row })
          .onConflict((c) => c.column('field').doUpdateSet(row))
          .execute(),
      );
      return {};
    },
    saveShopSettings: async () => ({
      body: patchOf(await answerOf('shopSettings'), ['shopName', 'en'], `Shop ${fresh()}`),
    }),
    saveMoneySettings: async () => {
      count += 1;
      return { body: patchOf(await answerOf('moneySettings'), ['reservationHours'], 20 + count) };
    },
    closePeriod: async () => {
      const { next } = await answerOf('periods');
      const days = { from: next?.from ?? '', to: next?.from ?? '' };
      return { body: { ...days, entries: (await answerOf('openFigures', { body: days })).entries } };
    },
    reopenPeriod: async () => {
      const { next } = await answerOf('periods');
      const days = { from: next?.from ?? '', to: next?.from ?? '' };
      const { entries } = await answerOf('openFigures', { body: days });
      const { periods } = await answerOf('closePeriod', { body: { ...days, entries } });
      return {
        params: { period: periods.find(({ canReopen }) => canReopen)?.id ?? '' },
        body: { why: 'a mistake' },
      };
    },
    tableCards: async () => {
      const request = {
        params: { id: store },
        body: { menu: 'tea-bar', locale: 'en', replaces: null as string | null },
      };
      const { cards } = await answerOf('tableCards', request);
      return { ...request, body: { ...request.body, replaces: cards[0]?.token ?? '' } };
    },
    moveCash: () => ({ body: { store, kind: 'float', amount: 100 + count } }),
    takeBackCash: async () => {
      const { moves } = await answerOf('moveCash', { body: { store, kind: 'bank', amount: 100 } });
      return { params: { move: moves.at(-1)?.id ?? '' } };
    },
    saveBookAccounts: async () => {
      const id = `sage ${fresh()}`;
      return {
        body: patchOf(await answerOf('bookAccounts'), ['bookAccounts', id], {
          id,
          code: '4000',
          taxRate: '',
        }),
      };
    },
    handOver: () => {
      count += 1;
      const day = new Date(Date.UTC(2020, 0, 1 + count)).toISOString().slice(0, 10);
      return { body: { program: 'sage', days: { from: day, to: day } } };
    },
    addCategory: () => ({ body: { id: fresh(), name: { en: 'Category' }, parent: null } }),
    addBrand: () => ({ body: { id: fresh(), name: { en: 'Brand' } } }),
    addTag: () => ({ body: { id: fresh(), name: { en: 'Tag' } } }),
    moveTaxon: async () => {
      const before = await tag();
      return { params: { kind: 'tag', id: await tag() }, body: { before } };
    },
    saveTag: async () => {
      const params = { id: await tag() };
      return { params, body: patchOf(await answerOf('tag', { params }), ['name', 'en'], 'Renamed') };
    },
    restoreTag: async () => leadBack('saveTag', { id: await tag() }, ['name', 'en'], 'First', 'Second'),
    saveBrand: async () => {
      const params = { id: await brand() };
      return { params, body: patchOf(await answerOf('brand', { params }), ['name', 'en'], 'Renamed') };
    },
    restoreBrand: async () => leadBack('saveBrand', { id: await brand() }, ['name', 'en'], 'First', 'Second'),
    saveCategory: async () => {
      const params = { id: await category() };
      return { params, body: patchOf(await answerOf('category', { params }), ['name', 'en'], 'Renamed') };
    },
    restoreCategory: async () =>
      leadBack('saveCategory', { id: await category() }, ['name', 'en'], 'First', 'Second'),
    addModifierGroup: () => ({ body: { id: fresh(), name: { en: 'Group' } } }),
    restoreModifierGroup: async () =>
      leadBack('saveModifierGroup', { id: await group() }, ['name', 'en'], 'First', 'Second'),
    saveModifierGroup: async () => {
      const params = { id: await group() };
      return {
        params,
        body: patchOf(await answerOf('modifierGroup', { params }), ['name', 'en'], 'Renamed'),
      };
    },
    saveMenus: async () => {
      const { revision, content } = await answerOf('menus');
      const [menu] = content.menus as { id: string }[];
      return { body: patchOf({ revision }, ['menus', menu?.id ?? '', 'name', 'en'], `Menu ${fresh()}`) };
    },
    readSettlements: () => ({}),
    askAboutFinding: async () => {
      const { id } = await testApp.container.fulfilment.find(await ordered('pay'));
      const payment = await testApp.db.read
        .selectFrom('payments')
        .select('id')
        .where('order_id', '=', id)
        .executeTakeFirstOrThrow();
      return { body: { finding: `notThere:Stripe:${payment.id}` } };
    },
    acceptFinding: () => ({ body: { finding: `noOrder:Stripe:${fresh()}`, note: 'Of another shop' } }),
    linkPayout: async () => {
      const [payout, line] = [fresh(), fresh()];
      await keepPayout(testApp, payout, line);
      return { body: { provider: 'Stripe', payout, line } };
    },
    removeStore: async () => {
      const id = fresh();
      const body = { id, name: { en: 'Store' }, phone: '416-555-0100', email: 'store@shop.example' };
      await answerOf('addStore', { body });
      return { params: { id } };
    },
    removeCoupon: async () => ({ params: { id: await addedCoupon() } }),
    removeCategory: async () => ({
      params: { id: await category() },
      body: { to: await category(), merge: true },
    }),
    removeBrand: async () => ({ params: { id: await brand() }, body: { to: await brand(), merge: true } }),
    removeTag: async () => ({ params: { id: await tag() }, body: { to: null, merge: false } }),
    removeModifierGroup: async () => ({ params: { id: await group() } }),
    removePicture: async () => ({ params: { file: (await picture()).file } }),
    removePage: async () => {
      const id = fresh();
      await answerOf('addPage', { body: { id, title: { en: 'Questions' }, beginning: 'faq' } });
      return { params: { id } };
    },
    removePost: async () => ({ params: { id: (await post()).id } }),
    removeRedirect: async () => ({ params: { id: (await redirect()).id } }),
    removeWebhook: async () => ({ params: { id: (await webhook()).id } }),
    eraseCustomer: async () => {
      const { id, email } = await register(testApp);
      return { params: { id }, body: { email } };
    },
    addPicture: async () => ({ query: { name: 'again.png' }, ...(await newPicture()) }),
    replacePicture: async () => {
      const { file, image } = await picture();
      return { params: { file }, query: { seen: image.imageURL }, ...(await newPicture()) };
    },
    changeImport: async () => {
      const { id, kind, columns, options } = await judged();
      return {
        params: { import: id },
        body: { kind, fields: columns.map(({ field }) => field), ...options, drafts: true },
      };
    },
    applyImport: async () => {
      const { id, version } = await judged();
      return { params: { import: id }, body: { seen: version } };
    },
    stopImport: async () => ({ params: { import: (await judged()).id } }),
    takeImportBack: async () => {
      return { params: { import: await imported() } };
    },
    readStatement: () => {
      count += 1;
      const day = new Date(Date.UTC(2026, 0, count % 300)).toISOString().slice(0, 10);
      const file = `Date,Description,Amount\n${day},STRIPE TRANSFER,${count}.25\n`;
      return { query: { apply: 'yes' }, file, type: 'text/csv' };
    },
    cropPicture: async () => ({
      params: { file: (await picture()).file },
      body: { left: 0, top: 0, width: 0.5, height: 0.5 },
    }),
  };

  async function addedCoupon(): Promise<string> {
    const body = coupon();
    await answerOf('addCoupon', { body });
    return body.code;
  }

  const message = {
    form_name: 'contact',
    mail_to: 'x@example.com',
    language: 'en',
    details: '[]',
    reply_to: null,
    suspected: 0 as const,
    customer_id: null,
    done_at: null,
    done_by: null,
  };

  async function books(): Promise<Tables> {
    const all = [...(await everyTable(testApp))].filter(([name]) => !besides.has(name));
    // When a row was last locked says nothing.
    return withoutFields(all, /"(?:updated_at|last_seen_at)":\d+/g);
  }
  const changedIn = (before: Tables, after: Tables) =>
    [...after]
      .filter(([name, rows]) => rows !== before.get(name) && rows.join() !== before.get(name)?.join())
      .map(([name]) => name);
  const grown = (before: Tables, after: Tables) =>
    new Map([...after].map(([name, rows]) => [name, rows.length - (before.get(name)?.length ?? 0)]));
  /** With all that is done after the answer. */
  const send = async (name: StaffEndpointName, { as = owner, ...request }: Request, key: string) => {
    const answer = await askStaff(testApp, name, {
      ...request,
      as,
      headers: { ...typeOf(request), [requestKeyHeader]: key },
    });
    await testApp.container.importRuns.work();
    return answer;
  };

  const names = Object.keys(cases) as (keyof typeof cases)[];
  const kept: { name: StaffEndpointName; request: Request; key: string }[] = [];

  it.each(names)(
    '%s is done once when it is sent again, and once when two people send it at the same time',
    async (name) => {
      const { repeat }: StaffEndpoint = staffEndpoints[name];
      const [request, key] = [await cases[name](), randomUUID()];
      const before = await books();
      const first = await send(name, request, key);
      if (!changesNothing.has(name))
        expect([name, first.status, first.body.errorKey]).toEqual([name, 200, undefined]);
      const after = await books();
      if (!changesNothing.has(name) && !besidesOnly.has(name))
        expect([name, changedIn(before, after)]).not.toEqual([name, []]);
      const again = await send(name, request, key);
      expect(changedIn(after, await books())).toEqual([]);
      if (repeat === 'same' && !endsItself.has(name))
        expect([name, again.status, again.body.errorKey]).toEqual([name, 200, undefined]);
      else if (repeat === 'key' || answersAgain.test(name))
        expect([again.status, again.body]).toEqual([first.status, { ...first.body, ...saidOnce[name] }]);
      kept.push({ name, request, key });
      if (request.as) return;
      const shared = await cases[name]();
      const between = await books();
      await Promise.all([owner, other].map((as) => send(name, { ...shared, as }, randomUUID())));
      const one = grown(before, after);
      const both = grown(between, await books());
      const more = [...both].filter(([table, rows]) => rows > (one.get(table) ?? 0)).map(([table]) => table);
      if (!twoThings.has(name)) expect(more).toEqual([]);
    },
  );

  it('a request that a device kept for an hour is done no second time', async () => {
    testApp.clock.advance(hourMs);
    for (const { name, request, key } of kept) {
      const before = await books();
      await send(name, request, key);
      const changed = changedIn(before, await books()).filter((table) => table !== judgedAnew[name]);
      expect([name, changed]).toEqual([name, []]);
    }
  });
});

/** What a file would do is judged once more, in the shop as it is by then. */
const judgedAnew: Readonly<Partial<Record<StaffEndpointName, string>>> = { changeImport: 'imports' };

/** With a key, what was seen or is used up is no conflict of a request with its own first arrival. */
const answersAgain = /^(?:restore|publish|withdraw|unschedule|revert|remove(?!Passkey))/;

/** The session that asks is over then. */
const endsItself = new Set<StaffEndpointName>(['endSession']);

/** There is neither a passkey nor a dispute in a shop of tests, and then nothing changes. */
const changesNothing = new Set<StaffEndpointName>(['removePasskey', 'acceptDisputes']);

/** They change sessions, or when a provider was read, alone. */
const besidesOnly = new Set<StaffEndpointName>(['endSession', 'readSettlements', 'askAboutFinding']);
