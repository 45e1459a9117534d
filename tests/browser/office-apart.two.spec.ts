/** With an address of its own, the office is out of reach of what runs on the shop's payment page. */
import { execFileSync } from 'node:child_process';
import { staffTranslate } from '#contract/staff/messages.ts';
import { freePort } from '../free-port.ts';
import { expect, once, test } from './fixtures.ts';
import { fillCart } from './paying.ts';
import { type RunningShop, startShop } from './server.ts';

/** Both names are this machine's and one site to a browser, as www.shop.example and office.shop.example are. */
const [shopHost, officeHost] = ['www.shop.localhost', 'office.shop.localhost'];

/** What a script that a provider serves could do: use the calls of the office from the page on which it runs. */
const attack = (office: string) => `(async () => {
  const attempt = (url, init) => fetch(url, { credentials: 'include', ...init }).then(({ status }) => status, () => 'blocked');
  const headers = { 'x-client-token': 'shopwright-office' };
  const reached = {};
  for (const [name, origin] of [['shop', ''], ['office', '${office}']]) {
    reached[name + ' read'] = await attempt(origin + '/api/staff/me', { headers });
    reached[name + ' sign-out'] = await attempt(origin + '/api/staff/sign-out', { method: 'POST', headers });
    reached[name + ' document'] = await attempt(origin + '/office');
    reached[name + ' plain post'] = await attempt(origin + '/api/staff/sign-out', { method: 'POST', mode: 'no-cors' });
  }
  window.reached = reached;
})();`;

test('a provider’s script on the payment page reaches no call of the office', { tag: once }, async ({
  shop,
  page,
  watch,
  lang,
}) => {
  const port = await freePort();
  const office = `http://${officeHost}:${port}`;
  const server: RunningShop = await startShop({
    DEMO: '1',
    PORT: String(port),
    OFFICE_URL: office,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_apart',
    STRIPE_SECRET_KEY: 'sk_test_apart',
    STRIPE_WEBHOOK_SECRET: 'whsec_apart',
    STRIPE_API_URL: 'http://127.0.0.1:9',
  });
  try {
    watch.allow(/Content Security Policy|sign-out|api\/staff|\/office|stripe/);
    watch.allowStatus(401);
    watch.allowStatus(404);
    const t = staffTranslate(lang);
    const invited = execFileSync(
      process.execPath,
      ['cli/index.ts', 'staff', 'invite', 'apart@shop.example'],
      {
        env: { ...process.env, DATA_DIR: server.dataDir, OFFICE_URL: office },
        encoding: 'utf8',
      },
    );
    await page.goto(invited.trim());
    await page.getByLabel(t('office.name'), { exact: true }).fill('Mei');
    await page.getByLabel(t('office.newPassword')).fill('seven blue lamps');
    await page.getByRole('button', { name: t('office.join'), exact: true }).click();
    const signedIn = page.getByRole('button', { name: t('office.signOut'), exact: true });
    await expect(signedIn).toBeVisible();

    await page.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: attack(office) }),
    );
    // The shop's own calls go to an address that the test resolves too; the browser then has the session under the shop's name.
    await page.goto(`${server.address}/`);
    const before = page.request.fetch.bind(page.request);
    page.request.fetch = (url, options) => before(new URL(String(url), server.address).href, options);
    await fillCart(shop);
    const cookies = await page.context().cookies(server.address);
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, domain: shopHost })));
    await page.goto(`http://${shopHost}:${port}${shop.url('/payment')}`);
    await expect
      .poll(() => page.evaluate(() => (window as { reached?: unknown }).reached))
      .toEqual({
        'shop read': 404,
        'shop sign-out': 404,
        'shop document': 404,
        'shop plain post': 404,
        'office read': 'blocked',
        'office sign-out': 'blocked',
        'office document': 'blocked',
        'office plain post': 'blocked',
      });
    await page.goto(`${office}/office`);
    await expect(signedIn).toBeVisible();
  } finally {
    await server.stop();
  }
});
