/** Each kind of page block, as a shopper uses it. That the demo's pages of blocks are sound is in pages.two.spec.ts. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import gallery from '#demo/data/gallery.json' with { type: 'json' };
import pages from '#demo/data/pages.json' with { type: 'json' };
import { contactForm, feedBlock, videoBlock } from '../blocks.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, type Page, test } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';
import type { Shop } from './shop.ts';

const dataDir = () => process.env.SHOP_DATA ?? '';
const words = (text: { en: string; zh?: string } | null | undefined, shop: Shop) =>
  (text && (text[shop.lang] || text.en)) ?? '';

/** A page of this test's own, named by its project so that the two do not meet. */
async function publish(shop: Shop, name: string, blocks: readonly unknown[]): Promise<string> {
  const page = `${name}-${shop.lang}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'publish.ts'), dataDir()], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end(JSON.stringify([{ name: page, title: { en: page }, metaDescription: { en: '' }, blocks }]));
  const code = await new Promise((done) => child.once('close', done));
  expect(code).toBe(0);
  return `/${page}`;
}

const blockOf = (page: string, type: string) => {
  const found = pages.pages.find(({ name }) => name === page)?.blocks.find((block) => block.type === type);
  if (!found) throw new Error(`The demo's page ${page} has no ${type}`);
  return found as unknown as {
    title: { en: string; zh: string };
    /** Of photographs from elsewhere. */
    uiInstagramFeed: { count: number; numberPerRow: number };
  };
};

function hostsAsked(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  return hosts;
}

async function expectSound(shop: Shop): Promise<void> {
  await expect(shop.heading).toHaveCount(1);
  await expectNoLayoutShift(shop.page);
  await expectNoSeriousAxe(shop.page);
}

test('the words on the first image of home are in the display font, in Chinese as well', async ({ shop }) => {
  await shop.open('/');
  await expect(shop.main.locator('.hero').first().getByRole('heading')).toHaveCSS(
    'font-family',
    /^"?Fraunces/,
  );
});

test.describe('a form block', () => {
  const labelled = (shop: Shop, name: string) => {
    const field = contactForm.fields.find((each) => each.name === name);
    const role = field?.fieldType === 'select' ? 'combobox' : 'textbox';
    return shop.main.getByRole(role, { name: words(field?.nameContent, shop), exact: true });
  };
  const mails = () => {
    const outbox = join(dataDir(), 'outbox');
    // Made with the first mail.
    const files = existsSync(outbox)
      ? readdirSync(outbox).filter((file) => /-formMessage-\w+\.eml$/.test(file))
      : [];
    return files.map((file) => readFileSync(join(outbox, file), 'utf8'));
  };

  test('a form names what is missing, focuses it, and sends nothing until it is filled in', async ({
    shop,
    page,
  }) => {
    await shop.open(await publish(shop, 'asks', [contactForm]));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('submitForm')) sent.push(request.url());
    });
    const send = shop.button(words(contactForm.submitLabel, shop));
    await send.click();
    for (const { nameContent, isRequired, fieldType } of contactForm.fields) {
      const key = fieldType === 'select' ? 'block.fieldUnchosen' : 'block.fieldMissing';
      const said = shop.main.getByText(shop.t(key, { label: words(nameContent, shop) }), { exact: true });
      await expect(said).toHaveCount(isRequired ? 1 : 0);
    }
    await expect(labelled(shop, 'name')).toBeFocused();
    await expectNoSeriousAxe(page);
    await labelled(shop, 'name').fill('Mei Chen');
    await expect(labelled(shop, 'name')).not.toHaveAttribute('aria-invalid');
    await labelled(shop, 'email').fill('mei@');
    await send.click();
    await expect(labelled(shop, 'email')).toBeFocused();
    await expect(labelled(shop, 'email')).toHaveAccessibleDescription(shop.t('rule.emailInvalid'));
    expect(sent).toEqual([]);
  });

  test('a form is sent once, then is empty and confirms the message', { tag: once }, async ({
    shop,
    page,
  }) => {
    const marked = `Tea & cups <b>${Date.now()}</b>`;
    const form = { ...contactForm, uiMailTo: `asked-${shop.lang}@maple-and-clay.example` };
    // People read before they write.
    await page.clock.install();
    await shop.open(await publish(shop, 'sends', [form]));
    await labelled(shop, 'name').fill('Mei Chen');
    await labelled(shop, 'email').fill('mei@example.com');
    await labelled(shop, 'topic').selectOption(words({ en: 'Pots', zh: '壶' }, shop));
    await labelled(shop, 'text').fill(marked);
    await page.clock.fastForward(5000);
    await shop.button(words(contactForm.submitLabel, shop)).dblclick();
    const thanks = shop.main
      .getByRole('status')
      .filter({ hasText: words(contactForm.submittedMessage, shop) });
    await expect(thanks).toBeVisible();
    await expect(labelled(shop, 'name')).toHaveValue('');
    await expect(labelled(shop, 'text')).toHaveValue('');
    await expect(shop.main.locator('[aria-invalid]')).toHaveCount(0);
    await expectNoSeriousAxe(page);
    await expect.poll(() => mails().filter((mail) => mail.includes(form.uiMailTo)).length).toBe(1);
    const mail = mails().find((each) => each.includes(form.uiMailTo)) ?? '';
    expect(mail).toMatch(/^Reply-To: mei@example\.com$/im);
  });
});

test.describe('a video block', () => {
  test('a self-hosted video plays in place, with subtitles in the shopper’s language', async ({
    shop,
    page,
  }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await shop.open('/about');
    const film = shop.main.locator('video');
    await film.scrollIntoViewIfNeeded();
    await expect(film).toHaveAccessibleName(words(blockOf('about', 'video').title, shop));
    expect(asked.filter((path) => path.endsWith('.mp4'))).toEqual([]);
    await expect(film).not.toHaveAttribute('controls');
    await shop
      .button(shop.t('block.video.play', { title: words(blockOf('about', 'video').title, shop) }))
      .click();
    await expect(film).toHaveAttribute('controls');
    await expect(film).toBeFocused();
    await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
    await expect
      .poll(() =>
        film.evaluate((video: HTMLVideoElement) =>
          [...video.textTracks]
            .filter(({ mode }) => mode === 'showing')
            .map(({ language, cues }) => [language, cues?.length]),
        ),
      )
      .toEqual([[shop.lang === 'zh' ? 'zh-CN' : 'en-CA', 6]]);
    // To the end and back: the server gives parts.
    await film.evaluate((video: HTMLVideoElement) => {
      video.currentTime = 20;
    });
    await expect
      .poll(() => film.evaluate((video: HTMLVideoElement) => !video.seeking && video.currentTime >= 20))
      .toBe(true);
  });

  for (const [provider, id, host] of [
    ['youtube', 'dQw4w9WgXcQ', 'www.youtube-nocookie.com'],
    ['vimeo', '76979871', 'player.vimeo.com'],
  ] as const) {
    test(`a video at ${provider} contacts no other host before it is played`, { tag: once }, async ({
      shop,
      page,
    }) => {
      const hosts = hostsAsked(page);
      await page.route(`https://${host}/**`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<!doctype html><title>Player</title><p>Playing</p>',
        }),
      );
      const path = await publish(shop, provider, [videoBlock(provider, id, { poster: 'banner-studio.jpg' })]);
      await shop.open(path);
      await expectSound(shop);
      expect([...hosts]).toEqual([new URL(page.url()).host]);
      const name = provider === 'youtube' ? 'YouTube' : 'Vimeo';
      await expect(shop.main.getByText(shop.t('block.video.privacy', { site: name }))).toBeVisible();
      const title = words({ en: 'A film', zh: '影片' }, shop);
      await shop.button(shop.t('block.video.play', { title })).click();
      const player = shop.main.frameLocator('iframe');
      await expect(player.getByText('Playing')).toBeVisible();
      await expect(shop.main.locator('iframe')).toHaveAttribute('title', title);
      expect([...hosts].filter((each) => each !== new URL(page.url()).host)).toEqual([host]);
    });
  }
});

test('a feed shows its latest entries, whose links stay in the shop where they are of it', async ({
  shop,
  page,
}) => {
  await shop.open('/about');
  const section = shop.main
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: words(blockOf('about', 'rssFeed').title, shop) }) });
  await expect(section.getByRole('listitem')).toHaveCount(3);
  const first = section.getByRole('link').first();
  const title = (await first.textContent()) ?? '';
  await first.click();
  await expect(page).toHaveURL(new RegExp(shop.url('/blog/post/')));
  await expect(shop.heading).toHaveText(title);
});

test('a feed that does not answer says so and reserves its space meanwhile', { tag: once }, async ({
  shop,
  page,
}) => {
  // Nobody is at that name; what is answered for it is the test's own.
  const path = await publish(shop, 'news', [feedBlock(`http://${shop.lang}.feeds.invalid/news.xml`)]);
  let answer = {
    status: 503,
    body: JSON.stringify({ errorType: 'SYSTEM_ERROR', message: shop.t('block.feedUnavailable') }),
  };
  await page.route('**/feed/read?**', (route) =>
    route.fulfill({ contentType: 'application/json', ...answer }),
  );
  shop.watch.allowStatus(503);
  await shop.open(path);
  await expect(shop.main.getByText(shop.t('block.feedUnavailable'))).toBeVisible();
  await expectSound(shop);
  const entry = {
    title: 'Pu’er <b>harvest</b>',
    link: 'https://news.example/1',
    summary: '5 < 6',
    publishedAt: Date.UTC(2026, 4, 4),
  };
  answer = { status: 200, body: JSON.stringify({ title: 'News', link: null, entries: [entry] }) };
  await shop.button(shop.t('list.retry')).click();
  const link = shop.main.getByRole('link', { name: `${entry.title} ${shop.t('link.external')}` });
  await expect(link).toHaveAttribute('href', entry.link);
  await expect(link).toHaveAttribute('rel', /noopener/);
  await expect(shop.main.getByText(entry.summary, { exact: true })).toBeVisible();
  await expect(shop.main.getByText(shop.lang === 'zh' ? '2026年5月4日' : 'May 4, 2026')).toBeVisible();
});

test('the photographs form a tight grid and link to what they show, from this shop alone', async ({
  shop,
  page,
}) => {
  const hosts = hostsAsked(page);
  await shop.open('/about');
  const { title, uiInstagramFeed } = blockOf('about', 'instagramFeed');
  const section = shop.main
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: words(title, shop) }) });
  await expect(section.getByRole('link')).toHaveCount(uiInstagramFeed.count);
  await section.scrollIntoViewIfNeeded();
  const [latest] = gallery;
  const photo = section.getByRole('link', { name: words(latest?.caption, shop) });
  await expect(photo.getByRole('img')).toBeVisible();
  const boxes = await section
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
  const perRow = (page.viewportSize()?.width ?? 0) < 768 ? 3 : uiInstagramFeed.numberPerRow;
  expect(new Set(boxes.slice(0, perRow)).size).toBe(1);
  expect(new Set(boxes).size).toBe(Math.ceil(uiInstagramFeed.count / perRow));
  expect([...hosts]).toEqual([new URL(page.url()).host]);
  await photo.click();
  await expect(page).toHaveURL(new RegExp(`${shop.url(`/product/${latest?.product}`)}$`));
});

test('a rich text is shown as intended and can do no harm', { tag: once }, async ({ shop, page }) => {
  const html = [
    '<h1>Rich</h1><p>Some <strong>words</strong>, a <a href="/about">page</a>, a <a href="https://other.example/">site</a>,',
    'a <a href="javascript:window.hurt=1">trap</a><script>window.hurt=1</script><img src=x onerror="window.hurt=1">',
    '<iframe src="https://evil.example/"></iframe><style>body{display:none}</style><b style="position:fixed" onclick="hurt=1">bold</b></p>',
  ].join('');
  const path = await publish(shop, 'rich', [
    { id: 't', type: 'text', title: null, paragraphs: [], items: [], html: { en: html, zh: html } },
  ]);
  await shop.open(path);
  await expectSound(shop);
  await expect(shop.main.getByRole('heading', { level: 2, name: 'Rich' })).toBeVisible();
  await expect(shop.main.locator('script, img, iframe, style, [style], [onclick], [onerror]')).toHaveCount(0);
  await expect(shop.main.getByText('trap')).not.toHaveAttribute('href');
  await expect(shop.link('site')).toHaveAttribute('rel', /noopener/);
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  const marked = await page.evaluate(() => Object.assign(window, { stayed: true }).stayed);
  await shop.link('page').click();
  await expect(page).toHaveURL(new RegExp(`${shop.url('/about')}$`));
  // The page changed without being loaded anew.
  expect(await page.evaluate(() => 'stayed' in window)).toBe(marked);
});

test('links to an anchor or a file are left to the browser', { tag: once }, async ({ shop, page }) => {
  const text = (en: string) => ({ en });
  const path = await publish(shop, 'places', [
    {
      id: 'b',
      type: 'buttons',
      buttons: [
        { label: text('Below'), link: '#below', style: 'primary' },
        { label: text('Feed'), link: '/blog/feed.xml', style: 'secondary' },
      ],
    },
  ]);
  await shop.open(path);
  await shop.link('Below').click();
  await expect(page).toHaveURL(new RegExp(`${path}#below$`));
  await expect(shop.link('Feed')).toHaveAttribute('href', /feed\.xml$/);
  const asked = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url().endsWith('/blog/feed.xml'),
  );
  await shop.link('Feed').click();
  await asked;
});

test('links that start with http leave the shop and say so; others stay', { tag: once }, async ({ shop }) => {
  const label = (text: string) => ({ en: text });
  const path = await publish(shop, 'links', [
    {
      id: 'b',
      type: 'buttons',
      buttons: [
        { label: label('Inside'), link: '/brands', style: 'primary' },
        { label: label('Outside'), link: 'https://other.example/', style: 'secondary' },
      ],
    },
    {
      id: 'i',
      type: 'imageInfo',
      items: [
        {
          image: 'speckled-mug.jpg',
          alt: label('Mug'),
          title: label('Mug'),
          text: label(''),
          link: 'http://other.example/mug',
          linkLabel: label('Maker'),
        },
      ],
    },
  ]);
  await shop.open(path);
  await expect(shop.link('Inside')).toHaveAttribute('href', shop.url('/brands'));
  const outside = shop.link(`Outside ${shop.t('link.external')}`);
  await expect(outside).toHaveAttribute('href', 'https://other.example/');
  await expect(outside).toHaveAttribute('rel', /noopener/);
  await expect(shop.link(`Maker ${shop.t('link.external')}`)).toHaveAttribute(
    'href',
    'http://other.example/mug',
  );
  await expectSound(shop);
});

test('the address /page/{name} leads to /{name}, and an unknown name leads home, which says so', {
  tag: once,
}, async ({ shop, page }) => {
  await shop.open('/page/about');
  await expect(page).toHaveURL(new RegExp(`${shop.url('/about')}$`));
  const said = page.getByText(shop.t('shell.unknownAddress')).waitFor();
  await shop.open('/no-such-page');
  await said;
  // The address of the home page alone stays, once it is read.
  await expect(page).toHaveURL(new RegExp(`${shop.url('/')}$`));
});
