/** Stock-takes on a phone: codes by the camera, by a scanner that types, and without a network. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { staffTranslate } from '#contract/staff/messages.ts';
import { expectNoSeriousAxe } from './accessibility.ts';
import { filmBarcodes } from './barcode-film.ts';
import { chromiumPaths, chromiumSwitches } from './chromium.ts';
import { expect, once, quick, test } from './fixtures.ts';
import { enterAs } from './office.ts';

const t = staffTranslate('en');
const folder = mkdtempSync(join(tmpdir(), 'barcodes-'));
const film = join(folder, 'film.y4m');
const codes = [
  { format: 'EAN13', text: '4006381333931' },
  { format: 'EAN8', text: '96385074' },
  { format: 'UPCA', text: '036000291452' },
  { format: 'Code128', text: 'SHELF-0042' },
  { format: 'QRCode', text: 'https://id.gs1.org/01/09506000134352' },
] as const;

test.use({
  locale: 'en-CA',
  permissions: ['camera'],
  launchOptions: {
    executablePath: chromiumPaths()[0],
    args: [
      ...chromiumSwitches(),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  },
});

test.beforeAll(() => filmBarcodes(film, codes));
test.afterAll(() => rmSync(folder, { recursive: true }));

test('a store is counted by camera, scanner and without a network, and its differences show before they are booked', {
  tag: [once, quick],
}, async ({ page, watch }) => {
  await enterAs({ page, watch }, 'Noah Okafor', 'stock');
  await page.getByRole('link', { name: t('office.stock.takes') }).click();
  await page.getByRole('button', { name: t('office.take.start') }).click();
  await page.getByRole('button', { name: t('office.take.camera') }).click();
  const counted = page.getByRole('listitem');
  for (const { text } of codes)
    await expect(counted.filter({ hasText: text.replace(/^0(?=\d{11}$)/, '') }).first()).toBeVisible({
      timeout: 40_000,
    });
  await page.getByRole('button', { name: t('office.take.cameraOff') }).click();
  // A scanner that types, while a button has the focus: as quickly as it does, however busy this machine is.
  await page.getByRole('button', { name: t('office.take.camera') }).focus();
  await page.evaluate(
    (keys) => {
      const press = { bubbles: true, cancelable: true };
      for (const key of keys)
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, ...press }));
    },
    [...'MC-SW-01', 'Enter'],
  );
  await expect(counted.filter({ hasText: 'MC-SW-01' })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  await expectNoSeriousAxe(page);
  await page.context().setOffline(true);
  watch.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.getByLabel(t('office.take.code')).fill('MC-SW-01');
  await page.getByLabel(t('office.take.units')).fill('12');
  await page.getByRole('button', { name: t('office.take.add'), exact: true }).click();
  const waiting = page.getByText(t('office.take.waiting', { count: 1 }));
  await expect(waiting).toBeVisible();
  await page.close();
  const again = await page.context().newPage();
  await page.context().setOffline(false);
  await again.goto(page.url());
  await expect(
    again
      .getByRole('listitem')
      .filter({ hasText: t('office.take.found') })
      .first(),
  ).toContainText('13');
  await again.getByRole('button', { name: t('office.take.review') }).click();
  await expect(again.getByRole('row').filter({ hasText: 'MC-SW-01' })).toContainText('13');
  await expect(again.getByText(/SHELF-0042 × \d/)).toBeVisible();
  await expectNoSeriousAxe(again);
  await again
    .getByRole('button', { name: t('office.take.end') })
    .first()
    .click();
  await again
    .getByRole('alertdialog')
    .getByRole('button', { name: t('office.take.end') })
    .click();
  await expect(again.getByText(t('office.take.endedNow'))).toBeVisible();
});
