/** The blog: endless lists with real addresses, posts to read, like and share, and its feeds. */
import type { Page } from '@playwright/test';
import { parseAtomFeed, parseRssFeed } from 'feedsmith';
import { expectNoSeriousAxe } from './accessibility.ts';
import { registered } from './customer.ts';
import { expect, once, test } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';
import type { Shop } from './shop.ts';

const posts = 'article[data-item]';
const newest = 'meet-the-store-queen-west';
const titles = {
  newest: { en: 'Meet the store: Queen West', zh: '走进门店：皇后西街' },
  moon: { en: 'A Mid-Autumn table', zh: '中秋一桌' },
  brewing: { en: 'Brewing', zh: '泡茶' },
  gaiwan: { en: 'Gaiwan', zh: '盖碗' },
  blog: { en: 'The Studio Notebook', zh: '枫土手记' },
  excerpts: { en: 'From the blog', zh: '博客近文' },
};

async function expectSound(shop: Shop): Promise<void> {
  await expect(shop.heading).toHaveCount(1);
  await expectNoLayoutShift(shop.page);
  await expectNoSeriousAxe(shop.page);
}

function likeButton(shop: Shop) {
  return shop.button(new RegExp(`^${shop.t('blog.like')} `));
}

async function likesShown(shop: Shop): Promise<number> {
  return Number((await likeButton(shop).textContent())?.replace(/\D/g, ''));
}

/** Waits for the shop's own answer about likes, without which a press would be taken over by it. */
async function openPost(shop: Shop, page: Page, link: string): Promise<void> {
  const known = page.waitForResponse((response) => response.url().includes('/blog/blogPost/likes/'));
  await shop.open(`/blog/post/${link}`);
  await known;
}

test('the blog is one click away, and more posts load while scrolling', async ({ shop, page }) => {
  await shop.open('/');
  if (shop.phone) {
    await page.getByRole('button', { name: shop.t('shell.menu.open') }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: shop.t('shell.menu.blog'), exact: true })
      .click();
  } else {
    const menu = page.getByRole('navigation', { name: shop.t('shell.menu') });
    await menu.getByRole('link', { name: shop.t('shell.menu.blog'), exact: true }).click();
  }
  await expect(shop.heading).toHaveText(titles.blog[shop.lang]);
  await expect(shop.main.locator(posts).first()).toHaveAttribute('data-item', newest);
  await shop.main.locator(posts).nth(5).scrollIntoViewIfNeeded();
  const last = shop.main.locator(posts).nth(7);
  await last.scrollIntoViewIfNeeded();
  await expect(shop.main.getByText(shop.t('blog.showingOf', { from: 1, to: 8, count: 8 }))).toBeVisible();
  await expect(page).toHaveURL(/page=2/);

  const title = (await last.getByRole('heading').textContent()) ?? '';
  await shop.link(title).click();
  await expect(shop.heading).toHaveText(title);
  await page.goBack();
  await expect(shop.link(title)).toBeInViewport();
  await expect(shop.link(title)).toBeFocused();
});

test('every page of posts has an address that works without scripts', { tag: once }, async ({
  browser,
  shop,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto(shop.url('/blog'));
  await expect(page.locator(posts)).toHaveCount(6);
  await page.getByRole('link', { name: shop.t('list.more') }).click();
  await expect(page).toHaveURL(/\/blog\?page=2$/);
  await expect(page.locator(posts)).toHaveCount(2);
  await page.getByRole('link', { name: shop.t('blog.newer') }).click();
  await expect(page).toHaveURL(/\/blog$/);
  await context.close();
});

test('the blog lists the posts of a category, then of a tag', { tag: once }, async ({ shop, page }) => {
  await shop.open('/blog');
  await expectSound(shop);
  const categories = shop.main.getByRole('navigation', { name: shop.t('blog.categories') });
  await categories.getByRole('link', { name: titles.brewing[shop.lang] }).click();
  await expect(shop.heading).toHaveText(titles.brewing[shop.lang]);
  await expect(shop.main.locator(posts)).toHaveCount(3);
  await expect(categories.getByRole('link', { name: titles.brewing[shop.lang] })).toHaveAttribute(
    'aria-current',
    'page',
  );
  // Opened anew: shifts are counted from there, not while another page gives way to this one.
  await page.reload();
  await shop.alive();
  await expectSound(shop);
  const tags = shop.main.getByRole('navigation', { name: shop.t('blog.tags') });
  await tags.getByRole('link', { name: titles.gaiwan[shop.lang] }).click();
  await expect(shop.heading).toHaveText(shop.t('blog.tagged', { name: titles.gaiwan[shop.lang] }));
  await expect(shop.main.locator(posts)).toHaveCount(2);
  await page.reload();
  await shop.alive();
  await expectSound(shop);
  await page.goBack();
  await expect(shop.heading).toHaveText(titles.brewing[shop.lang]);
});

for (const path of ['/blog/post/nothing-of-the-kind', '/blog/cat/nothing', '/blog/tag/nothing']) {
  test(`the unknown blog page ${path} answers 404 and says so`, { tag: once }, async ({ shop }) => {
    shop.watch.allowStatus(404);
    const response = await shop.open(path);
    expect(response?.status()).toBe(404);
    await expect(shop.heading).toHaveText(shop.t('shell.notFound.title'));
  });
}

test('a post is read from its image to the next post', async ({ shop, page }) => {
  await shop.open('/blog/post/a-mid-autumn-table');
  await expect(shop.heading).toHaveText(titles.moon[shop.lang]);
  await expect(shop.main.locator('time').first()).toHaveAttribute('datetime', '2026-09-06');
  const date = new Intl.DateTimeFormat(shop.lang === 'zh' ? 'zh-CN' : 'en-CA', {
    dateStyle: 'long',
    timeZone: 'UTC',
  });
  await expect(shop.main.locator('time').first()).toHaveText(date.format(Date.UTC(2026, 8, 6)));
  await expect(shop.main.getByText(/\d+ (min read|分钟)/).first()).toBeVisible();
  await expect(shop.main.getByRole('blockquote')).toBeVisible();
  const related = shop.main
    .getByRole('region')
    .or(shop.main.locator('section'))
    .filter({ hasText: shop.t('blog.related') });
  await expect(related.locator(posts)).toHaveCount(3);
  await expectSound(shop);

  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '{}');
  expect(data['@graph'][0]).toMatchObject({ '@type': 'BlogPosting', headline: titles.moon[shop.lang] });
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
    'href',
    /\/blog\/post\/a-mid-autumn-table$/,
  );

  const neighbours = shop.main.getByRole('navigation', { name: shop.t('blog.neighbours') });
  await neighbours.getByRole('link', { name: titles.newest[shop.lang] }).click();
  await expect(shop.heading).toHaveText(titles.newest[shop.lang]);
  await expect(shop.heading).toBeFocused();
});

test('a guest’s like counts once, stays, and can be undone', { tag: once }, async ({ shop, page }) => {
  await openPost(shop, page, 'how-celadon-works');
  const before = await likesShown(shop);
  await expect(likeButton(shop)).toHaveAttribute('aria-pressed', 'false');
  const saved = page.waitForResponse((response) => response.url().includes('/true'));
  await likeButton(shop).click();
  await expect(likeButton(shop)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#announcer-polite')).toHaveText(shop.like('blog.liked.other'));
  await expectNoSeriousAxe(page);
  await saved;

  await openPost(shop, page, 'how-celadon-works');
  await expect(likeButton(shop)).toHaveAttribute('aria-pressed', 'true');
  // Others may like it meanwhile, in the other language.
  expect(await likesShown(shop)).toBeGreaterThan(before - 1);
  const undone = page.waitForResponse((response) => response.url().includes('/false'));
  await likeButton(shop).click();
  await expect(likeButton(shop)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.locator('#announcer-polite')).toHaveText(shop.like('blog.unliked.other'));
  await undone;
});

test('a customer’s like is there on the next visit, and quick presses end as the last one', {
  tag: once,
}, async ({ shop, page }) => {
  await registered(shop);
  await openPost(shop, page, 'seasoning-a-zisha-pot');
  let saved = 0;
  page.on('response', (response) => {
    if (response.url().includes('/blog/blogPost/like/')) saved += 1;
  });
  for (let press = 0; press < 3; press++) await likeButton(shop).click();
  await expect(likeButton(shop)).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => saved).toBe(3);
  await openPost(shop, page, 'seasoning-a-zisha-pot');
  await expect(likeButton(shop)).toHaveAttribute('aria-pressed', 'true');
});

test('a like that cannot be saved is undone and reported', { tag: once }, async ({ shop, page }) => {
  shop.watch.allowStatus(500);
  await openPost(shop, page, 'choosing-a-gaiwan');
  await page.route('**/blog/blogPost/like/**', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"errorType":"SYSTEM_ERROR"}' }),
  );
  await likeButton(shop).click();
  await expect(shop.main.getByText(shop.t('blog.like.failed'))).toBeVisible();
  await expect(likeButton(shop)).toHaveAttribute('aria-pressed', 'false');
});

test('a post is shared through the device where the device can', { tag: once }, async ({ shop, page }) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (data: object) => {
        document.documentElement.dataset.shared = JSON.stringify(data);
      },
    });
  });
  await shop.open('/blog/post/cold-brew-tea');
  await shop.button(shop.t('blog.share')).click();
  await expect(page.locator('html')).toHaveAttribute('data-shared', /./);
  const shared = JSON.parse((await page.locator('html').getAttribute('data-shared')) ?? '{}');
  expect(shared).toMatchObject({
    title: await shop.heading.textContent(),
    url: expect.stringMatching(/\/blog\/post\/cold-brew-tea$/),
  });
});

test('a post’s link is copied, or shown where copying is not allowed', { tag: once }, async ({
  shop,
  page,
  context,
}) => {
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await shop.open('/blog/post/cold-brew-tea');
  await shop.button(shop.t('blog.share')).click();
  await expect(shop.button(shop.t('blog.share.copied'))).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

  await page.addInitScript(() =>
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('no')) }),
  );
  await shop.open('/blog/post/cold-brew-tea');
  await shop.button(shop.t('blog.share')).click();
  await expect(shop.field('blog.share.copy')).toHaveValue(page.url());
  await expectNoSeriousAxe(page);
});

test('a product in a post leads to its page, and is added to the cart where it stands', {
  tag: once,
}, async ({ shop, page }) => {
  await shop.open('/blog/post/choosing-a-gaiwan');
  const name = 'White Porcelain Gaiwan';
  // Once in the text, once at the end.
  const links = shop.main.getByRole('link', { name, exact: true });
  await expect(links).toHaveCount(2);
  for (const link of await links.all())
    await expect(link).toHaveAttribute('href', '/product/porcelain-gaiwan');
  await expect(shop.main.getByRole('heading', { name: shop.t('blog.products') })).toBeVisible();
  await shop.button(shop.t('quickAdd.add', { name })).click();
  await expect(shop.cartLink(1)).toBeVisible();
  await expect(page).toHaveURL(/choosing-a-gaiwan$/);
  await expectSound(shop);
});

test('feed readers find both feeds in the reader’s language', async ({ shop, page }) => {
  for (const path of ['/blog', '/blog/cat/care', '/blog/tag/gongfu', `/blog/post/${newest}`]) {
    await shop.open(path);
    const feeds = page.locator('link[rel="alternate"][type$="+xml"]');
    await expect(feeds).toHaveCount(2);
  }
  const address = async (type: string) =>
    (await page.locator(`link[rel="alternate"][type="application/${type}+xml"]`).getAttribute('href')) ?? '';
  const rss = await page.request.get(new URL(await address('rss')).pathname);
  expect(parseRssFeed(await rss.text()).title).toBe(titles.blog[shop.lang]);
  const atom = await page.request.get(new URL(await address('atom')).pathname);
  expect(parseAtomFeed(await atom.text()).entries).toHaveLength(8);
  const again = await page.request.get(rss.url(), { headers: { 'if-none-match': rss.headers().etag ?? '' } });
  expect(again.status()).toBe(304);
});

test('excerpts on the home page lead to posts and to all of them', { tag: once }, async ({ shop }) => {
  await shop.open('/');
  const section = shop.main.locator('section').filter({ hasText: titles.excerpts[shop.lang] });
  await expect(section.locator(posts)).toHaveCount(2);
  await section
    .getByRole('link', { name: shop.t('block.seeMoreOf', { name: titles.excerpts[shop.lang] }) })
    .click();
  await expect(shop.heading).toHaveText(titles.blog[shop.lang]);
});
