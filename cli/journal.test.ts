import { expect, it } from 'vitest';
import { plainCoupon } from '#tests/coupons.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

forEachEngine((engine) => {
  it('the journal says when, by whom and by which command a value changed from what to what', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    expect(await shopCommand(testApp, ['settings', 'set', 'lowStockThreshold', '7'])).toMatchObject({ code: 0 });
    const { printed } = await shopCommand(testApp, ['journal', '--limit', '1']);
    expect(printed).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d-0[45]:00 {2}settings set, by the terminal: setting lowStockThreshold: lowStockThreshold 5 → 7\nOlder entries: npm run shop -- journal --before \d+$/,
    );
    const chinese = await shopCommand(testApp, ['journal', 'setting', 'lowStockThreshold'], { LANG: 'zh_CN.UTF-8' });
    expect(chinese.printed).toContain('settings set, 终端: 设置 lowStockThreshold: lowStockThreshold 5 → 7');
    expect((await shopCommand(testApp, ['--lang', 'zh', 'journal', 'page', 'nothing'])).printed).toBe('没有记录。');
    expect((await shopCommand(testApp, ['journal', '--since', '2999-01-01'])).printed).toBe('No entries.');
  });

  it('pages of the journal follow each other without a gap', async () => {
    const testApp = await createTestApp({ engine });
    for (const code of ['ONE', 'TWO', 'THREE']) await testApp.services.coupons.add({ ...plainCoupon, code });
    const first = (await shopCommand(testApp, ['journal', 'coupon', '--limit', '2'])).printed;
    expect(first).toMatch(/THREE\n.*TWO\nOlder entries: npm run shop -- journal coupon --before 2$/);
    expect((await shopCommand(testApp, ['journal', 'coupon', '--before', '2'])).printed).toMatch(/coupon ONE$/);
  });
});
