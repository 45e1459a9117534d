import { formatMerchantMoney } from '#contract/money.ts';
import type { RefundResult } from '#server/modules/payments/index.ts';
import { type Command, CommandError, type Terminal } from '../command.ts';
import { centsOf, readArgs, withShop } from '../shop.ts';

export const refund: Command = {
  usage: '<order number> [--amount 12.34] [--tip] [--reason …]',
  summary: 'Gives back what was paid online: all that is left, an amount, or the tip. Mails the receipt.',
  async run(args, terminal) {
    const { values, positionals } = readArgs({
      args: [...args],
      allowPositionals: true,
      options: { amount: { type: 'string' }, tip: { type: 'boolean' }, reason: { type: 'string' } },
    });
    const [number, ...rest] = positionals;
    if (!number || rest.length > 0)
      throw new CommandError('Name the order: npm run shop -- refund MC-2026-000204 --amount 12.34');
    const wish = {
      amount: values.amount === undefined ? undefined : centsOf(values.amount),
      tip: values.tip,
      reason: values.reason ?? '',
    };
    return withShop(terminal, async ({ payments }) => sayRefund(await payments.refund(number, wish), terminal));
  },
};

/** Prints the result of a refund. Returns exit code 1 while the money has not left the shop. */
export function sayRefund({ refund: { id, amount, tip, currency }, given, refused }: RefundResult, terminal: Terminal): number {
  const what = `${formatMerchantMoney(amount, currency)}${tip > 0 && tip < amount ? ` (${formatMerchantMoney(tip, currency)} of it tip)` : ''}`;
  if (refused !== undefined) {
    terminal.print(`${what} was not refunded: ${refused}. Try again with: npm run shop -- refunds retry ${id}`);
    return 1;
  }
  terminal.print(
    given
      ? `Refunded ${what}.`
      : `${what} is set aside, but not given back yet: the payment provider cannot be reached, or gives it back later. The shop asks again every minute; npm run shop -- reconcile does at once.`,
  );
  return given ? 0 : 1;
}
