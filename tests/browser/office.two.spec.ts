/** The office: joining by an invitation, the second factor, inviting somebody, the journal, and signing in again. */
import { generateSync } from 'otplib';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { invitationFor, staffPassword as password } from './office.ts';

test('the demo offers four people on the sign-in page, and each sees their own rooms', async ({
  page,
  lang,
  watch,
}) => {
  const t = staffTranslate(lang);
  // Nobody is signed in before.
  watch.allowStatus(401);
  await page.goto('/office');
  const people = page.getByRole('region', { name: t('office.demoTitle') }).getByRole('button');
  await expect(people).toHaveCount(4);
  await expectNoSeriousAxe(page);
  await people.filter({ hasText: 'Noah Okafor' }).click();
  await expect(page.getByRole('button', { name: t('office.signOut'), exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: t('office.staff'), exact: true })).toHaveCount(0);
  await page.goto('/office/account');
  await expect(page.getByText(t('office.demoAccount', { name: 'Noah Okafor' }))).toBeVisible();
  await page.getByRole('button', { name: t('office.signOut'), exact: true }).click();
  await people.filter({ hasText: 'Mei Chen' }).click();
  await expect(page.getByRole('link', { name: t('office.staff'), exact: true })).toBeVisible();
});

test(
  'an owner makes a role of ticks and finds it where people are invited',
  { tag: once },
  async ({ page, lang, watch }, { project }) => {
    const t = staffTranslate(lang);
    watch.allowStatus(401);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const name = `Till ${project.name}`;
    await page.goto('/office');
    await page.getByRole('button').filter({ hasText: 'Mei Chen' }).click();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: t('office.staff'), exact: true })
      .click();
    await button(t('office.newRole')).click();
    await button(t('office.save')).click();
    watch.allowStatus(400);
    await expect(page.getByText(t('staff.roleName'))).toBeVisible();
    await page.getByLabel(t('office.roleName')).fill(name);
    await page.getByRole('checkbox', { name: t('office.permission.orders.read') }).check();
    await expectNoSeriousAxe(page);
    await button(t('office.save')).click();
    await expect(page.getByText(name, { exact: true })).toBeVisible();
    await button(t('office.invite')).click();
    await page.getByLabel(t('office.role'), { exact: true }).selectOption({ label: name });
    await page.keyboard.press('Escape');
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByRole('button', { name: t('office.change') }).click();
    await button(t('office.removeRole')).click();
    await expect(row).toHaveCount(0);
  },
);

test('the first owner joins, secures the account, invites a colleague and finds it in the journal', async ({
  page,
  lang,
  watch,
}, { project }) => {
  const t = staffTranslate(lang);
  // Nobody is signed in before.
  watch.allowStatus(401);
  const email = `owner.${project.name.replaceAll(/\W/g, '')}@shop.example`;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const room = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  await page.goto(invitationFor(email));
  await page.getByLabel(t('office.name'), { exact: true }).fill('Mei');
  await expectNoSeriousAxe(page);
  await page.getByLabel(t('office.newPassword')).fill('short');
  await button(t('office.join')).click();
  await expect(page.getByLabel(t('office.newPassword'))).toBeFocused();
  await page.getByLabel(t('office.newPassword')).fill(password);
  await button(t('office.join')).click();

  await expect(room(t('office.staff'))).toHaveCount(0);
  await expect(button(t('office.secondFactorSetUp'))).toBeVisible();
  // The room's calls are begun before it is known who asks.
  watch.allowStatus(403);
  await page.goto('/office/coupons');
  await expect(page.getByText(t('staff.factorNeeded'))).toBeVisible();
  await page.getByRole('link', { name: t('office.secondFactorSetUp') }).click();
  await button(t('office.secondFactorSetUp')).click();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await expectNoSeriousAxe(page);
  await page.getByRole('textbox', { name: t('office.code') }).fill(generateSync({ secret }));
  await button(t('office.secondFactorConfirm')).click();
  const recovery = await page
    .getByText(/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/)
    .first()
    .innerText();

  await room(t('office.staff')).click();
  await button(t('office.invite')).click();
  await page.getByLabel(t('office.email')).fill(`li.${email}`);
  await page.getByRole('checkbox', { name: t('staff.allStores') }).uncheck();
  await button(t('office.makeLink')).click();
  await expect(page.getByText(t('staff.storeUnknown'))).toBeVisible();
  watch.allowStatus(400);
  await page.getByRole('checkbox').nth(1).check();
  await expectNoSeriousAxe(page);
  await button(t('office.makeLink')).click();
  await expect(page.getByLabel(t('office.link'), { exact: true })).toHaveValue(/\/office\/join#[\w-]{43}$/);
  await page.keyboard.press('Escape');
  await expect(page.getByText(`li.${email}`)).toBeVisible();
  await expectNoSeriousAxe(page);

  await room(t('office.journal')).click();
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: t('journal.did.staff-invite') })
      .filter({ hasText: 'Mei' })
      .first(),
  ).toBeVisible();
  await expectNoSeriousAxe(page);

  await button(t('office.signOut')).click();
  await page.getByLabel(t('office.email')).fill(email);
  await page.getByLabel(t('office.password')).fill(password);
  await button(t('office.signIn')).click();
  await page.getByRole('textbox', { name: t('office.code') }).fill(recovery);
  await button(t('office.signIn')).click();
  await expect(page.getByRole('heading', { name: t('office.journal') })).toBeVisible();
});
