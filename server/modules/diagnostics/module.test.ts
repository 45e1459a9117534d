/** What the shop still lacks, over HTTP. */

import { beforeAll, describe, expect, it } from 'vitest';
import { writeSetting } from '#server/modules/settings/settings.repository.ts';
import { askStaff, joinDemo, joinStaff, lookedFor } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { createSetup } from './module.ts';

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
        (await lacks(lang)).found?.findings.find(
          ({ level, text }) => level === 'warn' && text.includes('0.05'),
        );
      await expect.poll(() => found('en')).toMatchObject({ level: 'warn', room: '/money' });
      expect((await found('zh'))?.text).toMatch(/\p{Script=Han}/u);
      expect((await lacks('en')).steps.find(({ step }) => step === 'shop')?.done).toBe(true);
    });

    it('a long search runs once beside the answers, which have its findings when it ends', async () => {
      const { db, clock, services } = empty;
      let runs = 0;
      const found = Promise.withResolvers<{ findings: []; checked: number }>();
      const run = () => {
        runs += 1;
        return found.promise;
      };
      const lacks = createSetup({ ...services, db, now: clock.now, diagnostics: { run } });
      for (const answer of await Promise.all([lacks('en'), lacks('zh')]))
        expect(answer).toMatchObject({ found: null, looking: true });
      found.resolve({ findings: [], checked: 7 });
      await expect.poll(async () => (await lacks('en')).looking).toBe(false);
      expect(await lacks('en')).toMatchObject({ found: { findings: [], checked: 7 }, looking: false });
      expect(runs).toBe(1);
    });

    it('a search that fails is said once, and the next question begins another', async () => {
      const { db, clock, services } = empty;
      const runs = [
        Promise.reject(new Error('The disk is gone')),
        Promise.resolve({ findings: [], checked: 7 }),
      ];
      const run = () => runs.shift() ?? Promise.reject(new Error('It was looked for too often'));
      const lacks = createSetup({ ...services, db, now: clock.now, diagnostics: { run } });
      await expect(lacks('en')).rejects.toThrow('The disk is gone');
      await expect.poll(async () => (await lacks('en')).found?.checked).toBe(7);
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
      expect(
        warnings.slice(0, 3).map(({ text, room }) => [text.replace(/^\d+/, 'Many').slice(0, 24), room]),
      ).toEqual([
        ['Card payments are simula', '/money'],
        ['Emails to customers are ', '/connections'],
        ['Many SKUs are sold for 0', null],
      ]);
      expect(warnings[2]?.places.map(({ room }) => room)).toContainEqual(expect.stringMatching(/^\/goods\//));
    });
  });
});
