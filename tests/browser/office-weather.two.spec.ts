/** The office while the network or the shop is away, and after an update. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

test('a room whose script does not come leaves the frame, and opens when it is asked for again', async ({
  page,
  watch,
  lang,
}) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Mei Chen', 'setup');
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  watch.allow(/coupons-|dynamically imported module|ERR_FAILED|RoomNotLoadedError/);
  await page.route(/\/assets\/coupons-/, (route) => route.abort());
  const link = page.getByRole('navigation').getByRole('link', { name: t('office.coupons'), exact: true });
  await link.click();
  await expect(page.getByText(t('office.room.failed'))).toBeVisible();
  await expect(link).toBeVisible();
  await page.unroute(/\/assets\/coupons-/);
  await page.getByRole('button', { name: t('office.room.retry') }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(t('office.coupons'));
});

test('a room whose script is gone after an update opens in the newer office by itself', {
  tag: once,
}, async ({ page, watch, lang }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Mei Chen', 'setup');
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  watch.allow(/coupons-|dynamically imported module|ERR_FAILED|RoomNotLoadedError/);
  await page.route(/\/assets\/coupons-/, (route) => route.abort());
  let documents = 0;
  await page.route('**/office', async (route) => {
    if (route.request().resourceType() === 'document') return route.continue();
    // What the shop of another build would answer.
    documents += 1;
    await page.unroute(/\/assets\/coupons-/);
    await route.fulfill({
      contentType: 'text/html',
      body: '<script type="module" src="/assets/newer.js"></script>',
    });
  });
  await page
    .getByRole('navigation')
    .getByRole('link', { name: t('office.coupons'), exact: true })
    .click();
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(t('office.coupons'));
  expect(documents).toBe(1);
});

test('an office that was opened once opens without the shop, and an unknown page comes by itself when it is back', {
  tag: once,
}, async ({ page, watch, lang, context }) => {
  const t = staffTranslate(lang);
  watch.allow(/ERR_INTERNET_DISCONNECTED|answer 503|status of 503|Failed to fetch/);
  // The first view, which was loaded before there was a worker to keep it.
  watch.allowStatus(401);
  await page.goto('/office');
  const isKept = () =>
    page.evaluate(async () => (await (await caches.open('pages-1')).match('/office')) !== undefined);
  await expect.poll(isKept).toBe(true);
  await enterAs({ page, watch }, 'Mei Chen', 'desk');
  await expect(page.getByRole('navigation')).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('navigation', { name: t('office.rooms') })).toBeVisible();
  await page.goto('/about').catch(() => undefined);
  await context.setOffline(false);
  await expect(page.getByRole('banner')).toBeVisible();
});

test('a session that ends while somebody types asks them to sign in over the page, and what they typed is sent', {
  tag: once,
}, async ({ page, watch, lang }) => {
  const t = staffTranslate(lang);
  await enterAs({ page, watch }, 'Mei Chen', 'customers/demo-customer');
  const note = page.getByLabel(t('office.notes.label'));
  await note.fill('Calls before ten');
  await page.context().clearCookies();
  // The tab is looked at again two minutes later, and asks who is there.
  const asked = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/me'));
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 120_000;
    dispatchEvent(new Event('visibilitychange'));
  });
  await asked;
  // Something else of the page may have been asked for before, and have brought the dialog.
  await page.getByRole('button', { name: t('office.notes.send') }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: t('office.ended.title') });
  await expect(dialog).toContainText('Mei Chen');
  await expect(note).toHaveValue('Calls before ten');
  await dialog.getByRole('button', { name: t('office.signIn') }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'Calls before ten' })).toContainText('Mei Chen');
});
