/** What the demo's brand adds to the product page. */
import { brandTranslate } from '#demo/brand/shared/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';

test('a brew card is used by keyboard, and its timer counts one infusion after another', {
  tag: [once, quick],
}, async ({ shop, page }) => {
  const t = brandTranslate(shop.lang);
  await page.clock.install();
  await shop.open('/product/tieguanyin');
  const fold = shop.main.locator('summary', { hasText: t('brew.title') });
  await fold.scrollIntoViewIfNeeded();
  await fold.press('Enter');
  const ways = shop.main.getByRole('radiogroup', { name: t('brew.ways') });
  await shop.alive('main [data-later] [role="radiogroup"]');
  await ways.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(shop.main.getByRole('definition').filter({ hasText: /^110 ml$/ })).toBeVisible();
  await expect(shop.main.getByText('250 ml', { exact: true })).toBeHidden();
  await shop.button(t('brew.start')).press('Enter');
  const timer = shop.main.getByRole('timer');
  await expect(timer).toHaveText(t('brew.running', { number: 1, count: 6, time: '0:15' }));
  await page.clock.runFor(16_000);
  await expect(timer).toHaveText(t('brew.done', { number: 1 }));
  await expect(page.locator('#announcer-assertive')).toHaveText(t('brew.done', { number: 1 }));
  await expectNoSeriousAxe(page);
  await shop.button(t('brew.next', { number: 2 })).press('Enter');
  await expect(timer).toHaveText(t('brew.running', { number: 2, count: 6, time: '0:20' }));
  await expect(shop.button(t('brew.stop'))).toBeFocused();
});
