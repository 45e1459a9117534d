/** The texts of an email: written beside the email as it will look, tested, saved, and what a customer then gets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');

test.use({ locale: 'en-CA' });

function tests(): string[] {
  const folder = join(process.env.SHOP_DATA ?? '', 'outbox');
  const files = existsSync(folder)
    ? readdirSync(folder).filter((file) => /-emailTest-\w+\.eml$/.test(file))
    : [];
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}

test('an owner changes an email beside its picture, is told what cannot be sent, gets a test, saves it and brings it back', {
  tag: once,
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Mei Chen', 'desk');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: t('office.words'), exact: true })
    .first()
    .click();
  await page.getByRole('link', { name: new RegExp(`^${t('office.words.email.orderShipped')}`) }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('office.words.email.orderShipped'));

  const subject = page.getByLabel(`${t('office.words.subject')} (English)`, { exact: true });
  const shown = page.locator('[data-subject]');
  await expect(shown).toHaveText(/^Order \S+ has shipped – Maple & Clay$/);
  await subject.fill('On its way: ');
  await page
    .getByRole('button', {
      name: t('office.words.insertInto', {
        field: t('office.words.field.number'),
        text: t('office.words.subject'),
      }),
    })
    .click();
  await expect(subject).toHaveValue('On its way: {number}');
  await expect(subject).toBeFocused();
  await expect(shown).toHaveText(/^On its way: \S+-000204$/);

  const closing = page.getByLabel(`${t('office.words.closing')} (English)`, { exact: true });
  await closing.fill('Wrapped with <b>care</b>.');
  watch.allowStatus(400);
  await page.getByRole('button', { name: t('office.save'), exact: true }).click();
  await expect(closing).toHaveAttribute('aria-invalid', 'true');
  await expect(closing).toBeFocused();
  await closing.fill('Wrapped with care.\nUnpack gently.');
  const email = page.frameLocator('[data-preview] iframe');
  await expect(email.getByText('Wrapped with care.')).toBeVisible();
  await expectNoSeriousAxe(page);

  await page.getByRole('button', { name: t('office.words.sendTest') }).click();
  await expect(page.getByText(/was written to a file/)).toBeVisible();
  await expect.poll(() => tests().filter((mail) => /^Subject: Test: On its way:/m.test(mail)).length).toBe(1);

  await page.getByRole('button', { name: t('office.save'), exact: true }).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
  await page.goto('/office/words');
  const row = page.getByRole('listitem').filter({ hasText: t('office.words.when.orderShipped') });
  await expect(row).toContainText(t('office.words.changedIn', { languages: 'English' }));
  await expectNoSeriousAxe(page);

  await row.getByRole('link').click();
  await page.getByRole('button', { name: t('office.words.allDelivered') }).click();
  await expect(subject).toHaveValue('Order {number} has shipped – {shop}');
  await page.getByRole('button', { name: t('office.save'), exact: true }).click();
  await expect(page.getByText(t('office.document.saved'), { exact: true })).toBeVisible();
  await page.goto('/office/words');
  await expect(row).toContainText(t('office.words.delivered'));
});
