/** `coupon add|list|end`: creates and ends coupons, and lists them with their use. */

import { defaultLocale, localeCodes, locales } from '#contract/locales.ts';
import { formatMerchantMoney } from '#contract/money.ts';
import type { Services } from '#server/container.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { type Command, CommandError, type Terminal, usageError } from '../command.ts';
import { couponInput, couponOptions, couponUsage, unnamedIn } from '../coupon-input.ts';
import { readArgs, withShop } from '../shop.ts';

/** The length of `scheduled`, the longest state. */
const stateWidth = 9;
const otherNames = localeCodes
  .filter((locale) => locale !== defaultLocale)
  .map((locale) => `--name-${locale} "…"`)
  .join(' ');

const help = `Usage:
npm run shop -- ${couponUsage}
    --name "10% off"       name shown to customers; in other languages ${otherNames}
    --min 50.00            minimum subtotal before discounts
    --from 2026-12-01      first day, and --until 2026-12-31 the last day, in the shop's time zone
    --limit 100            maximum number of uses
    --per-customer 1       maximum number of uses per customer or email
    --countries CA,US      only for orders delivered to these countries
npm run shop -- coupon list
npm run shop -- coupon end <code>`;

export const coupon: Command = {
  usage: 'add|list|end …',
  summary: 'Creates, lists and ends coupons. Run `coupon help` for options.',
  async run([action = 'help', ...args], terminal) {
    switch (action) {
      case 'add':
        return withShop(terminal, (shop) => add(shop, args, terminal));
      case 'list':
        return withShop(terminal, (shop) => list(shop, terminal));
      case 'end':
        return withShop(terminal, (shop) => end(shop, args[0], terminal));
      case 'help':
      case '--help':
        terminal.print(help);
        return 0;
      default:
        throw new CommandError(`Unknown action: coupon ${action}.\n\n${help}`);
    }
  },
};

async function add({ coupons, orders }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const { timeZone, currency } = await orders.settings();
  const { positionals, values } = readArgs({ args: [...args], options: couponOptions, allowPositionals: true }, couponUsage);
  if (positionals.length > 1) throw usageError(`Expected one code, not ${positionals.join(', ')}.`, couponUsage);
  const input = couponInput(positionals[0], values, timeZone);
  if (!(await coupons.add(input))) throw new CommandError(`Coupon ${input.code} already exists. Choose another code.`);
  terminal.print(`Created coupon ${input.code}: ${describe(input, currency, timeZone)}.`);
  for (const locale of unnamedIn(input)) {
    terminal.print(`No name in ${locales[locale].name}: the ${locales[defaultLocale].name} name is shown instead.`);
  }
  return 0;
}

async function list({ coupons, orders }: Services, terminal: Terminal): Promise<number> {
  const { timeZone, currency } = await orders.settings();
  const all = await coupons.list();
  if (all.length === 0) terminal.print('No coupons. Run "npm run shop -- coupon help" to see how to create one.');
  const width = Math.max(0, ...all.map(({ coupon }) => coupon.code.length));
  for (const { coupon: each, uses } of all) {
    const of = each.totalLimit === null ? '' : ` of ${each.totalLimit}`;
    const held = uses.held > 0 ? ` (${uses.held} in pending payments)` : '';
    terminal.print(
      `${each.code.padEnd(width)}  ${stateOf(each).padEnd(stateWidth)}  used ${uses.total}${of}${held}: ${describe(each, currency, timeZone)}`,
    );
  }
  return 0;
}

async function end({ coupons }: Services, code: string | undefined, terminal: Terminal): Promise<number> {
  if (code === undefined) throw usageError('Missing code.', 'coupon end <code>');
  if (!(await coupons.end(code)))
    throw new CommandError(`Unknown coupon: ${code}. Run "npm run shop -- coupon list" to see all coupons.`);
  terminal.print(`Ended coupon ${code}. Orders placed with it are unchanged; carts with it lose the discount.`);
  return 0;
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
