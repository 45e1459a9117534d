/** `coupon add|list|end`: creates and ends coupons, and lists them with their use. */

import { defaultLocale, localeCodes, locales } from '#contract/locales.ts';
import { formatMerchantMoney } from '#contract/money.ts';
import type { Services } from '#server/container.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { type Command, CommandError, type Terminal } from '../command.ts';
import { couponInput, couponOptions, unnamedIn } from '../coupon-input.ts';
import { readArgs, withShop } from '../shop.ts';

const otherNames = localeCodes
  .filter((locale) => locale !== defaultLocale)
  .map((locale) => `--name-${locale} "…"`)
  .join(' ');

const help = `npm run shop -- coupon add <code> --percent 10 | --amount 15.00 | --free-shipping
    --name "10% off"       what shoppers read; in other languages ${otherNames}
    --min 50.00            goods before discount have to come to this much
    --from 2026-12-01      first day, and --until 2026-12-31 the last one, by the shop's own clock
    --limit 100            so many uses in all
    --per-customer 1       so many uses by one customer, or by one email
    --countries CA,US      only for what goes there
npm run shop -- coupon list
npm run shop -- coupon end <code>`;

export const coupon: Command = {
  usage: 'add|list|end …',
  summary: 'Gives out coupons, lists them with their uses, ends them. `coupon help` says how.',
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
        throw new CommandError(`There is no coupon ${action}.\n\n${help}`);
    }
  },
};

async function add({ coupons, orders }: Services, args: readonly string[], terminal: Terminal): Promise<number> {
  const { timeZone, currency } = await orders.settings();
  const { positionals, values } = readArgs({ args: [...args], options: couponOptions, allowPositionals: true });
  if (positionals.length > 1) throw new CommandError(`One code at a time, please: ${positionals.join(', ')}.`);
  const input = couponInput(positionals[0], values, timeZone);
  if (!(await coupons.add(input)))
    throw new CommandError(`There is a coupon ${input.code} already. End it, or take another code.`);
  terminal.print(`Added ${input.code}: ${describe(input, currency, timeZone)}.`);
  for (const locale of unnamedIn(input)) {
    terminal.print(`It has no name in ${locales[locale].name}: who reads that sees the one in ${locales[defaultLocale].name}.`);
  }
  return 0;
}

async function list({ coupons, orders }: Services, terminal: Terminal): Promise<number> {
  const { timeZone, currency } = await orders.settings();
  const all = await coupons.list();
  if (all.length === 0) terminal.print('There are no coupons yet. `coupon help` says how to add one.');
  const width = Math.max(0, ...all.map(({ coupon }) => coupon.code.length));
  for (const { coupon: each, uses } of all) {
    const of = each.totalLimit === null ? '' : ` of ${each.totalLimit}`;
    const held = uses.held > 0 ? ` (${uses.held} being paid)` : '';
    terminal.print(
      `${each.code.padEnd(width)}  ${stateOf(each)}  used ${uses.total}${of}${held}: ${describe(each, currency, timeZone)}`,
    );
  }
  return 0;
}

async function end({ coupons }: Services, code: string | undefined, terminal: Terminal): Promise<number> {
  if (code === undefined) throw new CommandError('Name the code to end: npm run shop -- coupon end MOON26');
  if (!(await coupons.end(code))) throw new CommandError(`There is no coupon ${code}.`);
  terminal.print(`${code} has ended. Orders placed with it stay as they are; carts that carry it are told.`);
  return 0;
}

function stateOf({ startsAt, endsAt }: Coupon): 'soon ' | 'ended' | 'holds' {
  const now = Date.now();
  if (endsAt !== null && now >= endsAt) return 'ended';
  return startsAt !== null && now < startsAt ? 'soon ' : 'holds';
}

function describe(each: Coupon, currency: string, timeZone: string): string {
  const day = (at: number) => wallClock(at, timeZone).date;
  const what = {
    percent: `${each.percent / 1000} % off`,
    amount: `${formatMerchantMoney(each.amount, currency)} off`,
    freeShipping: 'free shipping',
  };
  return [
    what[each.kind],
    ...(each.minSubtotal > 0 ? [`from ${formatMerchantMoney(each.minSubtotal, currency)}`] : []),
    ...(each.countries.length > 0 ? [`to ${each.countries.join(', ')}`] : []),
    ...(each.startsAt === null ? [] : [`from ${day(each.startsAt)}`]),
    // The end is the first moment after the last day.
    ...(each.endsAt === null ? [] : [`until ${day(each.endsAt - 1)}`]),
    ...(each.customerLimit === null ? [] : [`${each.customerLimit} a customer`]),
  ].join(', ');
}
