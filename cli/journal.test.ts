import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { moveTargets } from '#contract/staff/desk.ts';
import { didText, staffTranslate } from '#contract/staff/messages.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { plainCoupon } from '#tests/coupons.ts';
import { sellProduct } from '#tests/products.ts';
import { add, deliver, pay, reserve, setUnits, visit } from '#tests/shop-actions.ts';
import { shopCommand, shopCommands } from '#tests/shop-command.ts';
import { joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

onBothEngines((engine) => {
  it('the journal says when, by whom and by which command a value changed from what to what', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    expect(await shopCommand(testApp, ['settings', 'set', 'lowStockThreshold', '7'])).toMatchObject({
      code: 0,
    });
    const { printed } = await shopCommand(testApp, ['journal', '--limit', '1']);
    expect(printed).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d-0[45]:00 {2}settings set, by the terminal: setting lowStockThreshold: lowStockThreshold 5 → 7\nOlder entries: npm run shop -- journal --before \d+$/,
    );
    const chinese = await shopCommand(testApp, ['journal', 'setting', 'lowStockThreshold'], {
      LANG: 'zh_CN.UTF-8',
    });
    expect(chinese.printed).toContain('settings set, 终端: 设置 lowStockThreshold: lowStockThreshold 5 → 7');
    expect((await shopCommand(testApp, ['--lang', 'zh', 'journal', 'page', 'nothing'])).printed).toBe(
      '没有记录。',
    );
    expect((await shopCommand(testApp, ['journal', '--since', '2999-01-01'])).printed).toBe('No entries.');
  });

  it('pages of the journal follow each other without a gap', async () => {
    const testApp = await createTestApp({ engine });
    for (const code of ['ONE', 'TWO', 'THREE']) await testApp.services.coupons.add({ ...plainCoupon, code });
    const first = (await shopCommand(testApp, ['journal', 'coupon', '--limit', '2'])).printed;
    expect(first).toMatch(/THREE\n.*TWO\nOlder entries: npm run shop -- journal coupon --before 2$/);
    expect((await shopCommand(testApp, ['journal', 'coupon', '--before', '2'])).printed).toMatch(
      /coupon ONE$/,
    );
  });
});

const manageKeys = mintPermit('keys.manage', { kind: 'terminal' }, null);
const guest = 'demo@maple-and-clay.example';
const url = 'https://hooks.example/';

/** Each command that changes the shop, in an order in which each has something to change. `{number}` is a paid order. */
const changing: Readonly<Record<string, readonly string[]>> = {
  'settings set': ['settings', 'set', 'lowStockThreshold', '7'],
  'coupon add': ['coupon', 'add', 'WALK', '--percent', '5'],
  'coupon change': ['coupon', 'change', 'WALK', '--percent', '7'],
  'coupon end': ['coupon', 'end', 'WALK'],
  'webhooks add': ['webhooks', 'add', url, '--events', 'all'],
  'webhooks pause': ['webhooks', 'pause', '{endpoint}'],
  'webhooks resume': ['webhooks', 'resume', '{endpoint}'],
  'webhooks rotate': ['webhooks', 'rotate', '{endpoint}'],
  'webhooks remove': ['webhooks', 'remove', '{endpoint}'],
  'agents approve': ['agents', 'approve', 'https://agent.example/', '{profile}'],
  'agents block': ['agents', 'block', '{agent}'],
  'agents allow': ['agents', 'allow', '{agent}'],
  'agents rotate-keys': ['agents', 'rotate-keys'],
  'staff invite': ['staff', 'invite', 'walk@shop.example'],
  'staff keys add': ['staff', 'keys', 'add', 'till', '--for', 'walker@shop.example', '--may', 'orders.read'],
  'staff keys end': ['staff', 'keys', 'end', '{key}'],
  fill: ['fill', '{fill}'],
  blog: ['blog', '{blog}'],
  remove: ['remove', 'tag', 'walked', '--yes'],
  'sold-out': ['sold-out', 'MUG-WALK', '--store', 'toronto-queen-west'],
  pickup: ['pickup', 'toronto-queen-west', '--busy', '15'],
  'stock count': ['stock', 'count', 'MUG-WALK', 'warehouse', '--units', '12'],
  'stock transfer': ['stock', 'transfer', 'MUG-WALK', 'warehouse', 'toronto-queen-west', '--units', '2'],
  'stock correct': ['stock', 'correct', 'MUG-WALK', 'warehouse', '--take', '1', '--reason', 'damaged'],
  'payouts accept': ['payouts', 'accept', 'noOrder:Stripe:txn_walk', '--note', 'Of the market stall'],
  'table-cards': ['table-cards', 'toronto-queen-west', 'tea', '{cards}', '--renew'],
  'orders revoke-links': ['orders', 'revoke-links', '{number}'],
  refund: ['refund', '{number}', '--amount', '1.00'],
  'orders change': ['orders', 'change', '{number}', '--line', 'MUG-WALK=2'],
  'orders shipped': ['orders', 'shipped', '{number}', '--unpaid'],
  'orders take-back': ['orders', 'take-back', '{number}', '--reason', 'wrong label'],
  'orders collected': ['orders', 'collected', '{number}', '--cash'],
  'orders paid': ['orders', 'paid', '{reserved}', '1.00', '--cash'],
  'orders cancel': ['orders', 'cancel', '{other}'],
  'books close': ['books', 'close', '{past}'],
  'books reopen': ['books', 'reopen', '--why', 'a wrong rate'],
  'customer export': ['customer', 'export', guest],
  'customer block': ['customer', 'block', guest],
  'customer unblock': ['customer', 'unblock', guest],
  'customer delete': ['customer', 'delete', guest],
};
/** They change something as well, and need more to begin with: their own tests run them, and none runs without a note. */
const elsewhere = [
  'orders ready',
  'orders accept-dispute',
  'orders restock',
  'refunds retry',
  'refunds settle',
  'webhooks resend',
  'customer sign-out',
  'staff block',
  'staff unblock',
  'import',
  'import-undo',
  'payouts link',
  'payouts bank',
  'books hand-over',
];
/** They change nothing of the merchant's: they look after the database, or do at once what the shop does every minute. */
const others = [
  'backup',
  'migrate',
  'move',
  'reconcile',
  'media upload',
  'webhooks test',
  'payouts read',
  'payouts ask',
];

async function paidOrder(testApp: TestApp): Promise<string> {
  const session = testApp.shopper();
  await add(testApp, session, 'MUG-WALK');
  await deliver(testApp, session);
  const { orderID } = (await pay(testApp, session)).body;
  return numberOf(testApp, session, orderID);
}

/** The days since the books begin, as a period that may be closed. */
async function pastDays({ container, clock }: TestApp): Promise<string> {
  const from = (await container.periods.all()).next?.from ?? '';
  return `${from}..${new Date(clock.now() - 48 * 3_600_000).toISOString().slice(0, 10)}`;
}

async function reservedOrder(testApp: TestApp): Promise<string> {
  const session = testApp.shopper();
  await add(testApp, session, 'MUG-WALK');
  await visit(testApp, session);
  const { orderID } = (await reserve(testApp, session)).body;
  return numberOf(testApp, session, orderID);
}

async function numberOf(testApp: TestApp, session: Shopper, orderID: string | null): Promise<string> {
  return (await testApp.call('order', { session, params: { id: orderID ?? '' } })).orderNumber ?? '';
}

it('every command that changes the shop writes into the journal, and what it did is said in words', async () => {
  const all = [...shopCommands()].flatMap(([words, repeat]) => (repeat === null ? [] : [words])).sort();
  expect([...Object.keys(changing), ...elsewhere, ...others].sort()).toEqual(all);
  const inServer = globSync('server/**/*.ts', { exclude: (file) => file.endsWith('.test.ts') }).flatMap(
    (file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /changes\.(?:run|by)\(\s*(?:[\w.]+|\{ kind: '\w+' \}),\s*'([^']+)'/g,
        ),
      ].map(([, action = '']) => action),
  );
  expect(inServer.length).toBeGreaterThan(20);
  const actions = [
    ...new Set([
      ...Object.keys(changing),
      ...elsewhere,
      ...inServer,
      ...moveTargets.map((to) => `orders ${to}`),
    ]),
  ];
  expect(actions.filter((action) => didText(staffTranslate('en'), action) === action)).toEqual([]);

  const testApp = await createTestApp({ engine: 'sqlite', demo: true, now: Date.now() });
  await sellProduct(testApp, 'MUG-WALK');
  await setUnits(testApp, 'MUG-WALK', 9);
  await testApp.services.stock.count([{ sku: 'MUG-WALK', place: 'toronto-queen-west', units: 9 }]);
  const file = (name: string, content: object) => {
    const path = join(testApp.dataDir, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const known: Record<string, string> = {
    number: await paidOrder(testApp),
    other: await paidOrder(testApp),
    reserved: await reservedOrder(testApp),
    fill: file('shop.json', { tags: [{ id: 'walked', name: { en: 'Walked', zh: '走过' } }] }),
    blog: file('posts.json', {
      blog: {
        id: 'walk',
        name: { en: 'Walk' },
        description: { en: '' },
        enableUserLike: true,
        enableGuestLike: true,
        categories: [],
        tags: [],
      },
    }),
    past: await pastDays(testApp),

    cards: join(testApp.dataDir, 'cards.html'),
    profile: file('profile.json', { ucp: { version: '2026-04-08', capabilities: {} } }),
  };
  await joinStaff(testApp, 'walker@shop.example', 'manager');
  const { fulfilment } = testApp.services;
  await testApp.container.orderLinks.ensureReading(
    (await fulfilment.find(known.number ?? '')).id,
    'a link in a mail',
  );
  for (const [action, words] of Object.entries(changing)) {
    const [before] = await testApp.services.changes.journal({ most: 1 });
    known.agent = (await testApp.container.agentsDesk.list())[0]?.id ?? '';
    known.key = (await testApp.container.keys.list(manageKeys))[0]?.id ?? '';
    known.endpoint = (await testApp.services.webhooks.list())[0]?.id ?? '';
    const typed = words.map((word) => word.replace(/^\{(\w+)\}$/, (_, name: string) => known[name] ?? name));
    // Only the cards need the address; a public shop takes no money by the simulator.
    const variables: Record<string, string> =
      action === 'table-cards' ? { PUBLIC_URL: 'https://shop.example' } : {};
    const { code, printed } = await shopCommand(testApp, typed, variables);
    expect(code, printed).toBe(0);
    const [after] = await testApp.services.changes.journal({ most: 1 });
    expect(after, action).toMatchObject({ actor: { kind: 'terminal' }, action });
    expect(after?.no, action).toBeGreaterThan(before?.no ?? 0);
    expect(JSON.stringify(after)).not.toContain('@');
  }
  const { printed } = await shopCommand(testApp, ['orders', 'show', known.number ?? '']);
  expect(printed).toMatch(/\n {2}orders shipped, by the terminal \d{4}-\d\d-\d\dT/);
});
