/** The product page: what its images, options and stock say agrees, and adding a product shows what was added. */
import type { Locator } from '@playwright/test';
import { expectNoSeriousAxe } from './accessibility.ts';
import { optionValue } from './demo.ts';
import { expect, once, test } from './fixtures.ts';

test('an image of an option value chooses that value, which a reload keeps', async ({ shop, page, lang }) => {
  const { option, value } = optionValue('speckled-mug', 'Colour', 'Rose', lang);
  await shop.open('/product/speckled-mug?Colour=Sea');
  const gallery = shop.main
    .getByRole('list')
    .filter({ has: page.getByRole('img') })
    .first();
  const place = await gallery
    .getByRole('img')
    .evaluateAll((images) =>
      images.findIndex((image) => image.getAttribute('src')?.includes('speckled-mug--rose')),
    );
  expect(place).toBeGreaterThan(0);
  const show = (track: Element, at: number) =>
    track.scrollTo({ left: at * track.clientWidth, behavior: 'instant' });
  if (shop.phone) await gallery.evaluate(show, place);
  else await shop.button(new RegExp(`^${value}`)).click();
  await expect(
    shop.main.getByRole('radiogroup', { name: option }).getByRole('radio', { name: new RegExp(value) }),
  ).toBeChecked();
  await expect(page).toHaveURL(/Colour=Rose/);
  const inView = () => gallery.evaluate((track) => Math.round(track.scrollLeft / track.clientWidth));
  await expect.poll(inView).toBe(place);

  await page.reload();
  await shop.alive();
  const first = gallery.getByRole('img').first();
  await expect(first).toHaveAttribute('src', /speckled-mug--rose/);
  await expect.poll(inView).toBe(0);
});

test('the image viewer fills the window, enlarges by keys, wheel and double tap, and closes to the image shown last', async ({
  shop,
  page,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(request.url()));
  await shop.open('/product/celadon-teapot');
  expect(loaded.filter((url) => url.includes('zoom-view'))).toEqual([]);
  const gallery = shop.main.getByRole('list', { name: shop.like('product.gallery') });
  const opener = shop.button(shop.t('product.zoom'));
  await opener.press('Enter');
  const viewer = page.getByRole('dialog', { name: shop.like('product.gallery') });
  const image = viewer.getByRole('img');
  const candidates = await gallery.getByRole('img').first().getAttribute('srcset');
  await expect(image).toHaveAttribute('src', candidates?.split(', ').at(-1)?.split(' ')[0] ?? '');
  const width = async () => Math.round((await image.boundingBox())?.width ?? 0);
  const { width: windowWidth, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const edge = Math.min(windowWidth, height);
  await expect.poll(width).toBe(edge);
  // Other dialogs leave the page behind the room of its scroll bar, which would be a strip beside the image.
  await expect(page.locator('html')).toHaveCSS('scrollbar-gutter', 'auto');
  await expectNoSeriousAxe(page);

  const count = await viewer.getByRole('listitem').count();
  expect(count).toBeGreaterThan(1);
  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByText(shop.t('product.gallery.picture', { number: 2, count }))).toBeAttached();
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('+');
  await expect.poll(width).toBe(3 * edge);
  await page.keyboard.press('0');
  await expect.poll(width).toBe(edge);
  const middle = [windowWidth / 2, height / 2] as const;
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, -200);
  await expect.poll(width).toBeGreaterThan(edge);
  await page.mouse.dblclick(...middle);
  await expect.poll(width).toBe(edge);
  await expect(viewer.getByText(shop.t('product.gallery.picture', { number: 2, count }))).toBeAttached();

  await page.mouse.down();
  await page.mouse.move(middle[0], middle[1] + 200, { steps: 4 });
  await page.mouse.up();
  await expect(viewer).toBeHidden();
  await expect(opener).toBeFocused();
  await expect
    .poll(() => gallery.evaluate((track) => Math.round(track.scrollLeft / track.clientWidth)))
    .toBe(1);

  await opener.press('Enter');
  await expect(viewer.getByText(shop.t('product.gallery.picture', { number: 2, count }))).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(opener).toBeFocused();
});

test('few units left are counted, and no more can be chosen', { tag: once }, async ({ shop }) => {
  await shop.page.route('**/inventoryByProductAndOptions/**', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), obtainable: 2 } });
  });
  await shop.open('/product/celadon-teapot');
  await expect(shop.main.getByText(shop.t('product.onlyLeft', { count: 2 }))).toBeVisible();
  const quantity = shop.main.getByRole('spinbutton');
  await quantity.fill('5');
  await quantity.press('Enter');
  await expect(quantity).toHaveValue('2');
});

test('the figure of a quantity slides the way it counts, and stands still under reduced motion', {
  tag: once,
}, async ({ shop, page }) => {
  await page.addInitScript(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
      document.documentElement.dataset.moved = JSON.stringify(frames);
      return animate.call(this, frames, options);
    };
  });
  await shop.open('/product/celadon-teapot');
  const root = page.locator('html');
  await shop.button(new RegExp(`^${shop.t('ui.quantity.more')}`)).click();
  await expect(root).toHaveAttribute('data-moved', /"0 8px"/);
  await shop.button(new RegExp(`^${shop.t('ui.quantity.less')}`)).click();
  await expect(root).toHaveAttribute('data-moved', /"0 -8px"/);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await root.evaluate((element) => delete element.dataset.moved);
  await shop.button(new RegExp(`^${shop.t('ui.quantity.more')}`)).click();
  await expect(shop.main.getByRole('spinbutton')).toHaveValue('2');
  await expect(root).not.toHaveAttribute('data-moved');
});

test('a sold-out colour names one in stock to choose instead', { tag: once }, async ({ shop, page }) => {
  await page.route(/inventoryByProductAndOptions.*Sea/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), status: 'OutOfStock', obtainable: 0 },
    });
  });
  await shop.open('/product/speckled-mug?Colour=Sea');
  await shop.main.getByRole('link', { name: shop.like('product.chooseInstead') }).click();
  await expect(page).not.toHaveURL(/Colour=Sea/);
  await expect(shop.main.getByText(shop.t('product.inStock'), { exact: true })).toBeVisible();
});

test('an added product opens a drawer with the subtotal, which closes and returns the focus', async ({
  shop,
  page,
}) => {
  await shop.open('/product/celadon-teapot');
  const add = shop.button(shop.t('product.add'));
  await add.click();
  const panel = shop.addedPanel;
  await expect(panel.getByText(shop.t('product.added.subtotal', { count: 1 }))).toBeVisible();
  await expect(add).toHaveAttribute('data-done');
  if (shop.phone) return;
  await panel.getByRole('button', { name: shop.like('product.added.add') }).click();
  await expect(panel.getByText(shop.t('product.added.subtotal', { count: 2 }))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(add).toBeFocused();
});

test('a spinner waits before it covers the label of a button, under reduced motion as well', {
  tag: once,
}, async ({ shop, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.route('**/shoppingManagement4/myCart/*', () => {}); // Never answered: the button stays busy.
  await shop.open('/product/celadon-teapot');
  const add = shop.button(shop.t('product.add'));
  const opacityAtFirst = await add.evaluate(async (button: HTMLElement) => {
    button.click();
    for (;;) {
      const spinner = button.querySelector('.btn-spinner');
      if (spinner) return getComputedStyle(spinner).opacity;
      await new Promise(requestAnimationFrame);
    }
  });
  expect(opacityAtFirst).toBe('0');
  const opacity = () =>
    add.locator('.btn-spinner').evaluate((spinner) => Number(getComputedStyle(spinner).opacity));
  await expect.poll(opacity).toBeGreaterThan(0);
});

test('a product says when it arrives and what shipping costs, as the bill of the cart does', {
  tag: once,
}, async ({ shop }) => {
  await shop.open('/product/celadon-teapot');
  await expect(shop.main.getByText(shop.like('product.delivery'))).toBeVisible();
  await shop.button(shop.t('product.add')).click();
  await expect(shop.addedPanel.getByText(shop.like('product.delivery.toFree'))).toContainText('$7.00');
});

test('the rest of a product page is there without scripts, and loads them when it is scrolled to', {
  tag: once,
}, async ({ shop, page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(request.url()));
  const names = (file: string) => loaded.filter((url) => url.includes(file));
  await shop.open('/product/celadon-teapot');
  const drawing = shop.main.getByRole('figure');
  await expect(drawing.getByRole('img')).toBeAttached();
  expect(names('related-products')).toEqual([]);
  await shop.main.getByRole('heading', { name: shop.t('product.related') }).scrollIntoViewIfNeeded();
  await expect.poll(() => names('related-products').length).toBeGreaterThan(0);
  await drawing.scrollIntoViewIfNeeded();
  await expect(drawing.getByRole('img')).toBeInViewport();
});

test('a set is added to the cart by one button, and its products are not shown again', { tag: once }, async ({
  shop,
  page,
}) => {
  await shop.open('/product/celadon-teapot');
  const related = page.getByRole('heading', { name: shop.t('product.related') });
  await related.scrollIntoViewIfNeeded();
  const section = (heading: Locator) => shop.main.locator('section').filter({ has: heading });
  const links = (heading: Locator) =>
    section(heading)
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  await expect(section(related).getByRole('article')).toHaveCount(4);
  const set = await links(page.getByRole('heading', { name: shop.t('set.title') }));
  expect(set.length).toBeGreaterThan(0);
  expect((await links(related)).filter((href) => set.includes(href))).toEqual([]);
  await shop.button(shop.like('set.add.other')).click();
  await expect(shop.main.getByText(shop.t('set.added', { count: 3 }))).toBeVisible();
  await shop.main.getByRole('link', { name: shop.t('product.goToCart') }).click();
  await expect(shop.main.getByRole('link', { name: 'Celadon Round Teapot' }).first()).toBeVisible();
});

test('related products take the space that was kept for them while they loaded', async ({ shop, page }) => {
  const release = Promise.withResolvers<void>();
  await page.route('**/relatedProducts/**', async (route) => {
    await release.promise;
    await route.continue();
  });
  await shop.open('/product/moon-jar');
  const heading = page.getByRole('heading', { name: shop.t('product.related'), exact: true });
  const section = shop.main.locator('section').filter({ has: heading });
  await expect(section.getByRole('status')).toBeVisible();
  await section.scrollIntoViewIfNeeded();
  const kept = (await section.boundingBox())?.height ?? 0;
  release.resolve();
  await expect(section.getByRole('article')).toHaveCount(4);
  expect((await section.boundingBox())?.height).toBeCloseTo(kept, 0);
});
