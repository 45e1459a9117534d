import { beforeAll, expect, it } from 'vitest';
import { enter } from '#tests/coupons.ts';
import { sellProduct } from '#tests/products.ts';
import { add } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
    await sellProduct(testApp, 'MUG-OAT');
  });

  const coupon = (...args: string[]) => shopCommand(testApp, ['coupon', ...args]);

  it('the coupon command adds coupons that shoppers can use, lists them and ends them', async () => {
    const added = await coupon(
      'add',
      'Winter',
      '--percent',
      '12.5',
      '--name',
      'Winter',
      '--name-zh',
      '冬日',
      '--limit',
      '2',
      '--per-customer',
      '1',
    );
    expect(added).toEqual({ code: 0, printed: 'Created coupon Winter: 12.5% off, 1 per customer.' });
    const session = testApp.shopper();
    await add(testApp, session, 'MUG-OAT');
    expect((await enter(testApp, session, 'winter')).body.order.bill).toMatchObject({ discount: 400 });
    expect((await coupon('list')).printed).toMatch(
      /^Winter +active +used 0 of 2: 12\.5% off, 1 per customer$/m,
    );
    expect((await coupon('end', 'WINTER')).code).toBe(0);
    expect((await coupon('list')).printed).toMatch(/^Winter +ended /m);
    testApp.clock.set(Date.now());
    expect((await testApp.call('myCart', { session })).bill.coupon).toMatchObject({ state: 'expired' });
  });

  it('the coupon command changes what is given, leaves the rest, and takes limits off', async () => {
    await coupon(
      'add',
      'Change',
      '--percent',
      '10',
      '--min',
      '20',
      '--limit',
      '5',
      '--countries',
      'CA',
      '--until',
      '2036-03-09',
    );
    const changed = await coupon(
      'change',
      'change',
      '--percent',
      '15',
      '--products',
      'mug-oat',
      '--limit',
      'none',
      '--until',
      'none',
    );
    expect(changed).toEqual({
      code: 0,
      printed: 'Changed coupon Change: 15% off, minimum $20.00, products mug-oat, delivered to CA.',
    });
    expect(
      (await coupon('change', 'CHANGE', '--name', 'Teas', '--countries', 'none', '--products', 'none'))
        .printed,
    ).toBe('Changed coupon Change: 15% off, minimum $20.00.');
    expect((await coupon('change', 'CHANGE', '--products', 'nothing')).printed).toBe(
      '/coupons/Change/products must be the id of an existing product, found "nothing"',
    );
    expect((await coupon('change', 'NOPE', '--min', '1')).printed).toContain('Unknown coupon: NOPE');
    expect((await coupon('list')).printed).toContain('15% off, minimum $20.00\n');
  });

  it('coupon days follow the shop’s calendar, and the last day is included', async () => {
    expect(
      (
        await coupon(
          'add',
          'DAYS',
          '--amount',
          '5',
          '--min',
          '20',
          '--from',
          '2036-03-09',
          '--until',
          '2036-03-09',
        )
      ).printed,
    ).toContain('Created coupon DAYS: $5.00 off, minimum $20.00, from 2036-03-09, until 2036-03-09.');
    const row = await testApp.db.read
      .selectFrom('coupons')
      .selectAll()
      .where('code_key', '=', 'DAYS')
      .executeTakeFirstOrThrow();
    // In Toronto this day has 23 hours.
    expect((row.ends_at ?? 0) - (row.starts_at ?? 0)).toBe(23 * 3_600_000);
  });

  it('an amount has the decimals of the shop’s currency', async () => {
    await testApp.services.settings.update({
      currency: 'JPY',
      listFilters: { priceLimitsCents: [], tags: [] },
    });
    expect((await coupon('add', 'YEN', '--amount', '500', '--min', '2000')).printed).toContain(
      'JP¥500 off, minimum JP¥2,000',
    );
    expect((await testApp.container.coupons.find(testApp.db.read, 'YEN'))?.coupon).toMatchObject({
      amount: 500,
      minSubtotal: 2000,
    });
    expect(await coupon('change', 'YEN', '--amount', '5.50')).toEqual({
      code: 1,
      printed: '--amount must be an amount such as 1500, not 5.50.',
    });
    await testApp.services.settings.update({ currency: 'CAD' });
  });

  it.each([
    [['add'], "Missing required argument 'code'. Usage: npm run shop -- coupon add [options] <code>"],
    [['add', 'X', '--percent', '10'], 'Expected a code of 2 to 40 letters'],
    [['add', 'X1'], 'one of --percent, --amount or --free-shipping'],
    [['add', 'X1', '--percent', '10', '--amount', '5'], 'one of --percent'],
    [['add', 'X1', '--percent', '101'], 'at most 100'],
    [['add', 'X1', '--percent', 'ten'], '--percent must be a number'],
    [['add', 'X1', '--amount', '0'], '--amount must be more than 0'],
    [['add', 'X1', '--free-shipping', '--limit', '0'], '--limit must be a whole number'],
    [['add', 'X1', '--free-shipping', '--from', '2026-02-30'], '--from must be a day'],
    [
      ['add', 'X1', '--free-shipping', '--from', '2026-03-02', '--until', '2026-03-01'],
      '--until must not be before --from',
    ],
    [['add', 'X1', '--free-shipping', '--until', '2026-01-31'], '2026-01-31 is over'],
    [['add', 'X1', '--free-shipping', '--countries', 'Canada'], 'two-letter codes'],
    [['add', 'X1', '--free-shipping', '--categories', 'no-such'], 'must be the id of an existing category'],
    [['change', 'welcome10', '--percent', '5', '--amount', '5'], 'exactly one of'],
    [['add', 'X1', '--discount', '5'], "Unknown option '--discount'"],
    [['add', 'welcome10', '--percent', '5'], 'Coupon welcome10 already exists'],
    [['end'], "Missing required argument 'code'."],
    [['end', 'NOPE'], 'Unknown coupon: NOPE'],
    [['give'], "Unknown command 'give'"],
  ])('the coupon arguments %j are rejected with a hint how to fix them', async (args, words) => {
    const { code, printed } = await coupon(...args);
    expect(code).toBe(1);
    expect(printed).toContain(words);
  });

  it('the coupon command prints its usage', async () => {
    expect((await coupon('add', '--help')).printed).toContain('--per-customer <number>');
    expect((await coupon('help')).code).toBe(0);
  });
});
