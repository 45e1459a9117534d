/**
 * Every command that changes something, typed again: at once because the connection broke off before it answered, in two terminals
 * at the same time, and an hour later. Books, stock, mails, tickets and journal are as after one. The table of cases has each command
 * that the program has.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hourMs } from '#server/platform/time-zone.ts';
import { register } from '#tests/accounts.ts';
import { agentProfile } from '#tests/agents.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sellProduct } from '#tests/products.ts';
import { keepPayout } from '#tests/settlements.ts';
import { setUnits, shopperWithCart, visit } from '#tests/shop-actions.ts';
import { shopCommand, shopCommands } from '#tests/shop-command.ts';
import { joinStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';
import { everyTable, type Tables, withoutFields } from '#tests/whole-database.ts';

const [mug, bowl] = ['MUG-AGAIN', 'BOWL-AGAIN'];
const store = 'toronto-queen-west';
/** Eleven in Toronto, today: an hour later is the same day there, so that what is sold out for the day still is. */
const morning = new Date().setUTCHours(15, 0, 0, 0);

/** Counts of tries, what caches are told, and the keys themselves. */
const besides = new Set([
  'settlement_readings',
  'rate_limits',
  'request_keys',
  'catalogue_changes',
  'catalogue_version',
]);
/** A message to a receiver, and reading what a provider has had since. */
const isAnew = new Set(['webhooks test', 'payouts read']);
const noted = ['journal', 'feed', 'counters'];
/** Reading a person's data is noted each time; a link to the office replaces the one before; a file is read and judged anew. */
const ofItsOwn: Readonly<Record<string, readonly string[]>> = {
  'customer export': noted,
  'staff invite': [...noted, 'staff', 'staff_invitations'],
  import: ['imports', 'bulk_changes', 'bulk_change_rows'],
};
/** `server/modules/media/media-store.test.ts` uploads twice to an object store. */
const elsewhere = ['media upload'];

/** They write files, another database, a message to a receiver, or only what is of its own; nothing is left open to reconcile. */
const changesNothing = new Set([
  'backup',
  'migrate',
  'move',
  'customer export',
  'staff invite',
  'webhooks test',
  'reconcile',
]);

type Case = () => Promise<readonly string[]> | readonly string[];

onOneEngine((engine) => {
  let testApp: TestApp;
  let stripe: StripeFake;
  let count = 0;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: morning, shouldAdvanceTime: true });
    stripe = await startStripeFake();
    testApp = await createTestApp({ engine, demo: true, now: morning, env: stripe.env });
    for (const sku of [mug, bowl]) {
      await sellProduct(testApp, sku);
      for (const place of ['warehouse', store]) await setUnits(testApp, sku, 2000, place);
      await testApp.services.stock.count([{ sku, place: 'warehouse', units: 2000 }]);
    }
  });
  afterAll(() => {
    vi.useRealTimers();
    return stripe.close();
  });

  const fresh = () => {
    count += 1;
    return `again-${count}`;
  };
  const file = (name: string, content: object | string) => {
    const path = join(testApp.dataDir, `${fresh()}-${name}`);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const shop = (words: readonly string[]) =>
    shopCommand(testApp, words, { ...stripe.env, PUBLIC_URL: 'https://shop.example' });

  async function paid(quantity = 2) {
    const session = await shopperWithCart(testApp, mug, quantity);
    const body = { confirmationToken: stripe.token(testCards.approve.method) };
    const { orderID } = await testApp.call('payByStripe', { session, body });
    const id = orderID ?? '';
    const { orderNumber } = await testApp.call('order', { session, params: { id } });
    const payment = await testApp.services.payments.attempts.succeededOf(id);
    return { id, number: orderNumber ?? '', intent: payment?.providerId ?? '' };
  }
  async function reserved(): Promise<string> {
    const session = testApp.shopper();
    await testApp.call('addToCart', { session, params: { itemName: mug }, body: { quantity: 2 } });
    await visit(testApp, session);
    const { orderID } = await testApp.call('reserve', { session });
    return (await testApp.call('order', { session, params: { id: orderID ?? '' } })).orderNumber ?? '';
  }
  const hear = (text: string) => {
    const { headers, body } = stripe.webhooks.lastAbout(text);
    return testApp.services.payments.webhook('Stripe', { headers, body: Buffer.from(body) });
  };
  async function refusedRefund(): Promise<string> {
    const { number, intent } = await paid();
    const { refund } = await testApp.services.orderRefunds.refund(number, { amount: 500, reason: 'chipped' });
    const given = stripe.account.refunds.find(({ payment_intent }) => payment_intent === intent);
    if (given) stripe.account.endRefund(given, 'failed');
    await hear('"type":"refund.failed"');
    return refund.id;
  }
  async function disputed() {
    const { number, intent } = await paid();
    const { id } = stripe.account.dispute(intent);
    await hear(id);
    return number;
  }
  const coupon = async () => {
    const code = fresh().toUpperCase();
    await shop(['coupon', 'add', code, '--percent', '5']);
    return code;
  };
  const tag = async () => {
    const id = fresh();
    await testApp.services.editor.upsertTags([{ id, name: { en: 'Tag' }, description: { en: '' } }]);
    return id;
  };
  const endpoint = async (event: 'order.placed' | 'stock.low' = 'stock.low') =>
    (await testApp.services.webhooks.add(`https://${fresh()}.example/`, [event])).id;
  async function delivery(): Promise<string> {
    const endpointId = await endpoint('order.placed');
    await paid();
    const [found] = await testApp.services.webhooks.deliveries({ endpointId, state: undefined, most: 1 });
    const id = found?.id ?? '';
    await testApp.db.transaction((trx) =>
      trx.updateTable('deliveries').set({ state: 'failed', attempts: 9 }).where('id', '=', id).execute(),
    );
    return id;
  }
  const agent = async () => {
    const profile = `https://${fresh()}.example/`;
    await shop(['agents', 'approve', profile, file('profile.json', agentProfile())]);
    return (await testApp.container.agentsDesk.list()).find((each) => each.profile === profile)?.id ?? '';
  };
  const customer = async () => (await register(testApp)).email;
  const person = async () => {
    const email = `${fresh()}@again.example`;
    await joinStaff(testApp, email, 'manager');
    return email;
  };
  const sheet = () => file('goods.csv', `Handle,Title,Variant Price\n${fresh()},Jar,12.00\n`);
  async function imported(): Promise<string> {
    const { printed } = await shop(['import', sheet(), '--apply']);
    return /import-undo (\S+)$/m.exec(printed)?.[1] ?? '';
  }
  const shipped = async () => {
    const { number } = await paid();
    await shop(['orders', 'shipped', number]);
    return number;
  };

  const openDay = async () => {
    const day = (await testApp.container.periods.all()).next?.from ?? '';
    return `${day}..${day}`;
  };

  const cases: Readonly<Record<string, Case>> = {
    backup: () => ['backup', join(testApp.dataDir, `${fresh()}.db`)],
    migrate: () => ['migrate'],
    move: () => ['move', join(testApp.dataDir, fresh())],
    'orders ready': async () => ['orders', 'ready', await reserved()],
    'orders shipped': async () => ['orders', 'shipped', (await paid()).number, '--line', `${mug}=1`],
    'orders collected': async () => ['orders', 'collected', await reserved(), '--cash'],
    'orders paid': async () => ['orders', 'paid', await reserved(), '1.00', '--cash'],
    'orders change': async () => ['orders', 'change', (await paid()).number, '--add', bowl],
    'orders take-back': async () => ['orders', 'take-back', await shipped(), '--reason', 'wrong label'],
    'orders cancel': async () => ['orders', 'cancel', (await paid()).number, '--refund', '1.00'],
    'orders restock': async () => {
      const { number, intent } = await paid();
      await hear(stripe.account.refund(intent, 500, {}).id);
      return ['orders', 'restock', number];
    },
    'orders accept-dispute': async () => ['orders', 'accept-dispute', await disputed()],
    'orders revoke-links': async () => {
      const { id, number } = await paid();
      await testApp.container.orderLinks.ensureReading(id, fresh());
      return ['orders', 'revoke-links', number];
    },
    refund: async () => ['refund', (await paid()).number, '--amount', '1.00'],
    'refunds retry': async () => ['refunds', 'retry', await refusedRefund()],
    'refunds settle': async () => ['refunds', 'settle', await refusedRefund()],
    reconcile: () => ['reconcile'],
    'payouts read': () => ['payouts', 'read'],
    'payouts ask': async () => {
      const { intent } = await paid();
      stripe.account.refund(intent, 300, {});
      await shop(['payouts', 'read']);
      const { printed } = await shop(['payouts', 'unmatched']);
      return ['payouts', 'ask', /unknownRefund:\S+/.exec(printed)?.[0] ?? ''];
    },
    'payouts accept': () => [
      'payouts',
      'accept',
      `noOrder:Stripe:${fresh()}`,
      '--note',
      'Of the market stall',
    ],
    'payouts link': async () => {
      const [payout, line] = [fresh(), fresh()];
      await keepPayout(testApp, payout, line);
      return ['payouts', 'link', 'Stripe', payout, line];
    },
    'payouts bank': () => [
      'payouts',
      'bank',
      file('bank.csv', `Date,Description,Amount\n2026-05-17,STRIPE ${fresh()},12.00\n`),
    ],
    'books close': async () => ['books', 'close', await openDay()],
    'books reopen': async () => {
      await shop(['books', 'close', await openDay()]);
      return ['books', 'reopen', '--why', fresh()];
    },
    'books hand-over': () => {
      count += 1;
      const day = new Date(Date.UTC(2020, 0, 1 + count)).toISOString().slice(0, 10);
      return ['books', 'hand-over', 'sage', join(testApp.dataDir, fresh()), '--from', day, '--to', day];
    },
    'customer export': async () => ['customer', 'export', await customer()],
    'customer delete': async () => ['customer', 'delete', await customer()],
    'customer sign-out': async () => ['customer', 'sign-out', await customer()],
    'customer block': async () => ['customer', 'block', await customer()],
    'customer unblock': async () => {
      const email = await customer();
      await shop(['customer', 'block', email]);
      return ['customer', 'unblock', email];
    },
    'staff invite': () => ['staff', 'invite', `${fresh()}@again.example`],
    'staff keys add': async () => [
      'staff',
      'keys',
      'add',
      fresh(),
      '--for',
      await person(),
      '--may',
      'orders.read',
    ],
    'staff keys end': async () => {
      const printed = await shop([
        'staff',
        'keys',
        'add',
        fresh(),
        '--for',
        await person(),
        '--may',
        'orders.read',
      ]);
      expect(printed.code).toBe(0);
      const [key] = await testApp.db.read
        .selectFrom('staff_keys')
        .select('id')
        .orderBy('created_at', 'desc')
        .limit(1)
        .execute();
      return ['staff', 'keys', 'end', key?.id ?? ''];
    },
    'staff block': async () => ['staff', 'block', await person()],
    'staff unblock': async () => {
      const email = await person();
      await shop(['staff', 'block', email]);
      return ['staff', 'unblock', email];
    },
    'coupon add': () => ['coupon', 'add', fresh().toUpperCase(), '--percent', '5'],
    'coupon change': async () => ['coupon', 'change', await coupon(), '--percent', '7'],
    'coupon end': async () => ['coupon', 'end', await coupon()],
    'settings set': () => {
      count += 1;
      return ['settings', 'set', 'reservationHours', String(20 + (count % 40))];
    },
    fill: () => [
      'fill',
      file('shop.json', {
        tags: [{ id: fresh(), name: { en: 'Walked', zh: '走过' } }],
        stock: { [bowl]: { warehouse: count } },
      }),
    ],
    blog: () => {
      const options = { enableUserLike: true, enableGuestLike: true, categories: [], tags: [] };
      return [
        'blog',
        file('posts.json', {
          blog: { id: fresh(), name: { en: 'Walk' }, description: { en: '' }, ...options },
        }),
      ];
    },
    import: () => ['import', sheet(), '--apply'],
    'import-undo': async () => ['import-undo', await imported()],
    remove: async () => ['remove', 'tag', await tag(), '--yes'],
    'sold-out': async () => {
      const sku = fresh().toUpperCase();
      await sellProduct(testApp, sku);
      return ['sold-out', sku, '--store', store];
    },
    pickup: () => {
      count += 1;
      return ['pickup', store, '--busy', String(5 + (count % 100))];
    },
    'stock count': () => {
      count += 1;
      return ['stock', 'count', mug, 'warehouse', '--units', String(1000 + count)];
    },
    'stock transfer': () => {
      count += 1;
      return ['stock', 'transfer', mug, 'warehouse', store, '--units', String(count)];
    },
    'stock correct': () => {
      count += 1;
      return ['stock', 'correct', mug, 'warehouse', '--take', String(count), '--reason', 'damaged'];
    },
    'table-cards': () => ['table-cards', store, 'tea', join(testApp.dataDir, `${fresh()}.html`), '--renew'],
    'webhooks add': () => ['webhooks', 'add', `https://${fresh()}.example/`, '--events', 'all'],
    'webhooks remove': async () => ['webhooks', 'remove', await endpoint()],
    'webhooks pause': async () => ['webhooks', 'pause', await endpoint()],
    'webhooks resume': async () => {
      const id = await endpoint();
      await shop(['webhooks', 'pause', id]);
      return ['webhooks', 'resume', id];
    },
    'webhooks test': async () => ['webhooks', 'test', await endpoint()],
    'webhooks rotate': async () => ['webhooks', 'rotate', await endpoint()],
    'webhooks resend': async () => ['webhooks', 'resend', await delivery()],
    'agents approve': () => [
      'agents',
      'approve',
      `https://${fresh()}.example/`,
      file('profile.json', agentProfile()),
    ],
    'agents block': async () => ['agents', 'block', await agent()],
    'agents allow': async () => {
      const id = await agent();
      await shop(['agents', 'block', id]);
      return ['agents', 'allow', id];
    },
    'agents rotate-keys': () => ['agents', 'rotate-keys'],
  };

  async function books(name: string): Promise<Tables> {
    const all = [...(await everyTable(testApp))].filter(
      ([table]) => !besides.has(table) && !ofItsOwn[name]?.includes(table),
    );
    // When a row was last written, and how often, says nothing; what the provider calls a refund is learnt when it is asked.
    return withoutFields(all, /"(?:updated_at|last_seen_at|version|provider_refund_id)":(?:\d+|null|"\w+")/g);
  }
  /** The rows that are new or other than before. */
  const changedIn = (before: Tables, after: Tables) =>
    [...after].flatMap(([table, rows]) => {
      if (rows === before.get(table)) return [];
      const known = new Set(before.get(table));
      return rows.filter((row) => !known.has(row)).map((row) => `${table} ${row}`);
    });
  const grown = (before: Tables, after: Tables) =>
    new Map([...after].map(([table, rows]) => [table, rows.length - (before.get(table)?.length ?? 0)]));

  it('each command that changes something has a case', () => {
    const changing = [...shopCommands()].flatMap(([words, repeat]) => (repeat === null ? [] : [words]));
    expect([...Object.keys(cases), ...elsewhere].sort()).toEqual(changing.sort());
  });

  describe('typed again', () => {
    const kept: { name: string; words: readonly string[] }[] = [];

    it.each(Object.keys(cases))(
      '%s is done once when it is typed again, and once when it is typed in two terminals at once',
      async (name) => {
        const words = (await cases[name]?.()) ?? [];
        const before = await books(name);
        const first = await shop(words);
        if (name !== 'webhooks test') expect([first.code, first.printed]).toEqual([0, first.printed]);
        const after = await books(name);
        if (!changesNothing.has(name)) expect([name, changedIn(before, after)]).not.toEqual([name, []]);
        const taken = stripe.account.refunds.length;
        const again = await shop(words);
        expect(changedIn(after, await books(name)), again.printed).toEqual([]);
        expect(stripe.account.refunds.length).toBe(taken);
        const shared = (await cases[name]?.()) ?? [];
        kept.push({ name, words: shared });
        // What needs no words is the same in every terminal.
        if (shared.join() === words.join()) return;
        const between = await books(name);
        const both = await Promise.all([shop(shared), shop(shared)]);
        const one = grown(before, after);
        const two = grown(between, await books(name));
        const more = [...two].filter(([table, rows]) => rows > (one.get(table) ?? 0)).map(([table]) => table);
        expect(more, both.map(({ printed }) => printed).join('\n')).toEqual([]);
        expect(both.some(({ code }) => code === first.code)).toBe(true);
      },
    );

    it('an hour later what was typed before is done no second time', async () => {
      vi.setSystemTime(morning + hourMs);
      for (const { name, words } of kept.filter((each) => !isAnew.has(each.name))) {
        const before = await books(name);
        await shop(words);
        expect([name, changedIn(before, await books(name))]).toEqual([name, []]);
      }
    });
  });

  it.each(Object.keys(cases))(
    '%s with any of its words left empty is refused and changes nothing',
    async (name) => {
      const words = (await cases[name]?.()) ?? [];
      for (const [index, word] of words.entries()) {
        if (index < name.split(' ').length || word.startsWith('--')) continue;
        const before = await books(name);
        const { code, printed } = await shop(words.with(index, ''));
        expect([word, code === 0, changedIn(before, await books(name))], printed).toEqual([word, false, []]);
      }
    },
  );

  it('a command that is meant once more is done with --again, and on another day without it', async () => {
    const words = ['stock', 'correct', bowl, store, '--add', '3', '--reason', 'received'];
    const units = async () =>
      (await shop(['stock', 'show', bowl])).printed.match(new RegExp(`${store} +(\\d+)`))?.[1];
    const had = Number(await units());
    await shop(words);
    const refused = await shop(['stock', 'correct', bowl, store, '--reason=received', '--add=3']);
    expect([refused.code, refused.printed]).toEqual([
      1,
      expect.stringMatching(/^The same was done at 2\d{3}-\S+\. .* add --again\.$/),
    ]);
    expect(Number(await units())).toBe(had + 3);
    expect((await shop([...words, '--again'])).code).toBe(0);
    expect(Number(await units())).toBe(had + 6);
    vi.setSystemTime(Date.now() + 13 * hourMs);
    expect((await shop(words)).code).toBe(0);
    expect(Number(await units())).toBe(had + 9);
  });

  it('another amount is another command', async () => {
    const { number } = await paid();
    for (const amount of ['1.00', '2.00'])
      expect((await shop(['refund', number, '--amount', amount])).code).toBe(0);
    expect((await shop(['refund', number, '--amount', '2.00'])).code).toBe(1);
  });

  it('a command that was refused is done when it is typed again', async () => {
    const words = ['stock', 'transfer', bowl, store, 'warehouse', '--units', '9000'];
    expect((await shop(words)).code).toBe(1);
    await setUnits(testApp, bowl, 9500, store);
    expect((await shop(words)).code).toBe(0);
  });
});
