/** Actions of a customer in their account. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { localizePath, type MessageKey } from '#contract/locales.ts';
import { readMail, temporaryPasswordIn } from '#tests/accounts.ts';
import type { Shop } from './shop.ts';

export const password = 'a pot of oolong at four';

export function newEmail(): string {
  return `mei.${randomUUID()}@example.com`;
}

/** A password's field: it has no role, only a label. */
export function secret(shop: Shop, key: MessageKey): Locator {
  return shop.main.getByLabel(shop.t(key), { exact: true });
}

export async function register(shop: Shop, email: string): Promise<void> {
  await shop.open('/account/signup');
  await shop.field('account.firstName').fill('Mei');
  await shop.field('account.lastName').fill('Tremblay');
  await shop.field('account.email').fill(email);
  await secret(shop, 'account.password').fill(password);
  await secret(shop, 'account.password.again').fill(password);
  await shop.button(shop.t('account.signup.submit')).click();
  await expect(shop.heading).toHaveText(shop.t('account.menu.title'));
}

/** Registers without the screen, for tests of what comes after. */
export async function registered(shop: Shop): Promise<string> {
  const email = newEmail();
  await shop.call('clientRegistration', {
    body: { firstName: 'Mei', lastName: 'Tremblay', email, password },
  });
  return email;
}

/** Fills in the sign-in form once it is on the screen: others before it have a field of the same name. */
export async function fillLogin(shop: Shop, page: Page, email: string, secretWord: string): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.getByRole('button', { name: shop.t('account.login.submit'), exact: true })).toBeVisible();
  await main.getByRole('textbox', { name: shop.t('account.email'), exact: true }).fill(email);
  await main.getByLabel(shop.t('account.password'), { exact: true }).fill(secretWord);
  await main.getByRole('button', { name: shop.t('account.login.submit'), exact: true }).click();
}

export async function expectPath(page: Page, shop: Shop, path: string): Promise<void> {
  await expect(page).toHaveURL((url) => url.pathname === localizePath(path, shop.lang));
}

/** The temporary password that was mailed to an address; waits until the mail is there. */
export async function mailedPassword(email: string): Promise<string> {
  const folder = join(process.env.SHOP_DATA ?? '', 'outbox');
  const find = () => {
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : [];
    const mails = files
      .map((file) => readMail(join(folder, file)))
      .filter(({ headers }) => headers.to?.includes(email));
    return mails.map(temporaryPasswordIn).find(Boolean) ?? '';
  };
  await expect.poll(find, { timeout: 20_000 }).not.toBe('');
  return find();
}
