/** What the shop still lacks, over HTTP. */

import { beforeAll, describe, expect, it } from 'vitest';
import { writeSetting } from '#server/modules/settings/settings.repository.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

onBothEngines((engine) => {
  describe('the page of what the shop lacks', () => {
    let empty: TestApp;
    beforeAll(async () => {
      empty = await createTestApp({ engine });
    });

    it('an empty shop lacks every step, and a finding leads to the screen that mends it, in the language of whoever asks', async () => {
      const as = await joinStaff(empty, 'owner@shop.example');
      const lacks = async (lang: string) => {
        const { status, body } = await askStaff(empty, 'shopLacks', { as, query: { lang } });
        expect(status).toBe(200);
        return body;
      };
      expect((await lacks('en')).steps.filter(({ done }) => done)).toEqual([]);
      const { settings } = empty.services;
      // From before it was refused.
      const tiny = [{ provinceCode: 'ON', gstPercent: 0.05, pstPercent: 0, pstLabel: null, hstPercent: 0 }];
      await empty.db.transaction((trx) => writeSetting(trx, 'taxRates', tiny));
      await settings.update({
        shopName: { en: 'Cups' },
        contactEmail: 'hello@cups.example',
      });
      const found = async (lang: string) => (await lacks(lang)).findings.find(({ room }) => room === '/money');
      await expect.poll(() => found('en')).toMatchObject({ level: 'warn', text: expect.stringContaining('0.05') });
      expect((await found('zh'))?.text).toMatch(/\p{Script=Han}/u);
      expect((await lacks('en')).steps.find(({ step }) => step === 'shop')?.done).toBe(true);
    });
  });
});
