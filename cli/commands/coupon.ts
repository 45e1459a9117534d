/** `coupon add|list|end`: creates and ends coupons, and lists them with their use. */

import { defaultLocale, locales } from '#contract/locales.ts';
import { formatMerchantMoney } from '#contract/money.ts';
import type { Services } from '#server/container.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { CommandError, type CommandSetup, printTable, type Terminal } from '../command.ts';
import { addCouponOptions, type CouponValues, couponInput, unnamedIn } from '../coupon-input.ts';
import { withShop } from '../shop.ts';

export const coupon: CommandSetup = (program, terminal) => {
  const command = program.command('coupon').description('Creates, lists and ends coupons.');
  const add = command.command('add <code>');
  add.description('Creates a coupon of one kind: --percent, --amount or --free-shipping.');
  addCouponOptions(add);
  add.action((code: string, values: CouponValues) =>
    withShop(terminal, async ({ coupons, orders }, run) => {
      const { timeZone, currency } = await orders.settings();
      const input = couponInput(code, values, timeZone, Date.now());
      if (!(await run((change) => coupons.add(change, input))))
        throw new CommandError(`Coupon ${input.code} already exists. Choose another code.`);
      terminal.print(`Created coupon ${input.code}: ${describe(input, currency, timeZone)}.`);
      for (const locale of unnamedIn(input))
        terminal.print(`No name in ${locales[locale].name}: the ${locales[defaultLocale].name} name is shown instead.`);
    }),
  );
  const list = command.command('list').description('Lists the coupons with their use.');
  list.action(() => withShop(terminal, (shop) => printCoupons(shop, terminal)));
  const end = command.command('end <code>').description('Ends a coupon. Orders placed with it are unchanged.');
  end.action((code: string) =>
    withShop(terminal, async ({ coupons }, run) => {
      if (!(await run((change) => coupons.end(change, code))))
        throw new CommandError(`Unknown coupon: ${code}. Run "npm run shop -- coupon list" to see all coupons.`);
      terminal.print(`Ended coupon ${code}. Orders placed with it are unchanged; carts with it lose the discount.`);
    }),
  );
};

async function printCoupons({ coupons, orders }: Services, terminal: Terminal): Promise<void> {
  const { timeZone, currency } = await orders.settings();
  const all = await coupons.list();
  if (all.length === 0) terminal.print('No coupons. Run "npm run shop -- coupon add --help" to see how to create one.');
  const rows = all.map(({ coupon: each, uses }) => {
    const of = each.totalLimit === null ? '' : ` of ${each.totalLimit}`;
    const held = uses.held > 0 ? ` (${uses.held} in pending payments)` : '';
    return [each.code, stateOf(each), `used ${uses.total}${of}${held}: ${describe(each, currency, timeZone)}`];
  });
  printTable(terminal, rows);
}

function stateOf({ startsAt, endsAt }: Coupon): 'scheduled' | 'active' | 'ended' {
  const now = Date.now();
  if (endsAt !== null && now >= endsAt) return 'ended';
  return startsAt !== null && now < startsAt ? 'scheduled' : 'active';
}

function describe(each: Coupon, currency: string, timeZone: string): string {
  const day = (at: number) => wallClock(at, timeZone).date;
  const what = {
    percent: `${each.percent / 1000}% off`,
    amount: `${formatMerchantMoney(each.amount, currency)} off`,
    freeShipping: 'free shipping',
  };
  return [
    what[each.kind],
    ...(each.minSubtotal > 0 ? [`minimum ${formatMerchantMoney(each.minSubtotal, currency)}`] : []),
    ...(each.countries.length > 0 ? [`delivered to ${each.countries.join(', ')}`] : []),
    ...(each.startsAt === null ? [] : [`from ${day(each.startsAt)}`]),
    // The end is the first moment after the last day.
    ...(each.endsAt === null ? [] : [`until ${day(each.endsAt - 1)}`]),
    ...(each.customerLimit === null ? [] : [`${each.customerLimit} per customer`]),
  ].join(', ');
}
