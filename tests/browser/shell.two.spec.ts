/** The shell around every page: header, menu, search, language, focus, offline mode. */
import { locales } from '#contract/locales.ts';
import { requestOf } from '#contract/transport.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { productName } from './demo.ts';
import { expect, once, type Page, test } from './fixtures.ts';
import type { Shop } from './shop.ts';

const header = (page: Page) => page.getByRole('banner');
const box = (shop: Shop) => shop.page.getByRole('combobox', { name: shop.t('shell.search.label') });

test.describe('the search box', () => {
  test('the search box suggests products with images and prices and works by keyboard alone', async ({
    shop,
    page,
    lang,
  }) => {
    const mug = productName('speckled-mug', lang);
    await shop.open('/brands');
    await shop.search(mug.slice(0, -1));
    const option = page.getByRole('option', { name: mug });
    await expect(option).toContainText('$');
    await expect(option.locator('img')).toBeVisible();
    await expectNoSeriousAxe(page);
    await box(shop).press('ArrowDown');
    const first = page.getByRole('option').first();
    await expect(first).toHaveAttribute('aria-selected', 'true');
    await expect(box(shop)).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id')) ?? '');
    await expect(box(shop)).toBeFocused();
    await box(shop).press('ArrowUp');
    await expect(page.getByRole('option', { selected: true })).toHaveCount(0);
    await box(shop).press('Escape');
    await expect(page.getByRole('listbox')).toBeHidden();
    await expect(box(shop)).toHaveValue(mug.slice(0, -1));
    await box(shop).press('ArrowDown');
    await box(shop).press('Enter');
    await expect(shop.heading).toHaveText(mug);
  });

  test('the search box never waits for an answer: typed text stays, and the last text counts', {
    tag: once,
  }, async ({ shop, page, lang }) => {
    await shop.open('/brands');
    const slow = requestOf('productSuggestions', { params: { nameLike: 'te' } }, lang).url;
    await page.route(slow, async (route) => {
      await new Promise((go) => setTimeout(go, 1500));
      await route.continue().catch(() => {});
    });
    const asked = page.waitForRequest(slow);
    await shop.search('te');
    await asked;
    await box(shop).press('End');
    await box(shop).pressSequentially('apot');
    await expect(box(shop)).toHaveValue('teapot');
    await expect(
      page.getByRole('option', { name: shop.t('shell.search.all', { key: 'teapot' }) }),
    ).toBeVisible();
    await box(shop).press('Enter');
    await expect(page).toHaveURL(/\/search\?key=teapot$/);
    await expect(box(shop).or(shop.heading).first()).toBeVisible();
  });

  test('the search page says which word it searched for instead of a misspelt one, and its count once', async ({
    shop,
    page,
  }) => {
    await shop.open('/brands');
    await shop.search('teapto');
    await expect(page.getByText(shop.t('shell.search.correctedTo', { key: 'teapot' }))).toBeVisible();
    await shop.open('/search?key=teapto');
    await expect(shop.main.getByText(shop.like('list.count.other')).filter({ visible: true })).toHaveCount(1);
  });

  test('the search box is a plain form where scripts do not run', { tag: once }, async ({
    browser,
    shop,
  }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      baseURL: process.env.SHOP_ADDRESS ?? '',
    });
    const page = await context.newPage();
    await page.goto(shop.url('/product/no-such-thing'));
    const plain = page.getByRole('main').getByRole('combobox', { name: shop.t('shell.search.label') });
    await plain.fill('oolong');
    await plain.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${shop.url('/search')}\\?key=oolong$`));
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    await context.close();
  });
});

test.describe('the menu', () => {
  test('the menu is expanded from 960 px on, and a drawer below', async ({ shop, page }) => {
    await shop.open('/');
    const bar = header(page).getByRole('navigation', { name: shop.t('shell.menu') });
    const open = header(page).getByRole('button', { name: shop.t('shell.menu.open') });
    const size = page.viewportSize();
    await page.setViewportSize({ width: 960, height: size?.height ?? 900 });
    await expect(bar.getByRole('link', { name: shop.t('shell.menu.brands') })).toBeVisible();
    await expect(open).toBeHidden();
    await page.setViewportSize({ width: 959, height: size?.height ?? 900 });
    await expect(bar.getByRole('link', { name: shop.t('shell.menu.brands') })).toBeHidden();
    await expect(open).toBeVisible();
  });

  test('the menu opens subcategories and four products, and closes by Escape with focus where it was', async ({
    shop,
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await shop.open('/brands');
    const toggle = header(page).locator('button[aria-expanded][aria-controls]').first();
    const panel = page.locator(`[id="${await toggle.getAttribute('aria-controls')}"]`);
    const links = panel.getByRole('link');
    const products = panel.locator('a[href*="/product/"]');
    await toggle.focus();
    // Nothing of a panel loads before it opens.
    await expect(panel.locator('img')).toHaveCount(0);
    await toggle.press('Enter');
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    await expect(links.nth(1)).toBeVisible();
    await expect(products).toHaveCount(4);
    await expect(products.last().locator('img')).toBeVisible();
    await expect(products.last()).toHaveText(/\p{L}.+\d/u);
    const width = await page.evaluate(() => document.documentElement.clientWidth);
    expect((await panel.boundingBox())?.width).toBe(width);
    await expectNoSeriousAxe(page);
    await products.last().focus();
    await page.keyboard.press('Escape');
    await expect(links.nth(1)).toBeHidden();
    await expect(toggle).toBeFocused();
    await toggle.press('Enter');
    await links.nth(1).click();
    await expect(links.nth(1)).toBeHidden();
    await expect(page).toHaveURL(/\/products\//);
  });

  test('the drawer traps focus, returns it, and leads on', async ({ shop, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await shop.open('/brands');
    const open = header(page).getByRole('button', { name: shop.t('shell.menu.open') });
    await open.click();
    const drawer = page.getByRole('dialog', { name: shop.t('shell.menu') });
    await expect(drawer).toBeVisible();
    const categories = drawer.locator('summary');
    await expect(categories.first().locator('img')).toBeVisible();
    await expect(categories.locator('img')).toHaveCount(await categories.count());
    await expectNoSeriousAxe(page);
    await page.keyboard.press('Tab');
    await expect(drawer.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(open).toBeFocused();
    await open.click();
    await drawer.getByRole('link', { name: shop.t('shell.menu.clearance') }).click();
    await expect(page).toHaveURL(/\/clearance$/);
    await expect(drawer).toBeHidden();
  });
});

test('the header has another style after 20 px of scroll', { tag: once }, async ({ shop, page }) => {
  await shop.open('/products/teaware');
  const border = () => header(page).evaluate((element) => getComputedStyle(element).borderBottomColor);
  const before = await border();
  await page.evaluate(() => scrollTo(0, 20));
  await expect.poll(border).toBe(before);
  await page.evaluate(() => scrollTo(0, 21));
  await expect.poll(border).not.toBe(before);
});

test('a change of language keeps the page, its filters, its place and the cart', async ({
  shop,
  page,
  lang,
}) => {
  const other = lang === 'en' ? 'zh' : 'en';
  await shop.call('addToCart', { params: { itemName: 'MC-TP-02' }, body: { quantity: 2 } });
  await shop.open('/products/teapots?sort=price');
  await expect(shop.cartLink(2)).toBeVisible();
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await shop.alive('footer');
  await page.evaluate(() => scrollTo(0, 600));
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: locales[other].name })
    .evaluate((link: HTMLElement) => link.click());
  await expect(page.locator('html')).toHaveAttribute('lang', locales[other].tag);
  await expect(page).toHaveURL(/\/products\/teapots\?sort=price$/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
  await expect(header(page).locator('a[href$="/cart"]')).toContainText('2');
});

/** A link of the footer, whose columns are closed on phones. */
async function footerLink(shop: Shop, name: string) {
  const footer = shop.page.getByRole('contentinfo');
  await footer.scrollIntoViewIfNeeded();
  await shop.alive('footer');
  for (const fold of await footer.locator('summary:visible').all()) await fold.click();
  return footer.getByRole('link', { name });
}

test.describe('navigation', () => {
  test('a navigation moves focus to the heading and announces the title', async ({ shop, page }) => {
    await shop.open('/brands');
    await (await footerLink(shop, shop.t('shell.menu.clearance'))).click();
    await expect(page).toHaveURL(/\/clearance$/);
    await expect(shop.heading).toBeFocused();
    await expect(page.locator('[aria-live="polite"]').filter({ hasText: await page.title() })).toHaveCount(1);
  });

  test('a press while one page fades into the next goes to what is there', async ({ shop, page }) => {
    await shop.open('/brands');
    const place = await shop.cartLink(0).boundingBox();
    await page.evaluate(() => {
      const slow = new CSSStyleSheet();
      slow.replaceSync('::view-transition-group(*) { animation-duration: 20s !important }');
      document.adoptedStyleSheets.push(slow);
      const { startViewTransition } = document;
      document.startViewTransition = (...args) => {
        const transition = startViewTransition.apply(document, args);
        void transition.ready.then(() => document.documentElement.setAttribute('data-fades', ''));
        return transition;
      };
    });
    await shop.main.getByRole('link').first().click();
    await expect(page.locator('html[data-fades]')).toBeAttached();
    await page.mouse.click(
      (place?.x ?? 0) + (place?.width ?? 0) / 2,
      (place?.y ?? 0) + (place?.height ?? 0) / 2,
    );
    await expect(shop.heading).toHaveText(new RegExp(shop.t('cart.title')));
  });

  test('the Back button returns to the previous scroll position', { tag: once }, async ({ shop, page }) => {
    await shop.open('/products/teaware');
    // A place counts once the page was told of it, which happens with the next frame.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          document.addEventListener('scroll', () => requestAnimationFrame(() => resolve()), { once: true });
          scrollTo(0, 700);
        }),
    );
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: shop.t('shell.menu.brands') })
      .evaluate((link: HTMLElement) => link.click());
    await expect(page).toHaveURL(/\/brands$/);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL(/\/products\/teaware$/);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(700);
  });

  test('a slow navigation shows that it is under way', { tag: once }, async ({ shop, page, lang }) => {
    await shop.open('/brands');
    let answer = () => {};
    const held = new Promise<void>((release) => {
      answer = release;
    });
    const product = requestOf('products', { query: { clearance: true } }, lang).url.split('?')[0] ?? '';
    await page.route(
      (url) => url.pathname === product,
      async (route) => {
        await held;
        await route.continue();
      },
    );
    await header(page)
      .getByRole('link', { name: shop.t('shell.menu.clearance') })
      .click();
    await expect(page.locator('.progress-bar')).toBeVisible();
    answer();
    await expect(shop.heading).toHaveText(shop.t('list.title.sale'));
    await expect(page.locator('.progress-bar')).toHaveCount(0);
  });

  test('a failed navigation says so and can be retried', { tag: once }, async ({ shop, page, lang }) => {
    shop.watch.allowStatus(500);
    await shop.open('/clearance');
    const brands = requestOf('brands', {}, lang).url;
    await page.route(brands, (route) => route.fulfill({ status: 500, json: { errorType: 'SYSTEM_ERROR' } }));
    await (await footerLink(shop, shop.t('shell.menu.brands'))).click();
    await expect(shop.heading).toHaveText(shop.t('shell.error.title'));
    await expectNoSeriousAxe(page);
    await page.unroute(brands);
    await shop.button(shop.t('shell.error.retry')).click();
    await expect(shop.heading).toHaveText(shop.t('brands.title'));
  });
});

test('a browser without storage shows every page all the same', { tag: once }, async ({ shop, page }) => {
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
  });
  for (const path of ['/', '/products/teaware', '/product/celadon-teapot', '/cart', '/contact']) {
    await shop.open(path);
    await expect(page.getByRole('contentinfo')).toBeVisible();
    await expect(page.getByText(shop.t('shell.error.title'))).toHaveCount(0);
  }
});

test.describe('preloading of links', () => {
  const brands = (shop: Shop) =>
    shop.page.getByRole('contentinfo').getByRole('link', { name: shop.t('shell.menu.brands') });

  test('a focused link is fetched before it is clicked', { tag: once }, async ({ shop, page, lang }) => {
    await shop.open('/clearance');
    const fetched = page.waitForRequest((request) =>
      request.url().endsWith(requestOf('brands', {}, lang).url),
    );
    await brands(shop).focus();
    await fetched;
    await expect(page).toHaveURL(/\/clearance$/);
  });

  test('a focused link is not fetched when the device saves data', { tag: once }, async ({
    shop,
    page,
    lang,
  }) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
    await page.clock.install();
    await shop.open('/clearance');
    let fetched = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(requestOf('brands', {}, lang).url)) fetched += 1;
    });
    await brands(shop).focus();
    await page.clock.runFor(1000);
    expect(fetched).toBe(0);
    await brands(shop).press('Enter');
    await expect(shop.heading).toHaveText(shop.t('brands.title'));
  });
});

test('the first stop of the keyboard skips the header', { tag: once }, async ({ shop, page }) => {
  await shop.open('/brands');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: shop.t('shell.skip') });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await skip.press('Enter');
  await expect(shop.main).toBeFocused();
});

test.describe('offline pages', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the shop offline says so; visited pages stay readable, and others say why they are not', {
    tag: once,
  }, async ({ shop, page, context, lang }) => {
    shop.watch.allow(/ERR_INTERNET_DISCONNECTED/);
    shop.watch.allowStatus(503);
    const teapot = productName('celadon-teapot', lang);
    await shop.open('/brands');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await shop.open('/product/celadon-teapot');
    await (await footerLink(shop, shop.t('shell.menu.brands'))).press('Enter');
    await expect(shop.heading).toHaveText(shop.t('brands.title'));

    await context.setOffline(true);
    await expect(page.getByText(shop.t('shell.offline'))).toBeInViewport();
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expect(page.getByText(shop.t('shell.offline'))).toBeInViewport({ ratio: 1 });
    // What is fetched ahead and does not come changes nothing.
    const lost = page.waitForEvent('requestfailed');
    await shop.main.locator('a[href*="/brand/"]').last().focus();
    await lost;
    await expect(shop.heading).toHaveText(shop.t('brands.title'));
    await page.goto(shop.url('/product/celadon-teapot'));
    await expect(shop.heading).toHaveText(teapot);
    await page.goto(shop.url('/product/moon-jar')).catch(() => null);
    await expect(page.getByRole('heading', { name: shop.t('shell.error.offlineTitle') })).toBeVisible();

    await context.setOffline(false);
    await page.getByRole('link', { name: shop.t('shell.error.retry') }).click();
    await expect(shop.heading).toHaveText(productName('moon-jar', lang));
  });
});
