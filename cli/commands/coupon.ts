/** `coupon add|change|list|end`: creates, changes and ends coupons, and lists them with their use. */
import { countryCodes } from '#contract/countries.ts';
import { formatMerchantMoney } from '#contract/formatters.ts';
import { defaultLocale, type Locale, type LocalText, localeCodes, locales } from '#contract/locales.ts';
import { decimalText, parseAmount } from '#contract/money.ts';
import type { Reader } from '#db/database.ts';
import type { Services } from '#server/container.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { couponContent } from '#server/modules/orders/index.ts';
import type { Coupon } from '#server/modules/pricing/index.ts';
import { dayMs, instantAt, isCalendarDay, wallClock } from '#server/platform/time-zone.ts';
import {
  CommandError,
  type CommandSetup,
  listOf,
  printTable,
  problemLines,
  type ShopCommand,
  type Terminal,
  withShop,
} from '../command.ts';

export const coupon: CommandSetup = (program, terminal) => {
  const command = program.command('coupon').description('Creates, changes, lists and ends coupons.');
  const creating = command.command('add <code>');
  creating.description('Creates a coupon of one kind: --percent, --amount or --free-shipping.');
  addCouponOptions(creating);
  creating.changes('id', (code: string, values: CouponValues) =>
    withShop(terminal, async (shop, run) => {
      const { coupons } = shop;
      const settings = await shop.orders.settings();
      const { timeZone, currency } = settings;
      const input = couponInput(code, values, settings, Date.now());
      const add = async (change: Change) => {
        await requireSound(shop, terminal, change.trx, input);
        return coupons.add(change, input);
      };
      if (!(await run(add)))
        throw new CommandError(`Coupon ${input.code} already exists. Choose another code.`);
      terminal.print(`Created coupon ${input.code}: ${describe(input, currency, timeZone)}.`);
      for (const locale of unnamedIn(input))
        terminal.print(
          `No name in ${locales[locale].name}: the ${locales[defaultLocale].name} name is shown instead.`,
        );
    }),
  );
  const changing = command.command('change <code>');
  changing.description(
    'Changes what is given of a coupon; none takes a limit off. Orders placed with it are unchanged.',
  );
  addCouponOptions(changing);
  changing.changes('same', (code: string, values: CouponValues) =>
    withShop(terminal, async (shop, run) => {
      const settings = await shop.orders.settings();
      const { timeZone, currency } = settings;
      const changed = await run(async (change) => {
        await shop.coupons.lock(change.trx);
        const before = await shop.coupons.byCode(change.trx, code);
        if (!before) throw unknownCoupon(code);
        const input = couponInput(before.code, values, settings, Date.now(), before);
        await requireSound(shop, terminal, change.trx, input);
        await shop.coupons.put(change, input);
        return input;
      });
      terminal.print(`Changed coupon ${changed.code}: ${describe(changed, currency, timeZone)}.`);
    }),
  );
  const list = command.command('list').description('Lists the coupons with their use.');
  list.reads(() => withShop(terminal, (shop) => printCoupons(shop, terminal)));
  const end = command
    .command('end <code>')
    .description('Ends a coupon. Orders placed with it are unchanged.');
  end.changes('same', (code: string) =>
    withShop(terminal, async ({ coupons }, run) => {
      if (!(await run((change) => coupons.end(change, code)))) throw unknownCoupon(code);
      terminal.print(
        `Ended coupon ${code}. Orders placed with it are unchanged; carts with it lose the discount.`,
      );
    }),
  );
};

const unknownCoupon = (code: string) =>
  new CommandError(`Unknown coupon: ${code}. Run "npm run shop -- coupon list" to see all coupons.`);

/** @throws {CommandError} for what no form or file could have */
async function requireSound(
  { coupons }: Services,
  terminal: Terminal,
  reader: Reader,
  input: Coupon,
): Promise<void> {
  const found = await coupons.problemsOf(couponContent(input), {}, reader);
  const problems = found.map((each) => ({ ...each, path: ['coupons', input.code, ...each.path] }));
  if (problems.length > 0) throw new CommandError(problemLines(problems, terminal).join('\n'));
}

async function printCoupons({ coupons, orders }: Services, terminal: Terminal): Promise<void> {
  const { timeZone, currency } = await orders.settings();
  const all = await coupons.list();
  if (all.length === 0)
    terminal.print('No coupons. Run "npm run shop -- coupon add --help" to see how to create one.');
  const rows = all.map(({ coupon: each, uses }) => {
    const of = each.totalLimit === null ? '' : ` of ${each.totalLimit}`;
    const held = uses.held > 0 ? ` (${uses.held} in pending payments)` : '';
    return [
      each.code,
      stateOf(each),
      `used ${uses.total}${of}${held}: ${describe(each, currency, timeZone)}`,
    ];
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
    ...(each.products.length > 0 ? [`products ${each.products.join(', ')}`] : []),
    ...(each.categories.length > 0 ? [`categories ${each.categories.join(', ')}`] : []),
    ...(each.countries.length > 0 ? [`delivered to ${each.countries.join(', ')}`] : []),
    ...(each.startsAt === null ? [] : [`from ${day(each.startsAt)}`]),
    // The end is the first moment after the last day.
    ...(each.endsAt === null ? [] : [`until ${day(each.endsAt - 1)}`]),
    ...(each.customerLimit === null ? [] : [`${each.customerLimit} per customer`]),
  ].join(', ');
}

const otherLocales = localeCodes.filter((locale) => locale !== defaultLocale);

/** The options as typed. The names in other languages are `nameZh` and so on. */
type CouponValues = Partial<Record<string, string>> & {
  percent?: string;
  amount?: string;
  freeShipping?: string;
  name?: string;
  min?: string;
  from?: string;
  until?: string;
  limit?: string;
  perCustomer?: string;
  countries?: string;
  products?: string;
  categories?: string;
};

function addCouponOptions(command: ShopCommand): void {
  command.option('--percent <number>', 'Takes this percentage off, such as 12.5.');
  command.option('--amount <amount>', 'Takes this amount off, such as 15.00.');
  command.option('--free-shipping', 'Ships free of charge.');
  command.option('--name <name>', 'The name that customers see.');
  for (const locale of otherLocales)
    command.option(`--name-${locale} <name>`, `The name in ${locales[locale].name}.`);
  command.option('--min <amount>', 'The minimum subtotal before discounts.');
  command.option('--from <day>', "The first day, such as 2026-12-01, in the shop's time zone.");
  command.option('--until <day>', 'The last day.');
  command.option('--limit <number>', 'The maximum number of uses.');
  command.option('--per-customer <number>', 'The maximum number of uses per customer or email.');
  command.option('--countries <codes>', 'Only for orders delivered to these countries: CA,US.');
  command.option(
    '--products <ids>',
    'Only for these products, and those of the categories: river-mug,gift-box.',
  );
  command.option('--categories <ids>', 'Only for products of these categories, and of those below them.');
}

const plain: Omit<Coupon, 'code' | 'name' | 'kind'> = {
  percent: 0,
  amount: 0,
  minSubtotal: 0,
  countries: [],
  products: [],
  categories: [],
  startsAt: null,
  endsAt: null,
  totalLimit: null,
  customerLimit: null,
};

/**
 * Days are those of the shop's time zone, the last one included. `now` is epoch ms. What is not given stays as it was `before`.
 * @throws {CommandError} naming the invalid argument
 */
function couponInput(
  code: string,
  values: CouponValues,
  { timeZone, currency }: { timeZone: string; currency: string },
  now: number,
  before: Coupon | null = null,
): Coupon {
  if (!/^[\p{L}\p{N}._-]{2,40}$/u.test(code)) {
    throw new CommandError('Expected a code of 2 to 40 letters, digits, dots, dashes and underscores.');
  }
  const kinds = [values.percent, values.amount, values.freeShipping].filter((kind) => kind !== undefined);
  if (kinds.length > 1 || (kinds.length === 0 && !before))
    throw new CommandError('Expected exactly one of --percent, --amount or --free-shipping.');
  const percent = values.percent === undefined ? 0 : number(values.percent, '--percent', 3);
  if (percent > 100_000 || (values.percent !== undefined && percent === 0)) {
    throw new CommandError('--percent must be more than 0 and at most 100.');
  }
  const amount = values.amount === undefined ? 0 : money(values.amount, '--amount', currency);
  if (values.amount !== undefined && amount === 0) throw new CommandError('--amount must be more than 0.');
  const { from: first = 'none', until: last = 'none' } = values;
  const from = first === 'none' ? null : startOf(first, '--from', timeZone);
  const until = last === 'none' ? null : startOf(dayAfter(last), '--until', timeZone);
  const startsAt = values.from === undefined && before ? before.startsAt : from;
  const endsAt = values.until === undefined && before ? before.endsAt : until;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw new CommandError('--until must not be before --from.');
  if (until !== null && until <= now)
    throw new CommandError(
      `--until must not be in the past: ${values.until} is over, so the coupon would never be valid.`,
    );
  const kind =
    values.percent !== undefined ? 'percent' : values.amount !== undefined ? 'amount' : 'freeShipping';
  const { countries, products, categories, min, limit: total, perCustomer } = values;
  return {
    ...plain,
    ...before,
    code,
    name: nameOf(code, values, before),
    ...(kinds.length === 1 || !before ? { kind, percent, amount } : { kind: before.kind }),
    ...(min !== undefined && { minSubtotal: min === 'none' ? 0 : money(min, '--min', currency) }),
    ...(countries !== undefined && { countries: listOf(countries).map(country) }),
    ...(products !== undefined && { products: listOf(products) }),
    ...(categories !== undefined && { categories: listOf(categories) }),
    startsAt,
    endsAt,
    ...(total !== undefined && { totalLimit: limit(total, '--limit') }),
    ...(perCustomer !== undefined && { customerLimit: limit(perCustomer, '--per-customer') }),
  };
}

function nameOf(code: string, values: CouponValues, before: Coupon | null): LocalText {
  const given = otherLocales.flatMap((locale) => {
    const name = values[`name${locale.charAt(0).toUpperCase()}${locale.slice(1)}`];
    return name === undefined ? [] : [[locale, name] as const];
  });
  return {
    [defaultLocale]: code,
    ...before?.name,
    ...(values.name && { [defaultLocale]: values.name }),
    ...Object.fromEntries(given),
  };
}

function unnamedIn({ name }: Coupon): Locale[] {
  return otherLocales.filter((locale) => name[locale] === undefined);
}

/** Parses a number with at most that many decimals into an integer of its smallest unit. */
function number(text: string, option: string, decimals: number): number {
  const [, whole, part = ''] = new RegExp(`^(\\d{1,7})(?:\\.(\\d{1,${decimals}}))?$`).exec(text.trim()) ?? [];
  if (whole === undefined)
    throw new CommandError(`${option} must be a number such as 10 or 12.5, not ${text}.`);
  return Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, '0'));
}

/** In the smallest units of the currency. @throws {CommandError} for more decimals than it has */
function money(text: string, option: string, currency: string): number {
  const amount = /^\d{1,7}(?:\.\d{1,4})?$/.test(text.trim()) ? parseAmount(text, currency) : null;
  if (amount === null)
    throw new CommandError(
      `${option} must be an amount such as ${decimalText(1500, currency)}, not ${text}.`,
    );
  return amount;
}

function limit(text: string, option: string): number | null {
  if (text === 'none') return null;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandError(`${option} must be a whole number from 1, not ${text}.`);
  return Number(text);
}

function country(text: string): string {
  const code = text.trim().toUpperCase();
  if (!countryCodes.includes(code))
    throw new CommandError(`--countries must be two-letter codes separated by commas, not ${text}.`);
  return code;
}

function startOf(date: string, option: string, timeZone: string): number {
  // Where clocks skip midnight, the day begins at 01:00.
  const at = isCalendarDay(date) ? (instantAt(date, 0, timeZone) ?? instantAt(date, 60, timeZone)) : null;
  if (at === null) throw new CommandError(`${option} must be a day such as 2026-12-31, not ${date}.`);
  return at;
}

function dayAfter(date: string): string {
  return isCalendarDay(date)
    ? new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
    : '';
}
