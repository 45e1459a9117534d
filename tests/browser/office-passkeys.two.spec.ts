/** Passkeys with a device that Chromium simulates: making one, signing in with it, showing it again, and what is refused. */
import { randomUUID } from 'node:crypto';
import { clientTokenHeader, requestKeyHeader, staffToken } from '#contract/limits.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { expect, once, test } from './fixtures.ts';
import { invitationFor, staffPassword as password } from './office.ts';

test(
  'a passkey signs in, counts as a second factor, is shown again for staff, and works once an answer',
  { tag: once },
  async ({ page, lang, watch }, { project }) => {
    const t = staffTranslate(lang);
    watch.allowStatus(401);
    watch.allowStatus(403);
    // A passkey belongs to a name; an address in numbers can have none.
    const origin = (process.env.SHOP_ADDRESS ?? '').replace('127.0.0.1', 'localhost');
    const email = `key.${project.name.replaceAll(/\W/g, '')}@shop.example`;
    const invitation = invitationFor(email);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const staffRoom = page
      .getByRole('navigation')
      .getByRole('link', { name: t('office.staff'), exact: true });

    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });

    await page.goto(origin + invitation);
    await page.getByLabel(t('office.name'), { exact: true }).fill('Mei');
    await page.getByLabel(t('office.newPassword')).fill(password);
    await button(t('office.join')).click();
    await expect(staffRoom).toHaveCount(0);
    await button(t('office.passkeyAdd')).click();
    await expect(button(t('office.passkeyRemove'))).toBeVisible();
    await expect(staffRoom).toBeVisible();
    await expectNoSeriousAxe(page);

    await button(t('office.signOut')).click();
    // The password alone is less than the account has.
    await page.getByLabel(t('office.email')).fill(email);
    await page.getByLabel(t('office.password')).fill(password);
    await button(t('office.signIn')).click();
    await expect(page.getByText(t('staff.passkeyNeeded'))).toBeVisible();
    await expectNoSeriousAxe(page);

    const answered = page.waitForRequest(/passkeys\/sign-in/);
    await button(t('office.passkeySignIn')).click();
    await expect(staffRoom).toBeVisible();
    const body = (await answered).postData();
    const headers = {
      [clientTokenHeader]: staffToken,
      [requestKeyHeader]: randomUUID(),
      'content-type': 'application/json',
    };
    const again = ([sent, withHeaders]: [string | null, Record<string, string>]) =>
      fetch('/api/staff/passkeys/sign-in', { method: 'POST', body: sent, headers: withHeaders }).then(
        ({ status }) => status,
      );
    expect(await page.evaluate(again, [body, headers] as [string | null, Record<string, string>])).toBe(401);

    // A device that does not check its owner is no second factor.
    await button(t('office.signOut')).click();
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await button(t('office.passkeySignIn')).click();
    await expect(page.getByText(t('office.passkeyRefused'))).toBeVisible();
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await button(t('office.passkeySignIn')).click();
    await expect(staffRoom).toBeVisible();

    await page.goto(`${origin}/office/account`);
    await button(t('office.passkeyRemove')).click();
    await expect(button(t('office.passkeyRemove'))).toHaveCount(0);
    await expect(staffRoom).toHaveCount(0);
  },
);
