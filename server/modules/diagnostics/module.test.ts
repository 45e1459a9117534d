/** What the shop still lacks, over HTTP. */

import { beforeAll, describe, expect, it } from 'vitest';
import { writeSetting } from '#server/modules/settings/settings.repository.ts';
import { askStaff, joinDemo, joinStaff, lookedFor } from '#tests/staff.ts';
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
      const { settings } = empty.services;
      // From before it was refused.
      const tiny = [{ provinceCode: 'ON', gstPercent: 0.05, pstPercent: 0, pstLabel: null, hstPercent: 0 }];
      await empty.db.transaction((trx) => writeSetting(trx, 'taxRates', tiny));
      expect((await lacks('en')).steps.filter(({ done }) => done)).toEqual([]);
      await settings.update({
        shopName: { en: 'Cups' },
        contactEmail: 'hello@cups.example',
      });
      const found = async (lang: string) =>
        (await lacks(lang)).found?.findings.find(({ level, text }) => level === 'warn' && text.includes('0.05'));
      await expect.poll(() => found('en')).toMatchObject({ level: 'warn', room: '/money' });
      expect((await found('zh'))?.text).toMatch(/\p{Script=Han}/u);
      expect((await lacks('en')).steps.find(({ step }) => step === 'shop')?.done).toBe(true);
    });

    it('findings that cost money stand first, and each kind on one line', async () => {
      const demo = await createTestApp({ engine, demo: true });
      const as = await joinDemo(demo, 'demo-mei');
      await demo.db.transaction(async (trx) => {
        await trx.updateTable('skus').set({ price_cents: 0 }).where('price_cents', '>', 10_000).execute();
        await writeSetting(trx, 'taxRates', []);
      });
      const { findings } = await lookedFor(demo, as);
      const texts = findings.map(({ text }) => text);
      expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
      expect(texts.filter((text) => text.includes('shipped there'))).toHaveLength(1);
      const warnings = findings.filter(({ level }) => level === 'warn');
      expect(warnings.slice(0, 3).map(({ text, room }) => [text.replace(/^\d+/, 'Many').slice(0, 24), room])).toEqual([
        ['Card payments are simula', '/money'],
        ['Emails to customers are ', '/connections'],
        ['Many SKUs are sold for 0', null],
      ]);
      expect(warnings[2]?.places.map(({ room }) => room)).toContainEqual(expect.stringMatching(/^\/goods\//));
    });
  });
});
