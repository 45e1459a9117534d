/**
 * What a merchant asks of their agent, and what is then to be so. Each task is done by tools alone: its steps are calls, whose
 * arguments may come from the answers of earlier ones, as a model would take them. A change is tried, and made with its token.
 */

export type Values = Record<string, unknown>;

/** A part of an answer, by its dotted path: `products.0.id`. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, key) => (Object(part) as Record<string, unknown>)[key], value);
}

const listAt = (value: unknown, path: string): unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};
const each = (value: unknown, path: string, field: string): unknown[] =>
  listAt(value, path).map((entry) => at(entry, field));
/** The entry of a list whose field is as wanted. */
const find = (value: unknown, path: string, field: string, wanted: unknown): unknown =>
  listAt(value, path).find((entry) => at(entry, field) === wanted);

/** Numbers of orders that the shop has when the tasks begin. */
export interface Begun {
  /** Of yesterday, paid, to be shipped. */
  waiting: string;
  /** Of yesterday, shipped already. */
  shipped: string;
  /** Of today, to be picked up at Queen West in two days. */
  pickup: string;
}

export type Step =
  | [tool: string, given?: (answers: readonly unknown[], begun: Begun) => object]
  /** The shop does what it does in the background. */
  | 'wait';

export interface Task {
  wish: string;
  steps: readonly Step[];
  /** What is compared, of the answers of the steps. */
  outcome: (answers: readonly unknown[], begun: Begun) => unknown;
  expected: unknown;
}

const last = (answers: readonly unknown[]) => answers.at(-1);
const queen = 'toronto-queen-west';
const markham = 'markham-unionville';
const oolongs: Step = ['goods', () => ({ category: 'oolong-tea' })];
const prices = (answer: unknown) =>
  Object.fromEntries(
    listAt(answer, 'products').map((entry) => [
      at(entry, 'id'),
      [at(entry, 'lowestCents'), at(entry, 'highestCents')],
    ]),
  );
const oolongPrices = { 'da-hong-pao': [2800, 5200], tieguanyin: [1600, 6600] };
const edit = (answer: unknown, path: string[], to: unknown) => ({
  revision: at(answer, 'revision'),
  edits: [{ path, to }],
});
const firstEntry = (answer: unknown) => at(answer, 'entries.0.no');

export const officeTasks: readonly Task[] = [
  {
    wish: 'How much do our oolongs cost?',
    steps: [oolongs],
    outcome: ([goods]) => prices(goods),
    expected: oolongPrices,
  },
  {
    wish: 'Raise all oolongs by 5 % and round to .95.',
    steps: [
      ['goodsChanges'],
      [
        'changeGoods',
        ([changes]) => ({
          body: {
            filter: { category: 'oolong-tea' },
            ids: null,
            change: { percent: 500, round: 95 },
            latest: at(changes, 'changes.0.id') ?? null,
          },
        }),
      ],
      'wait',
      oolongs,
    ],
    outcome: (answers) => prices(last(answers)),
    expected: { 'da-hong-pao': [2895, 5495], tieguanyin: [1695, 6895] },
  },
  {
    wish: 'That was wrong: take the new prices back.',
    steps: [
      ['goodsChanges'],
      ['takeGoodsChangeBack', ([changes]) => ({ change: at(changes, 'changes.0.id') })],
      'wait',
      oolongs,
    ],
    outcome: (answers) => prices(last(answers)),
    expected: oolongPrices,
  },
  {
    wish: 'Which orders of yesterday are not shipped?',
    steps: [
      ['orders', () => ({ from: '2026-05-16', to: '2026-05-16', state: 'placed', method: 'shipping' })],
    ],
    outcome: ([orders], { waiting }) => each(orders, 'orders', 'number').map((number) => number === waiting),
    expected: [true],
  },
  {
    wish: 'Ship it with Canada Post, number 123456.',
    steps: [
      [
        'shipOrder',
        (_, { waiting }) => ({
          number: waiting,
          body: { carrier: 'canadaPost', tracking: '123456', seen: 0 },
        }),
      ],
      ['order', (_, { waiting }) => ({ number: waiting })],
    ],
    outcome: ([done, order]) => [at(done, 'done'), at(order, 'order.state')],
    expected: [true, 'shipped'],
  },
  {
    wish: 'Who is coming to Queen West, and when?',
    steps: [['deskOrders', () => ({ store: queen })]],
    outcome: ([desk], { pickup }) =>
      find(desk, 'orders', 'number', pickup) !== undefined &&
      typeof at(find(desk, 'orders', 'number', pickup), 'dueAt'),
    expected: 'number',
  },
  {
    wish: 'Their order is ready.',
    steps: [
      ['deskOrders', (_, { pickup }) => ({ numbers: pickup })],
      [
        'moveOrder',
        ([desk], { pickup }) => ({
          number: pickup,
          body: { to: 'ready', version: at(desk, 'orders.0.version') },
        }),
      ],
    ],
    outcome: (answers) => at(last(answers), 'answer.state'),
    expected: 'ready',
  },
  {
    wish: 'No, not yet: undo that.',
    steps: [
      ['journal', (_, { pickup }) => ({ kind: 'order', id: pickup })],
      ['undo', ([journal]) => ({ entry: at(journal, 'entries.0.no') })],
      ['deskOrders', (_, { pickup }) => ({ numbers: pickup })],
    ],
    outcome: (answers) => at(last(answers), 'orders.0.state'),
    expected: 'placed',
  },
  {
    wish: 'Close Queen West on the day of that pickup, and write to who is coming.',
    steps: [
      ['storeDays', () => ({ store: queen, date: '2026-05-19' })],
      ['closeDay', () => ({ store: queen, body: { date: '2026-05-19', closed: true } })],
      ['order', (_, { pickup }) => ({ number: pickup })],
    ],
    outcome: ([before, closed, order], { pickup }) => [
      JSON.stringify(at(before, 'waiting')).includes(pickup),
      JSON.stringify(at(closed, 'answer.waiting')).includes(pickup),
      JSON.stringify(order).includes('pickupClosed'),
    ],
    expected: [true, true, true],
  },
  {
    wish: 'Close Markham on 24 December.',
    steps: [
      ['closeDay', () => ({ store: markham, body: { date: '2026-12-24', closed: true } })],
      ['storeDays', () => ({ store: markham })],
    ],
    outcome: (answers) => each(last(answers), 'days', 'date'),
    expected: ['2026-12-24'],
  },
  {
    wish: 'Open it again on that day.',
    steps: [
      ['closeDay', () => ({ store: markham, body: { date: '2026-12-24', closed: false } })],
      ['storeDays', () => ({ store: markham })],
    ],
    outcome: (answers) => at(last(answers), 'days'),
    expected: [],
  },
  {
    wish: 'We are busy at Markham: promise a quarter of an hour more.',
    steps: [
      ['changePickup', () => ({ store: markham, body: { busyMinutes: 15 } })],
      ['storePickup', () => ({ store: markham })],
    ],
    outcome: (answers) => at(last(answers), 'busy.minutes'),
    expected: 15,
  },
  {
    wish: 'No egg tarts at Queen West for today.',
    steps: [
      ['goods', () => ({ text: 'egg tarts', category: 'sweets' })],
      [
        'markSoldOut',
        ([goods]) => ({
          store: queen,
          body: {
            item: `product:${at(find(goods, 'products', 'name.en', 'Egg Tarts, Two Pieces'), 'id')}`,
            soldOut: true,
          },
        }),
      ],
      ['soldOut', () => ({ store: queen })],
    ],
    outcome: (answers) => each(last(answers), 'items', 'item'),
    expected: ['product:egg-tart'],
  },
  {
    wish: 'What is low in the warehouse?',
    steps: [['lowStock'], ['stock', () => ({ place: 'warehouse', low: 'only' })]],
    outcome: ([places, stock]) =>
      listAt(stock, 'levels').length === at(find(places, 'places', 'place', 'warehouse'), 'skus'),
    expected: true,
  },
  {
    wish: 'Two ginger jars in the warehouse are broken.',
    steps: [
      ['stock', () => ({ place: 'warehouse', text: 'ginger jar' })],
      [
        'correctStock',
        ([stock]) => ({
          place: 'warehouse',
          sku: at(stock, 'levels.0.sku'),
          body: { key: 'broken-ginger-jars-1', units: -1, reason: 'damaged', note: '' },
        }),
      ],
      ['stock', () => ({ place: 'warehouse', text: 'ginger jar' })],
    ],
    outcome: ([before, , after]) =>
      Number(at(after, 'levels.0.units')) - Number(at(before, 'levels.0.units')),
    expected: -1,
  },
  {
    wish: 'Bring ten rice bowls in snow from the warehouse to Queen West.',
    steps: [
      [
        'transferStock',
        () => ({
          place: 'warehouse',
          sku: 'MC-BW-01-SNO',
          body: { key: 'snow-bowls-to-queen', to: queen, units: 10, note: '' },
        }),
      ],
      ['stock', () => ({ place: queen, text: 'MC-BW-01-SNO' })],
    ],
    outcome: (answers) => at(find(last(answers), 'levels', 'sku', 'MC-BW-01-SNO'), 'units'),
    expected: 14,
  },
  {
    wish: 'Tell me when there are twenty or fewer of them at Queen West.',
    steps: [
      ['setLowStock', () => ({ place: queen, sku: 'MC-BW-01-SNO', body: { units: 20 } })],
      ['stock', () => ({ place: queen, text: 'MC-BW-01-SNO' })],
    ],
    outcome: (answers) => {
      const level = find(last(answers), 'levels', 'sku', 'MC-BW-01-SNO');
      return [at(level, 'low'), at(level, 'ownLow')];
    },
    expected: [20, true],
  },
  {
    wish: 'Make a coupon TEA10: 10 % off tea until the end of June.',
    steps: [
      [
        'addCoupon',
        () => ({
          body: {
            code: 'TEA10',
            name: { en: '10% off tea', zh: '茶叶九折' },
            kind: 'percent',
            percent: 10_000,
            amount: 0,
            minSubtotal: 0,
            countries: [],
            products: [],
            categories: ['tea'],
            totalLimit: null,
            customerLimit: null,
            from: null,
            until: '2026-06-30',
          },
        }),
      ],
      ['coupons'],
    ],
    outcome: (answers) => {
      const coupon = find(last(answers), 'coupons', 'code', 'TEA10');
      return [at(coupon, 'state'), at(coupon, 'percent'), at(coupon, 'categories')];
    },
    expected: ['active', 10_000, ['tea']],
  },
  {
    wish: 'End the coupon KILN5.',
    steps: [['endCoupon', () => ({ id: 'KILN5' })], ['coupons']],
    outcome: (answers) => at(find(last(answers), 'coupons', 'code', 'KILN5'), 'state'),
    expected: 'ended',
  },
  {
    wish: 'What has Jordan Lin ordered?',
    steps: [
      ['customers', () => ({ text: 'Jordan' })],
      ['customer', ([customers]) => ({ id: at(customers, 'customers.0.id') })],
    ],
    outcome: ([customers]) => [at(customers, 'customers.0.lastName'), at(customers, 'customers.0.orders')],
    expected: ['Lin', 3],
  },
  {
    wish: 'Note that Jordan wants to be called, not mailed.',
    steps: [
      ['noteCustomer', () => ({ id: 'demo-customer', body: { text: 'Wants to be called.' } })],
      ['customer', () => ({ id: 'demo-customer' })],
    ],
    outcome: (answers) => each(last(answers), 'notes', 'text'),
    expected: ['Wants to be called.'],
  },
  {
    wish: 'Note on the order of yesterday that it was packed twice.',
    steps: [
      ['noteOrder', (_, { shipped }) => ({ number: shipped, body: { text: 'Packed twice.' } })],
      ['order', (_, { shipped }) => ({ number: shipped })],
    ],
    outcome: (answers) => each(last(answers), 'notes', 'text'),
    expected: ['Packed twice.'],
  },
  {
    wish: 'Add a draft of a lemon ginger tea, like the chamomile, for 15 dollars.',
    steps: [
      [
        'addProduct',
        () => ({
          body: { id: 'lemon-ginger', name: { en: 'Lemon Ginger', zh: '柠檬姜茶' }, like: 'chamomile' },
        }),
      ],
      ['product', () => ({ product: 'lemon-ginger' })],
      [
        'saveProduct',
        ([, product]) => ({ product: 'lemon-ginger', body: edit(product, ['priceCents'], 1500) }),
      ],
      ['product', () => ({ product: 'lemon-ginger' })],
    ],
    outcome: (answers) => [
      at(last(answers), 'content.status'),
      at(last(answers), 'content.priceCents'),
      at(last(answers), 'content.category'),
    ],
    expected: ['draft', 1500, 'herbal-tea'],
  },
  {
    wish: 'Call the egg tart “Hong Kong Egg Tart”, and then undo that.',
    steps: [
      ['product', () => ({ product: 'egg-tart' })],
      [
        'saveProduct',
        ([product]) => ({
          product: 'egg-tart',
          body: edit(product, ['name', 'en'], 'Hong Kong Egg Tart'),
        }),
      ],
      ['product', () => ({ product: 'egg-tart' })],
      ['undo', ([, saved]) => ({ entry: firstEntry(saved) })],
      ['product', () => ({ product: 'egg-tart' })],
    ],
    outcome: ([before, , renamed, , after]) => [
      at(renamed, 'content.name.en'),
      at(after, 'content.name.en') === at(before, 'content.name.en'),
    ],
    expected: ['Hong Kong Egg Tart', true],
  },
  {
    wish: 'Make a tag “Gifts”.',
    steps: [
      ['freeAddress', () => ({ kind: 'tag', name: 'Gifts' })],
      ['addTag', ([address]) => ({ body: { id: at(address, 'id'), name: { en: 'Gifts', zh: '礼品' } } })],
      ['tags'],
    ],
    outcome: (answers) => at(find(last(answers), 'taxons', 'id', 'gifts'), 'name.en'),
    expected: 'Gifts',
  },
  {
    wish: 'Remove it again, if no product has it.',
    steps: [
      ['tagUse', () => ({ id: 'gifts' })],
      ['removeTag', () => ({ id: 'gifts', body: { to: null, merge: false } })],
      ['tags'],
    ],
    outcome: (answers) => [at(answers[0], 'affected'), find(last(answers), 'taxons', 'id', 'gifts')],
    expected: [[], undefined],
  },
  {
    wish: 'Lead /sale to our teaware.',
    steps: [['addRedirect', () => ({ body: { from: '/sale', to: '/products/teaware' } })], ['redirects']],
    outcome: (answers) => [at(last(answers), 'redirects.0.id'), at(last(answers), 'redirects.0.to')],
    expected: ['/sale', '/products/teaware'],
  },
  {
    wish: 'Open Ottawa at nine on Mondays.',
    steps: [
      ['store', () => ({ id: 'ottawa-byward' })],
      [
        'saveStore',
        ([store]) => ({
          id: 'ottawa-byward',
          body: edit(store, ['openingHours', 'monday', 'open'], '09:00'),
        }),
      ],
      ['store', () => ({ id: 'ottawa-byward' })],
    ],
    outcome: (answers) => at(last(answers), 'content.openingHours.monday.open'),
    expected: '09:00',
  },
  {
    wish: 'People may return things for 60 days.',
    steps: [
      ['settings', () => ({ id: 'shop' })],
      ['saveSettings', ([settings]) => ({ id: 'shop', body: edit(settings, ['returnPolicy', 'days'], 60) })],
      ['settings', () => ({ id: 'shop' })],
    ],
    outcome: (answers) => at(last(answers), 'content.returnPolicy.days'),
    expected: 60,
  },
  {
    wish: 'Begin a page of frequent questions that nobody sees yet.',
    steps: [
      [
        'addPage',
        () => ({ body: { id: 'questions', title: { en: 'Questions', zh: '常见问题' }, beginning: 'faq' } }),
      ],
      ['pages'],
    ],
    outcome: (answers) => at(find(last(answers), 'pages', 'id', 'questions'), 'publication.state'),
    expected: 'draft',
  },
  {
    wish: 'How much did we sell yesterday?',
    steps: [['takings', () => ({ from: '2026-05-16', to: '2026-05-16' })]],
    outcome: ([takings]) => [at(takings, 'from'), listAt(takings, 'cells').length > 0],
    expected: ['2026-05-16', true],
  },
  {
    wish: 'What have you changed today?',
    steps: [['journal', () => ({ by: 'demo-mei' })]],
    outcome: ([journal]) =>
      listAt(journal, 'entries').filter((entry) => at(entry, 'key') !== null).length > 25,
    expected: true,
  },
  {
    wish: 'Give the money for the pickup back.',
    steps: [
      ['order', (_, { pickup }) => ({ number: pickup })],
      [
        'cancelOrderBack',
        ([order], { pickup }) => ({
          number: pickup,
          body: {
            reason: 'closed',
            note: '',
            restock: true,
            mail: true,
            version: at(order, 'version'),
            most: at(order, 'cancellable.most'),
            refund: at(order, 'cancellable.most'),
          },
        }),
      ],
    ],
    outcome: (answers) => last(answers),
    expected: { refused: 'Keys may refund at most $0.00 of an order. Somebody of the staff has to do this.' },
  },
  {
    wish: 'Invite Eve as a manager.',
    steps: [['inviteStaff', () => ({ body: { email: 'eve@shop.example', role: 'manager', stores: null } })]],
    outcome: (answers) => last(answers),
    expected: { refused: 'There is no such tool.' },
  },
];
