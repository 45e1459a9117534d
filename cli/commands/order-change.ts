/** `orders change`: adds, changes and removes lines of a placed order. */
import { formatMerchantMoney } from '#contract/formatters.ts';
import { inLocale } from '#contract/locales.ts';
import type { LineChange } from '#contract/schemas/order.ts';
import type { ChangePlan } from '#server/modules/checkout/index.ts';
import { CommandError, printable, type ShopCommand, type Terminal, withShop } from '../command.ts';
import { collect, count, type Lines, lineNamed, split } from './order-lines.ts';
import { printParts } from './payments.ts';

interface ChangeOptions {
  line: string[];
  swap: string[];
  add: string[];
  from?: string;
  dryRun?: true;
}

function changesOf({ line, swap, add }: ChangeOptions, lines: Lines, terminal: Terminal): LineChange[] {
  const changes = new Map<string, LineChange>();
  const put = (name: string, change: LineChange) => {
    const { id } = lineNamed(name, lines, terminal);
    changes.set(id, { line: id, ...changes.get(id), ...change });
  };
  for (const text of line) {
    const [name, units] = split(text);
    put(name, { quantity: count(units, 0, terminal) });
  }
  for (const text of swap) {
    const [name, sku] = split(text);
    put(name, { sku: sku.toUpperCase() });
  }
  const added = add
    .map(split)
    .map(([sku, units]) => ({ sku: sku.toUpperCase(), quantity: count(units || '1', 1, terminal) }));
  const all = [...changes.values(), ...added];
  if (all.length === 0) throw new CommandError(terminal.t('orders.change.nothing'));
  return all;
}

export function addChange(command: ShopCommand, terminal: Terminal): void {
  const change = command
    .command('change <number>')
    .description('Adds, changes and removes items of an order. Emails the customer.');
  change.option(
    '--line <sku>',
    'How many of an item it is to have, by SKU or line id: MUG-OAT=2; 0 removes it.',
    collect,
    [],
  );
  change.option(
    '--swap <sku>',
    'Another SKU in its place, such as the large size: CUP-S=CUP-L.',
    collect,
    [],
  );
  change.option('--add <sku>', 'One more item, or several units of it: MUG-OAT=2.', collect, []);
  change.option(
    '--from <payment>',
    'Refunds the difference first from this provider, or this kind (cash, terminal, other).',
  );
  change.option('--dry-run', 'Prints what would change, and changes nothing.');
  change.changes('key', (number: string, options: ChangeOptions) =>
    withShop(terminal, async ({ orderChanges, fulfilment }, run) => {
      const { t, locale } = terminal;
      const { id } = await fulfilment.find(number);
      const lines = changesOf(options, (await fulfilment.show(number)).lineItems, terminal);
      const plan = await orderChanges.plan(id, lines, locale);
      printPlan(plan, terminal);
      if (options.dryRun) return terminal.print(t('orders.change.dryRun'));
      const { version } = plan;
      const { refund } = await orderChanges.book(
        run,
        id,
        { lines, version, from: options.from, mayGiveBack: true },
        locale,
      );
      terminal.print(t('orders.change.done', { number: number.trim().toUpperCase() }));
      if (refund) printParts(refund, terminal, await fulfilment.cashStep(number));
    }),
  );
}

function printPlan(
  { lines: { deltas }, before, after, due, back }: ChangePlan,
  { t, locale, print }: Terminal,
): void {
  const money = (cents: number) => formatMerchantMoney(cents, after.currency);
  for (const { sku, name, text, from, to, unitPrice } of deltas) {
    const named = [`${sku} ${inLocale(name, locale)}`, inLocale(text, locale)].filter(Boolean).join(', ');
    print(printable(`  ${from} → ${to} × ${named}: ${money(unitPrice)}`));
  }
  print(t('orders.change.total', { from: money(before.total), to: money(after.total) }));
  if (back > 0) print(t('orders.change.back', { amount: money(back) }));
  else print(due > 0 ? t('orders.change.due', { amount: money(due) }) : t('orders.change.even'));
}
