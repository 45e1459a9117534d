import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { blockTypes } from '#contract/schemas/blocks.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { writeSetting } from '#server/modules/settings/settings.repository.ts';
import { contactForm, videoBlock } from '#tests/blocks.ts';
import { issueCoupon } from '#tests/coupons.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, onOneEngine, type TestApp } from '#tests/test-app.ts';
import { run } from './run.ts';

const doctor = (testApp: TestApp) => shopCommand(testApp, ['doctor']);

test('doctor names test keys in a shop that is open to the public', async () => {
  const lines: string[] = [];
  const keys = {
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  const folder = { DATA_DIR: '/dev/null/nothing' };
  expect(
    await run(['doctor'], { ...keys, ...folder, PUBLIC_URL: 'https://shop.example' }, (line) =>
      lines.push(line),
    ),
  ).toBe(1);
  expect(lines.join('\n')).toContain('Payment keys: Stripe has test keys');
});

test('doctor names the host of PostgreSQL that it is connected to, without user or password', async () => {
  const testApp = await createTestApp({ engine: 'postgres' });
  const { host } = new URL(testApp.env.databaseUrl ?? '');
  const several = {
    ...testApp.env,
    databaseUrl: testApp.env.databaseUrl?.replace(host, `127.0.0.1:1,${host}`) ?? '',
  };
  expect((await doctor({ ...testApp, env: several })).printed).toContain(
    `OK    Database: connected to ${host}\n`,
  );
});

test('doctor names the main store, and says when no store is marked as such', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { stores } = testApp.services;
  const zone = 'time zone America/Toronto';
  expect((await doctor(testApp)).printed).toContain(`OK    Main store: toronto-queen-west; ${zone}`);
  await stores.upsert((await stores.all()).map((store) => ({ ...store, mainStore: false })));
  expect((await doctor(testApp)).printed).toContain(
    `WARN  Main store: no store has mainStore set, so the shop uses the first one, toronto-queen-west; ${zone}`,
  );
});

test('doctor names the recipients of new orders, and the orders that nobody would be told of', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { stores, settings } = testApp.services;
  const lines = async () =>
    (await doctor(testApp)).printed.split('\n').filter((line) => line.includes('New order emails: '));
  expect(await lines()).toEqual([
    expect.stringMatching(
      /^OK {4}New order emails: orders at toronto-queen-west: toronto@maple-and-clay\.example; /,
    ),
  ]);

  await settings.update({
    contactEmail: '',
    newOrderEmails: { enabled: true, addresses: { 'ottawa-byward': [], 'pop-up': ['pop-up@shop.example'] } },
  });
  await stores.upsert(
    (await stores.all()).map((store) => (store.mainStore ? { ...store, email: '' } : store)),
  );
  const fix = "Set newOrderEmails.addresses, the store's email or contactEmail";
  expect(await lines()).toEqual([
    `FAIL  New order emails: nobody is told of orders at toronto-queen-west. ${fix}`,
    `FAIL  New order emails: nobody is told of orders to ship. ${fix}`,
    'FAIL  New order emails: newOrderEmails.addresses names pop-up, which is not a store',
    'WARN  New order emails: nobody is told of orders at ottawa-byward, because newOrderEmails.addresses has an empty list for ottawa-byward',
  ]);

  await settings.update({ newOrderEmails: { enabled: false, addresses: {} } });
  expect(await lines()).toEqual([
    'WARN  New order emails: nobody is told of new orders, because the setting newOrderEmails.enabled is off',
  ]);
});

const [name, ...fields] = contactForm.fields;

/** Removes what the checks require. The assertions that follow name each problem. */
async function leaveOut(testApp: TestApp): Promise<void> {
  const { services, db } = testApp;
  const { footer, taxRates } = await services.settings.all();
  const [store] = await services.stores.all();
  if (!store) throw new Error('The demo shop has changed');
  await services.settings.update({
    taxRates: taxRates.filter(({ provinceCode }) => provinceCode !== store.address.provinceCode),
  });
  await services.settings.update({
    footer: { ...footer, links: [{ label: { en: 'Care' }, link: '/care-guide' }] },
  });
  await services.stores.upsert([
    { ...store, id: 'pop-up', name: { en: 'Pop-up' }, image: 'gone.jpg', mainStore: false },
  ]);
  await issueCoupon(testApp, { code: 'SPRING', name: { en: 'Spring' } });
  const blocks = [
    {
      ...contactForm,
      fields: [{ ...name, nameContent: { en: 'Your name' } }, ...fields],
      submitLabel: { en: 'Send', zh: ' ' },
    },
    {
      ...videoBlock('file', 'gone.mp4'),
      captions: [{ language: 'en', label: 'English', src: 'gone.en.vtt' }],
    },
  ];
  await services.content.upsertPages([
    { name: 'lacking', title: { en: 'Lacking', zh: '缺' }, metaDescription: { en: '' }, blocks },
  ]);
  const [blog] = await services.blog.blogs('en');
  await services.blog.editor.upsertPosts([
    {
      blogId: blog?.id ?? '',
      link: 'lacking',
      title: { en: 'Lacking' },
      excerpt: { en: '' },
      author: null,
      image: null,
      category: null,
      tags: [],
      publishedAt: 0,
      parts: [{ type: 'html', html: { en: '<p>See <a href="/contact">us</a>.</p>' } }],
    },
  ]);
  // Data that another version of the program, or a manual change, may have left.
  const posts = await db.read
    .selectFrom('blog_posts')
    .select('parts')
    .where('link', '=', 'lacking')
    .execute();
  const pages = await db.read.selectFrom('pages').select('blocks').where('name', '=', 'lacking').execute();
  const and = (json: string | undefined, more: object) => JSON.stringify([...JSON.parse(json ?? '[]'), more]);
  await db.transaction(async (trx) => {
    await trx
      .updateTable('blog_posts')
      .set({ parts: and(posts[0]?.parts, { type: 'song' }) })
      .where('link', '=', 'lacking')
      .execute();
    await trx
      .updateTable('pages')
      .set({ blocks: and(pages[0]?.blocks, { id: 'old', type: 'marquee' }) })
      .where('name', '=', 'lacking')
      .execute();
    await trx
      .insertInto('gallery_photos')
      .values({
        id: 'shelf',
        caption: JSON.stringify({ en: 'A shelf' }),
        image: 'lost.jpg',
        link: '',
        taken_at: 0,
      })
      .execute();
  });
}

test('doctor warns of an office on the address on which scripts of payment providers run', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const office = async (variables: Record<string, string>) =>
    (await shopCommand(testApp, ['doctor'], variables)).printed
      .split('\n')
      .find((line) => line.includes('Office:'));
  expect(await office({ ...shopEnv, ...stripe })).toMatch(/^WARN {2}Office: scripts of payment providers/);
  expect(await office({ ...shopEnv, ...stripe, OFFICE_URL: 'https://office.shop.example' })).toMatch(/^OK/);
  expect(await office(shopEnv)).toMatch(/^OK/);
});

forEachEngine((engine) => {
  test('doctor finds the demo shop in order and names whatever is missing from the merchant’s data', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const { code, printed } = await doctor(testApp);
    expect(printed).not.toContain('FAIL');
    expect(code).toBe(0);

    await leaveOut(testApp);
    const lacking = await doctor(testApp);
    expect(lacking.code).toBe(1);
    const found = lacking.printed.split('\n').filter((line) => line.startsWith('FAIL'));
    expect(found.map((line) => line.replace('FAIL  ', '')).sort()).toEqual(
      [
        'Images and videos: 2 images have not been imported:',
        'Images and videos: 2 videos or subtitles are not in media/films:',
        'Taxes: Ontario: nothing can be ordered at 4 stores:',
        'Taxes: Ontario: nothing can be shipped there',
        'Translations: 9 texts have no zh:',
        `Pages and posts: page lacking: /blocks/old cannot be shown: it is of an unknown type, found "marquee", allowed: ${blockTypes.join(', ')}`,
        'Pages and posts: post lacking: /parts/1 cannot be shown',
      ].sort(),
    );
    expect(lacking.printed.split('\n').filter((line) => line.startsWith('        '))).toEqual(
      [
        'store pop-up: gone.jpg',
        'gallery photo shelf: lost.jpg',
        'page lacking: gone.mp4',
        'page lacking: gone.en.vtt',
        'store pop-up: name',
        'page lacking: blocks.contact-form.fields.name.nameContent',
        'page lacking: blocks.contact-form.submitLabel',
        'page lacking: blocks.film-gone.mp4.captions',
        'post lacking: title',
        'post lacking: parts.0.html',
        'gallery photo shelf: caption',
        'coupon SPRING: name',
        'settings: footer.links.0.label',
        'toronto-queen-west',
        'markham-unionville',
        'ottawa-byward',
        'pop-up',
      ].map((place) => `        ${place}`),
    );
  });
});

const shopEnv = { DEMO: '0', PUBLIC_URL: 'https://shop.example', SMTP_URL: 'smtp://mail.example' };
const stripe = {
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

test('doctor fails for a public shop that nobody can pay or that cannot send emails', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const failures = async (variables: Record<string, string>) =>
    (await shopCommand(testApp, ['doctor'], variables)).printed
      .split('\n')
      .filter((line) => /^FAIL {2}(?:Payment|Email):/.test(line));
  expect(await failures({ ...shopEnv, ...stripe })).toEqual([]);
  expect(await failures({ ...shopEnv, DEMO: '1', SMTP_URL: '' })).toEqual([]);
  expect(await failures({})).toEqual([]);
  expect(await failures({ ...shopEnv, SMTP_URL: '' })).toEqual([
    expect.stringContaining('nobody can pay for orders to ship'),
    expect.stringContaining('or set SMTP_URL'),
  ]);
  const { settings } = testApp.services;
  const { paymentConfig } = await settings.all();
  await settings.update({ contactEmail: '', paymentConfig: { ...paymentConfig, payAtStoreEnabled: false } });
  expect(await failures(shopEnv)).toEqual([
    expect.stringContaining('nobody can pay. Set the keys of a provider'),
    expect.stringContaining('contactEmail is empty'),
  ]);
  await settings.update({
    paymentConfig: { ...paymentConfig, payAtStoreEnabled: false, paymentOnline: false },
  });
  expect((await failures({ ...shopEnv, ...stripe }))[0]).toContain('nobody can pay');
});

onOneEngine((engine) => {
  test('doctor warns of values that are valid but probably mistakes, and says how to correct them', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const said = async () =>
      (await doctor(testApp)).printed.split('\n').filter((line) => !/^(?:OK|FAIL)/.test(line));
    const ofDemo = /only written to files|payments are simulated/;
    const warnings = async () => (await said()).filter((line) => !ofDemo.test(line));
    expect((await said()).filter((line) => ofDemo.test(line))).toHaveLength(2);
    expect((await warnings()).filter((line) => !line.includes('chmod 700'))).toEqual([]);
    const { settings, stores, content } = testApp.services;
    const { taxRates, shippingMethods, footer } = await settings.all();
    // From before they were refused.
    const wrong: Readonly<Record<string, object>> = { ON: { hstPercent: 0.13 }, NS: { gstPercent: 5 } };
    const stored = taxRates.map((rate) => ({ ...rate, ...wrong[rate.provinceCode] }));
    await testApp.db.transaction((trx) => writeSetting(trx, 'taxRates', stored));
    await settings.update({
      shippingMethods: shippingMethods.map((method, index) =>
        index === 0 ? { ...method, priceCents: 12 } : method,
      ),
      footer: { ...footer, links: [{ label: { en: 'Care', zh: '养护' }, link: '/carre' }] },
    });
    const [first, second, ...others] = await stores.all();
    if (!first || !second) throw new Error('The demo shop has changed');
    await stores.upsert([
      { ...first, timeZone: 'EST' },
      { ...second, address: { ...second.address, postCode: 'V6B 1A1' } },
      ...others.map((store) => ({ ...store, address: { ...store.address, postCode: '12345' } })),
    ]);
    const links = [
      '/blog/three-oolongs',
      '/product/gone?x=1',
      '/zh/contact',
      '/account/orders',
      '/',
      '/product/',
      '/clearance#top',
    ];
    await content.upsertPages([
      {
        name: 'links',
        title: { en: 'Links', zh: '链接' },
        metaDescription: { en: '' },
        blocks: [
          {
            id: 'text',
            type: 'text',
            title: null,
            paragraphs: [],
            items: [],
            html: {
              en: links.map((link) => `<a href="${link}">x</a>`).join(''),
              zh: '<a href="/carre">x</a>',
            },
          },
        ],
      },
    ]);
    await testApp.db.transaction(async (trx) => {
      const skus = await trx
        .selectFrom('skus')
        .select('id')
        .where('product_id', 'in', ['keemun', 'lapsang'])
        .orderBy('id')
        .limit(3)
        .execute();
      const [low, compared, gone] = skus.map(({ id }) => id);
      await trx
        .updateTable('skus')
        .set({ price_cents: 18, compare_at_cents: null })
        .where('id', '=', low ?? '')
        .execute();
      await trx
        .updateTable('skus')
        .set({ price_cents: 1800, compare_at_cents: 1800 })
        .where('id', '=', compared ?? '')
        .execute();
      await trx
        .deleteFrom('stock')
        .where('sku', '=', gone ?? '')
        .execute();
    });
    const found = (await warnings()).filter((line) => !line.includes('chmod 700'));
    const about = 'WARN  Settings, stores and products: ';
    expect((await doctor(testApp)).printed).toContain(
      'FAIL  Taxes: NS: HST is charged beside GST or PST, together 19%',
    );
    expect(found).toEqual([
      'WARN  Taxes: ON: hstPercent is 0.13, which is 0.13%. Rates are in percent: if 13% is meant, set it to 13 (setting taxRates)',
      expect.stringContaining(
        'Taxes: NS: the shop charges GST 5% + HST 14%, by law it is HST 14% since 2025-04-01',
      ),
      expect.stringContaining('Taxes: ON: the shop charges HST 0.13%, by law it is HST 13% since 2010-07-01'),
      `${about}shipping method ${shippingMethods[0]?.id}: priceCents is $0.12. If $12.00 is meant, set it to 1200 (setting shippingMethods)`,
      expect.stringContaining(`store ${first.id}: the time zone EST has no daylight saving time`),
      expect.stringContaining(`store ${second.id}: "V6B 1A1" is not a postal code of ON`),
      ...others.map(({ id }) => expect.stringContaining(`store ${id}: "12345" is not a postal code of CA`)),
      `${about}product keemun: MC-BT-01-100 costs $0.18. Prices are in cents: if $18.00 is meant, set it to 1800`,
      `${about}product keemun: compareAtCents, $18.00, is not above the price of $18.00, so no saving is shown. Raise it, or set it to null`,
      `${about}product lapsang: MC-BT-02-100 has no stock at any location, so it is sold out. Import its stock, 0 if there is none`,
      expect.stringContaining(
        'page links: blocks.text.html.en leads to /blog/three-oolongs, which does not exist',
      ),
      expect.stringContaining(
        'page links: blocks.text.html.en leads to /product/gone?x=1, which does not exist',
      ),
      'WARN  Pages and posts: 2 links lead to /carre, which does not exist. Correct them, or create the page:',
      '        page links: blocks.text.html.zh',
      '        settings: footer.links.0.link',
    ]);
  });
});

test('doctor warns of food in a country without rules for it, and of eating establishments that are no stores', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { settings, stores } = testApp.services;
  const taxes = async () =>
    (await doctor(testApp)).printed.split('\n').filter((line) => line.startsWith('WARN  Taxes'));
  await settings.update({ eatingEstablishments: ['warehouse', 'toronto-queen-west'] });
  expect(await taxes()).toEqual([]);
  const [store] = await stores.all();
  if (!store) throw new Error('The demo shop has changed');
  const inNewYork = { countryISOCode: 'US', provinceCode: 'NY', province: 'New York', postCode: '10001' };
  await stores.upsert([{ ...store, address: { ...store.address, ...inNewYork } }]);
  await settings.update({ eatingEstablishments: ['queens-west'] });
  const found = await taxes();
  expect(found).toContainEqual(
    'WARN  Taxes: eatingEstablishments names queens-west, which is no store. Name stores by their ids, or remove it (setting eatingEstablishments)',
  );
  expect(found).toContainEqual(
    'WARN  Taxes: 3 products: there are no rules for tax on food (heated-food) in US. Set their taxClass to "standard" or "zero-rated-grocery", or add the rules of the country (docs/how-to/tax-on-food.md):',
  );
});

test('doctor names tables that were not asked about, those in Quebec without certified bills, and rates that are not the law’s', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { settings, stores } = testApp.services;
  const taxes = async () =>
    (await doctor(testApp)).printed.split('\n').filter((line) => line.startsWith('WARN  Taxes'));
  expect(await taxes()).toEqual([]);
  const [store] = await stores.all();
  if (!store) throw new Error('The demo shop has changed');
  const { taxRates, tableFood } = await settings.all();
  const { [store.id]: _, ...others } = tableFood;
  await settings.update({
    tableFood: others,
    taxRates: taxRates.map((rate) => (rate.provinceCode === 'NS' ? { ...rate, hstPercent: 15 } : rate)),
    taxRegistrations: [{ tax: 'QST', registered: true, number: '', from: null, until: null }],
  });
  await stores.upsert([
    { ...store, address: { ...store.address, provinceCode: 'QC', province: 'Quebec', postCode: 'H2X 1Y4' } },
  ]);
  const found = await taxes();
  expect(found).toHaveLength(4);
  for (const words of [
    `store ${store.id} has tables, and nobody has said how food at them is taxed`,
    `store ${store.id}: tables in Quebec need bills from a certified sales recording system`,
    'NS: the shop charges HST 15%, by law it is HST 14% since 2025-04-01',
    'QST: the shop is registered, and the number is missing',
  ])
    expect(found.some((line) => line.includes(words))).toBe(true);
  await settings.update({ tableFood, taxRates, taxRegistrations: [], salesRecording: [store.id] });
  expect(await taxes()).toEqual([]);
});

test('doctor warns of what menus name and the shop does not have', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const menus = async () =>
    (await doctor(testApp)).printed.split('\n').filter((line) => line.includes('setting menus'));
  expect(await menus()).toEqual([]);
  const [menu] = (await testApp.services.settings.all()).menus;
  if (!menu) throw new Error('The demo shop has changed');
  const unknown = {
    stores: ['no-store'],
    categories: ['no-category'],
    products: ['no-product'],
    modifierGroups: ['milk', 'no-group'],
  };
  await testApp.services.settings.update({ menus: [{ ...menu, ...unknown }] });
  const found = (await menus()).join('\n');
  for (const id of ['no-store', 'no-category', 'no-product', 'no-group'])
    expect(found).toContain(`names ${id}, which is no`);
  expect(found).not.toContain('names milk');
});

test('doctor finds damaged pages of the database', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const file = join(testApp.dataDir, sqliteFileName);
  const copy = join(testApp.dataDir, 'copy');
  await mkdir(copy);
  await testApp.db.transaction((trx) =>
    sql`insert into counters (name, value) values ('more', 1)`.execute(trx),
  );
  new DatabaseSync(file).exec(`vacuum into '${join(copy, sqliteFileName)}'`);
  const sound: string[] = [];
  await run(['doctor'], { DATA_DIR: copy }, (line) => sound.push(line));
  expect(sound.join('\n')).toContain('OK    Integrity: ');

  const bytes = await readFile(join(copy, sqliteFileName));
  const page = bytes.readUInt16BE(16);
  const from = page * Math.floor((bytes.length / page) * 0.7);
  bytes.fill(0xa5, from, from + 20 * page);
  await writeFile(join(copy, sqliteFileName), bytes);
  const lines: string[] = [];
  expect(await run(['doctor'], { DATA_DIR: copy }, (line) => lines.push(line))).toBe(1);
  expect(lines.join('\n')).toMatch(/FAIL {2}Integrity: /);
});

test('doctor, and an operation that is not possible, speak the language of the person at the terminal', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  await testApp.db.transaction((trx) => trx.updateTable('stores').set({ time_zone: 'EST' }).execute());
  const lines: string[] = [];
  const chinese = { DATA_DIR: testApp.dataDir, LANG: 'zh_CN.UTF-8' };
  expect(await run(['doctor'], chinese, (line) => lines.push(line))).toBe(0);
  expect(lines).toContainEqual(
    expect.stringContaining('WARN  设置、门店和商品: 门店 toronto-queen-west：时区 EST 没有夏令时'),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^OK {4}图片和视频: 全部齐全（已检查 [\d,]+ 条商品、页面等记录）$/),
  );
  lines.length = 0;
  expect(await run(['orders', 'show', 'MC-1'], chinese, (line) => lines.push(line))).toBe(1);
  expect(lines).toEqual(['没有订单 MC-1。']);
});

test('doctor warns of delivery zones that are not offered, hold no address or lie elsewhere', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const { settings, stores } = testApp.services;
  const warnings = async () =>
    (await doctor(testApp)).printed.split('\n').filter((line) => line.includes('delivery zone'));
  expect(await warnings()).toEqual([]);
  const [store] = await stores.all();
  const [zone] = store?.deliveryZones ?? [];
  if (!store || !zone) throw new Error('The demo shop has changed');
  const polygon = zone.polygon.map(({ lat, lng }) => ({ lat: lng, lng: lat }));
  await stores.upsert([{ ...store, deliveryZones: [{ ...zone, polygon, postalCodes: [] }] }]);
  const { checkoutConfig } = await settings.all();
  await settings.update({ checkoutConfig: { ...checkoutConfig, domesticShippingEnabled: false } });
  expect(await warnings()).toEqual([
    expect.stringContaining(`delivery zone ${store.id}: ${zone.id} is not offered`),
    expect.stringContaining(`delivery zone ${store.id}: ${zone.id} holds no address`),
    expect.stringContaining(`delivery zone ${store.id}: ${zone.id} is more than a degree from its store`),
  ]);
});
