import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { contactForm, videoBlock } from '#tests/blocks.ts';
import { issueCoupon } from '#tests/coupons.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { run } from './run.ts';

/** Runs `doctor` beside a shop and returns its output. */
async function doctor({ dataDir, env }: TestApp): Promise<{ code: number; printed: string }> {
  const lines: string[] = [];
  const here = { DATA_DIR: dataDir, ...(env.databaseUrl ? { DATABASE_URL: env.databaseUrl } : {}) };
  return { code: await run(['doctor'], here, (line) => lines.push(line)), printed: lines.join('\n') };
}

test('doctor names test keys in a shop that is open to the public', async () => {
  const lines: string[] = [];
  const keys = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  const folder = { DATA_DIR: '/dev/null/nothing' };
  expect(await run(['doctor'], { ...keys, ...folder, PUBLIC_URL: 'https://shop.example' }, (line) => lines.push(line))).toBe(1);
  expect(lines.join('\n')).toContain('Payment keys: Stripe has test keys');
});

test('doctor names the host of PostgreSQL that it is connected to, without user or password', async () => {
  const testApp = await createTestApp({ engine: 'postgres' });
  const { host } = new URL(testApp.env.databaseUrl ?? '');
  const several = { ...testApp.env, databaseUrl: testApp.env.databaseUrl?.replace(host, `127.0.0.1:1,${host}`) ?? '' };
  expect((await doctor({ ...testApp, env: several })).printed).toContain(`OK    Database: connected to ${host}\n`);
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
  const lines = async () => (await doctor(testApp)).printed.split('\n').filter((line) => line.includes('New order emails: '));
  expect(await lines()).toEqual([
    expect.stringMatching(/^OK {4}New order emails: orders at toronto-queen-west: toronto@maple-and-clay\.example; /),
  ]);

  await settings.update({
    contactEmail: '',
    newOrderEmails: { enabled: true, addresses: { 'ottawa-byward': [], 'pop-up': ['pop-up@shop.example'] } },
  });
  await stores.upsert((await stores.all()).map((store) => (store.mainStore ? { ...store, email: '' } : store)));
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
  await services.settings.update({ footer: { ...footer, links: [{ label: { en: 'Care' }, link: '/care-guide' }] } });
  await services.stores.upsert([{ ...store, id: 'pop-up', name: { en: 'Pop-up' }, image: 'gone.jpg', mainStore: false }]);
  await issueCoupon(testApp, { code: 'SPRING', name: { en: 'Spring' } });
  const blocks = [
    {
      ...contactForm,
      fields: [{ ...name, nameContent: { en: 'Your name' } }, ...fields],
      submitLabel: { en: 'Send', zh: ' ' },
    },
    { ...videoBlock('file', 'gone.mp4'), captions: [{ language: 'en', label: 'English', src: 'gone.en.vtt' }] },
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
  const posts = await db.read.selectFrom('blog_posts').select('parts').where('link', '=', 'lacking').execute();
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
      .values({ id: 'shelf', caption: JSON.stringify({ en: 'A shelf' }), image: 'lost.jpg', link: '', taken_at: 0 })
      .execute();
  });
}

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
        'Images and videos: page lacking: gone.en.vtt is not in media/films',
        'Images and videos: page lacking: gone.mp4 is not in media/films',
        'Images and videos: gallery photo shelf: lost.jpg has not been imported',
        'Images and videos: store pop-up: gone.jpg has not been imported',
        'Taxes: Ontario: nothing can be ordered at toronto-queen-west',
        'Taxes: Ontario: nothing can be ordered at markham-unionville',
        'Taxes: Ontario: nothing can be ordered at ottawa-byward',
        'Taxes: Ontario: nothing can be ordered at pop-up',
        'Taxes: Ontario: nothing can be shipped there',
        'Translations: coupon SPRING: name has no zh',
        'Translations: page lacking: blocks.contact-form.fields.name.nameContent has no zh',
        'Translations: page lacking: blocks.contact-form.submitLabel has no zh',
        'Translations: page lacking: blocks.film-gone.mp4.captions has no zh',
        'Translations: gallery photo shelf: caption has no zh',
        'Translations: post lacking: parts.0.html has no zh',
        'Translations: post lacking: title has no zh',
        'Translations: settings: footer.links.0.label has no zh',
        'Translations: store pop-up: name has no zh',
        'Pages and posts: page lacking: block old cannot be shown: its type is marquee, allowed: blog, buttons, form, imageInfo, imageSlider, instagramFeed, linkTiles, productList, rssFeed, stores, text, video',
        'Pages and posts: post lacking: part 2 cannot be shown',
      ].sort(),
    );
  });
});

test('doctor finds damaged pages of the database', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const file = join(testApp.dataDir, sqliteFileName);
  const copy = join(testApp.dataDir, 'copy');
  await mkdir(copy);
  await testApp.db.transaction((trx) => sql`insert into counters (name, value) values ('more', 1)`.execute(trx));
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
