/** The rooms Menus and modifiers, Categories, brands and tags, Coupons, and Taxes and shipping. */
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const en = staffTranslate('en');

test.use({ locale: 'en-CA' });

test('a modifier group shows on the phone beside it what is typed, before it is saved', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'menus');
  // The live feed may say that the group is gone before the answer does.
  watch.allowStatus(404);
  await page.getByRole('button', { name: en('office.group.add') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(en('office.goods.name')).fill('Engraving');
  await dialog.getByRole('button', { name: en('office.group.add') }).click();
  await expect(page).toHaveURL(/menus\/engraving$/);
  const phone = page.locator('[data-phone]');
  await expect(phone).toContainText('Engraving');
  await page.locator('[name="modifiers.choice-1.name.en"]').fill('Gold leaf');
  await page.locator('[name="modifiers.choice-1.priceCents"]').fill('7.50');
  await expect(phone).toContainText('Gold leaf');
  await phone.getByLabel(/Gold leaf/).check();
  await expect(phone).toContainText(en('office.group.adds', { amount: '$7.50' }));
  await expectNoSeriousAxe(page);
  await page.getByRole('button', { name: en('office.save'), exact: true }).click();
  await expect(page.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `${en('office.document.remove')}: Engraving` }).click();
  await expectNoSeriousAxe(page);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: en('office.document.remove') })
    .click();
  await expect(page).toHaveURL(/menus$/);
  await expect(page.getByRole('link', { name: /^Engraving/ })).toBeHidden();
});

test('tags are ordered by keys and merged, and the sample order follows a tax rate', { tag: once }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Mei Chen', 'taxonomy?kind=tag');
  // As above, of a tag that is merged or removed.
  watch.allowStatus(404);
  for (const name of ['Zigzag', 'Zebra']) {
    await page.getByRole('button', { name: en('office.taxon.add.tag') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(en('office.goods.name')).fill(name);
    await dialog.getByRole('button', { name: en('office.taxon.add.tag') }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goto('/office/taxonomy?kind=tag');
  }
  const up = page.getByRole('button', { name: `${en('office.moveUp')}: Zebra` });
  await up.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: /Zebra|Zigzag/ })).toHaveText([
    /Zebra/,
    /Zigzag/,
  ]);
  await expect(up).toBeFocused();
  await expectNoSeriousAxe(page);
  for (const [name, into] of [
    ['Zebra', 'zigzag'],
    ['Zigzag', ''],
  ] as const) {
    await page.getByRole('link', { name: new RegExp(name) }).click();
    await page.getByRole('button', { name: en('office.taxon.end') }).click();
    const dialog = page.getByRole('dialog');
    if (into === '')
      await dialog.getByRole('radio', { name: new RegExp(`^${en('office.taxon.remove')}`) }).check();
    else await dialog.getByLabel(en('office.taxon.mergeInto')).selectOption(into);
    await dialog
      .getByRole('button', { name: en(into === '' ? 'office.taxon.remove' : 'office.taxon.merge') })
      .click();
    await expect(page).toHaveURL(/taxonomy\?kind=tag$/);
    await expect(page.getByRole('link', { name: new RegExp(name) })).toBeHidden();
  }
  await page.goto('/office/money');
  const bill = page.locator('[data-bill]');
  await expect(bill).toContainText('HST 13%');
  await page.locator('[name="taxRates.ON.hstPercent"]').fill('20');
  await expect(bill).toContainText('HST 20%');
  await page.getByLabel(`${en('office.money.changeDay')}, Ontario`).fill('2099-01-01');
  await page.getByRole('button', { name: `${en('office.money.addChange')}: Ontario` }).click();
  await expect(page.getByRole('textbox', { name: /^HST, %, Ontario, Jan(?:uary)? 1, 2099$/ })).toHaveValue(
    '20',
  );
  await expectNoSeriousAxe(page);
  await page.getByRole('button', { name: en('office.document.discard') }).click();
  await expect(bill).toContainText('HST 13%');
});

test('a coupon is added with a name in both languages, and ended', { tag: [once, quick] }, async ({
  page,
  watch,
}) => {
  await enterAs({ page, watch }, 'Mei Chen', 'coupons');
  await page.getByRole('button', { name: en('office.coupon.add') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(en('office.coupon.code'), { exact: true }).fill('HARVEST15');
  await dialog.locator('[name="name.en"]').fill('Harvest week');
  await dialog.locator('[name="name.zh"]').fill('丰收周');
  await dialog.locator('[name="percent"]').fill('15');
  await expectNoSeriousAxe(page);
  await dialog.getByRole('button', { name: en('office.coupon.add') }).click();
  // Its page opens, for what a new coupon is not asked: products, categories, countries.
  await expect(page).toHaveURL(/\/office\/coupons\/HARVEST15$/);
  await expect(page.getByRole('heading', { level: 2, name: en('office.coupon.items') })).toBeVisible();
  await expectNoSeriousAxe(page);
  await page.goto('/office/coupons');
  const row = page.getByRole('listitem').filter({ hasText: 'HARVEST15' });
  await expect(row).toContainText(en('office.coupon.percentOff', { percent: 15 }));
  await expect(row).toContainText('Harvest week');
  await page.getByRole('button', { name: '简体中文' }).click();
  await expect(row).toContainText('丰收周');
  await page.getByRole('button', { name: 'English' }).click();
  await row.getByRole('button', { name: `${en('office.coupon.end')}: HARVEST15` }).click();
  await expect(row).toContainText(en('office.coupon.state.ended'));
  await expectNoSeriousAxe(page);
});
