/** The setting `languages`: what a shop shows that offers one language, or another default language than English. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainProduct, plainValue, sellProduct } from '#tests/products.ts';
import { linksOf, renderedPage, renderFromSources } from '#tests/rendered.ts';
import { add, reserve, visit } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, type TestApp } from '#tests/test-app.ts';

const shop = () => createTestApp({ engine: 'sqlite', demo: true, app: { web: renderFromSources } });
const publicUrl = 'http://localhost';

async function got({ app }: TestApp, url: string) {
  const { statusCode, headers, body } = await app.inject(url);
  return { status: statusCode, location: headers.location, body };
}

test('a shop in English only has no address, link, feed or answer in Chinese', async () => {
  const testApp = await shop();
  const before = await renderedPage(testApp.app, '/');
  expect(before.html).toContain('href="/zh"');
  await testApp.services.settings.update({ languages: ['en'] });

  const { html, status } = await renderedPage(testApp.app, '/');
  expect([
    status,
    html.includes('<html lang="en-CA"'),
    html.includes('href="/zh"'),
    html.includes('hrefLang'),
  ]).toEqual([200, true, false, false]);
  expect(html).not.toContain('og:locale:alternate');
  expect(await got(testApp, '/zh/product/speckled-mug?x=1')).toMatchObject({
    status: 302,
    location: '/product/speckled-mug?x=1',
  });
  expect(await got(testApp, '/zh/cart')).toMatchObject({ status: 302, location: '/cart' });
  expect(await got(testApp, '/zh/blog/feed.xml')).toMatchObject({ status: 302, location: '/blog/feed.xml' });
  expect(await got(testApp, '/blog/feed.xml')).toMatchObject({
    status: 200,
    body: expect.stringContaining('<language>en-CA'),
  });
  expect((await got(testApp, '/feeds/products.zh.xml')).status).toBe(404);
  expect((await got(testApp, '/feeds/products.en.xml')).status).toBe(200);
  for (const path of [
    '/sitemap/pages-1.xml',
    '/sitemap/products-1.xml',
    '/robots.txt',
    '/feeds/products.en.xml',
  ])
    expect([path, (await got(testApp, path)).body.includes('/zh')]).toEqual([path, false]);
  expect((await got(testApp, '/site.webmanifest?lang=zh')).body).toContain('"lang":"en-CA"');
  const { appContent } = await testApp.call('appInfoInit', { lang: 'zh' });
  expect([appContent.languages, appContent.shopName]).toEqual([['en'], 'Maple & Clay']);

  await testApp.services.settings.update({ languages: ['en', 'zh'] });
  expect(linksOf((await renderedPage(testApp.app, '/')).html)).toEqual(linksOf(before.html));
  expect((await got(testApp, '/zh/cart')).status).toBe(200);
});

test('a shop whose default language is Chinese has it at addresses without a prefix, and English below /en', async () => {
  const testApp = await shop();
  await testApp.services.settings.update({ languages: ['zh', 'en'] });
  const chinese = await renderedPage(testApp.app, '/product/speckled-mug');
  expect(chinese.html).toMatch(/<html lang="zh-CN"/);
  const english = await renderedPage(testApp.app, '/en/product/speckled-mug');
  expect(english.html).toMatch(/<html lang="en-CA"/);
  for (const { html } of [chinese, english]) {
    const links = linksOf(html);
    expect([links.get('alternate zh'), links.get('alternate en'), links.get('alternate x-default')]).toEqual([
      `${publicUrl}/product/speckled-mug`,
      `${publicUrl}/en/product/speckled-mug`,
      `${publicUrl}/product/speckled-mug`,
    ]);
  }
  expect(english.html).toContain('href="/en/cart"');
  expect(chinese.html).toContain('href="/cart"');
  expect(await got(testApp, '/zh/product/speckled-mug')).toMatchObject({
    status: 302,
    location: '/product/speckled-mug',
  });
  expect((await got(testApp, '/en/cart')).body).toContain('<html lang="en-CA"');
  expect((await got(testApp, '/sitemap/products-1.xml')).body).toContain(
    `hreflang="en" href="${publicUrl}/en/product/`,
  );
  const { appContent } = JSON.parse((await got(testApp, '/api/istore/client/common3/appInfoInit')).body);
  expect([appContent.languages, appContent.shopName]).toEqual([['zh', 'en'], '枫土']);
  expect((await testApp.call('appInfoInit', { lang: 'en' })).appContent.shopName).toBe('Maple & Clay');
});

test('emails about an order that was placed in another language are in a language that the shop offers', async () => {
  const testApp = await shop();
  await sellProduct(testApp, 'CUP');
  await testApp.services.stock.count([{ sku: 'CUP', place: 'toronto-queen-west', units: 5 }]);
  const session = testApp.shopper();
  await add(testApp, session, 'CUP', 1);
  await visit(testApp, session);
  await reserve(testApp, session);
  await testApp.db.transaction((trx) => trx.updateTable('orders').set({ language: 'zh' }).execute());
  const { orders } = await testApp.services.fulfilment.page({ states: ['reserved'] }, { size: 1 });
  const [order] = orders;
  await testApp.services.settings.update({ languages: ['en'] });
  await testApp.services.fulfilment.move(order?.number ?? '', 'ready');
  const mails = testApp.db.read
    .selectFrom('deliveries')
    .select(['kind', 'language'])
    .where('kind', '!=', 'newOrder')
    .execute();
  expect(Object.fromEntries((await mails).map(({ kind, language }) => [kind, language]))).toEqual({
    orderConfirmation: 'en',
    orderReady: 'en',
  });
});

test('doctor requires texts in the offered languages only', async () => {
  const testApp = await shop();
  await testApp.services.settings.update({ tagline: { en: 'Cups' } });
  const translations = async () =>
    (await shopCommand(testApp, ['doctor'])).printed
      .split('\n')
      .filter((line) => line.includes('Translations'));
  expect(await translations()).toEqual(['FAIL  Translations: settings: tagline has no zh']);
  await testApp.services.settings.update({ languages: ['en'] });
  expect(await translations()).toEqual(['OK    Translations: all complete']);
  await testApp.services.settings.update({ languages: ['zh'] });
  expect(await translations()).toEqual(['FAIL  Translations: settings: tagline has no zh']);
});

const zhOnly = {
  settings: { languages: ['zh'], shopName: { zh: '河畔杯铺' }, currency: 'CAD' },
  brands: [{ id: 'river', name: { zh: '河畔' }, story: { zh: '' }, image: null }],
  categories: [{ id: 'cups', parent: null, name: { zh: '杯子' }, description: { zh: '' }, image: null }],
  products: [
    {
      ...plainProduct('river-mug'),
      name: { zh: '河畔马克杯' },
      shortDescription: { zh: '手工杯' },
      description: { zh: ['手工杯'] },
      brand: 'river',
      category: 'cups',
      options: [
        {
          name: { zh: '颜色' },
          values: ['沙', '墨'].map((name) => ({ ...plainValue(name), name: { zh: name } })),
        },
      ],
      skus: ['沙', '墨'].map((name, index) => ({
        sku: `RM-${index}`,
        options: { 颜色: name },
        stock: { warehouse: 3 },
      })),
    },
  ],
};

test('a shop in Chinese only is filled and shown without a text in English', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', app: { web: renderFromSources } });
  const file = join(testApp.dataDir, 'shop.json');
  writeFileSync(file, JSON.stringify({ ...zhOnly, settings: {} }));
  expect((await shopCommand(testApp, ['fill', file])).printed).toContain('brand river: /name/en is missing');
  writeFileSync(file, JSON.stringify(zhOnly));
  const filled = await shopCommand(testApp, ['fill', file]);
  expect([filled.code, filled.printed]).toEqual([0, expect.stringContaining('Imported')]);
  for (const path of ['/product/river-mug', '/products/cups', '/brand/river', '/search?key=马克杯']) {
    const { status, html } = await renderedPage(testApp.app, path);
    expect([path, status, html.includes('河畔马克杯')]).toEqual([path, 200, true]);
  }
  expect((await renderedPage(testApp.app, '/product/river-mug')).html).toContain('墨');
  const { printed } = await shopCommand(testApp, ['doctor']);
  expect(printed).toContain('OK    Translations');
  expect(printed).toContain('OK    Settings, stores and products');
  // The text that is kept is shown once English is offered, and doctor lists what is missing.
  await testApp.services.settings.update({ languages: ['zh', 'en'] });
  expect((await renderedPage(testApp.app, '/en/product/river-mug')).html).toContain('河畔马克杯');
  expect((await shopCommand(testApp, ['doctor'])).printed).toMatch(
    /FAIL {2}Translations: \d+ texts have no en/,
  );
});

test.each(['[]', '["fr"]', '["en","en"]'])('the languages %s are rejected', async (value) => {
  const testApp = await shop();
  const { code, printed } = await shopCommand(testApp, ['settings', 'set', 'languages', value]);
  expect([code, printed]).toEqual([1, expect.stringContaining('Setting languages')]);
});
