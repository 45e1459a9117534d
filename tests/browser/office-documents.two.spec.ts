/** Editing a store: drafts that nothing loses, two editors, and the sample order beside the form. */
import type { Page } from '@playwright/test';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const [en, zh] = [staffTranslate('en'), staffTranslate('zh')];
/** The tests run beside each other. */
const [room, common, tried] = [
  'stores/ottawa-byward',
  'stores/waterloo-uptown',
  'stores/toronto-queen-west',
] as const;
const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
const saveButton = (page: Page, t = en) => page.getByRole('button', { name: t('office.save'), exact: true });
/** Another person's browser. */
async function otherPage(
  page: Page,
  watch: { allowStatus(status: number): void },
  shown: string = common,
): Promise<Page> {
  const context = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL(page.url()).origin, locale: 'en-CA' });
  const other = await context?.newPage();
  if (!other) throw new Error('The test has no browser');
  await enterAs({ page: other, watch }, 'Mei Chen', shown);
  return other;
}

test.use({ locale: 'en-CA' });

test('a draft outlives the tab, the network and a change of the language, and is saved after them', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', room);
  const street = field(page, 'address.street');
  const [before, phone] = [await street.inputValue(), await field(page, 'phone').inputValue()];
  await street.fill('1 Draft Street');
  await page.close({ runBeforeUnload: true });
  const again = await page.context().newPage();
  await again.goto(`/office/${room}`);
  await expect(field(again, 'address.street')).toHaveValue('1 Draft Street');
  await field(again, 'phone').fill('416 555 0123');
  await again.getByRole('button', { name: '简体中文' }).click();
  await expect(saveButton(again, zh)).toBeVisible();
  await expect(field(again, 'address.street')).toHaveValue('1 Draft Street');
  await expect(field(again, 'phone')).toHaveValue('416 555 0123');
  await again.getByRole('button', { name: 'English' }).click();
  await again.context().setOffline(true);
  await field(again, 'phone').fill('416 555 0124');
  await saveButton(again).click();
  await expect(again.getByRole('alert').first()).toBeVisible();
  await again.context().setOffline(false);
  await saveButton(again).click();
  await expect(again.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
  await again.reload();
  await expect(field(again, 'address.street')).toHaveValue('1 Draft Street');
  await expect(field(again, 'phone')).toHaveValue('416 555 0124');
  await field(again, 'address.street').fill(before);
  await field(again, 'phone').fill(phone);
  await saveButton(again).click();
  await expect(again.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
});

test('a field that somebody else saves shows at once, other fields merge, and the same field asks mine or theirs', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', common);
  const other = await otherPage(page, watch);
  const [name, phone] = [await field(page, 'name.en').inputValue(), await field(page, 'phone').inputValue()];
  await field(page, 'name.en').fill('My name');
  await field(other, 'phone').fill('416 555 0200');
  await saveButton(other).click();
  await expect(field(page, 'phone')).toHaveValue('416 555 0200');
  await expect(field(page, 'name.en')).toHaveValue('My name');
  await field(other, 'name.en').fill('Their name');
  await saveButton(other).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('My name');
  await expect(dialog).toContainText('Their name');
  await expectNoSeriousAxe(page);
  await dialog.getByRole('button', { name: en('office.document.take') }).click();
  await expect(field(page, 'name.en')).toHaveValue('My name');
  await saveButton(page).click();
  await expect(field(other, 'name.en')).toHaveValue('My name');
  await field(page, 'name.en').fill(name);
  await field(page, 'phone').fill(phone);
  await saveButton(page).click();
  await expect(page.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
  await other.context().close();
});

test('a value that one tab saves is shown by another at once, and differing amounts read as in their field', {
  tag: once,
}, async ({ page, watch }) => {
  const product = 'goods/moon-jar';
  // The tabs tell each other, also where the shop tells nothing. Of the tabs one hears the feed for all.
  watch.allow(/ERR_FAILED.*\/feed\b/);
  await page.context().route('**/feed', (route) => route.abort());
  await enterAs({ page, watch }, 'Mei Chen', product);
  const second = await page.context().newPage();
  await second.goto(`/office/${product}`);
  const price = field(second, 'priceCents');
  const before = await price.inputValue();
  await field(page, 'priceCents').fill('61');
  await expect(price).toHaveValue('61.00');
  // From before it is saved until the draft of both is gone.
  const shown = second.evaluate(async () => {
    const values = new Set<string>();
    const hasDraft = () => Object.keys(localStorage).some((key) => key.startsWith('office-draft'));
    for (let frames = 0; frames < 20; frames += hasDraft() ? 0 : 1) {
      values.add(document.querySelector<HTMLInputElement>('[name="priceCents"]')?.value ?? '');
      await new Promise(requestAnimationFrame);
    }
    return [...values];
  });
  await saveButton(page).click();
  await expect(page.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
  expect(await shown).toEqual(['61.00']);
  await expect(second.getByText(en('office.document.saved'), { exact: true })).toBeHidden();
  await second.close();
  await page.context().unroute('**/feed');
  await page.reload();
  const other = await otherPage(page, watch, product);
  await field(page, 'priceCents').fill('62');
  await field(other, 'priceCents').fill('58');
  await saveButton(other).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('radio', { name: '62.00' })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: '58.00' })).toBeVisible();
  await expectNoSeriousAxe(page);
  await dialog.getByRole('button', { name: en('office.document.take') }).click();
  await field(page, 'priceCents').fill(before);
  await saveButton(page).click();
  await expect(page.getByText(en('office.document.saved'), { exact: true })).toBeVisible();
  await other.context().close();
});

test('a problem stands at its field, and the sample order shows what an edit would do before it is saved', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', tried);
  watch.allowStatus(400);
  const monday = field(page, 'openingHours.monday.open');
  await monday.fill('9h');
  await saveButton(page).click();
  await expect(monday).toHaveAttribute('aria-invalid', 'true');
  await expectNoSeriousAxe(page);
  await page.getByRole('button', { name: en('office.document.discard') }).click();
  const times = page.locator('[data-times] li').first();
  // The day: the first time is a later one every five minutes.
  const [usual = ''] = (await times.innerText()).split(' ');
  await field(page, 'pickupLeadMinutes').fill('2880');
  await expect(times).not.toContainText(usual);
  await page.getByRole('button', { name: en('office.document.discard') }).click();
  await expect(times).toContainText(usual);
});
