import { formatMerchantMoney } from '#contract/money.ts';
import type { RefundResult } from '#server/modules/payments/index.ts';
import { type Command, type Terminal, usageError } from '../command.ts';
import { parseCents, readArgs, withShop } from '../shop.ts';

const usage = '<order number> [--amount 12.34] [--tip] [--reason …]';

export const refund: Command = {
  usage,
  summary: 'Refunds an online payment: the rest, an amount, or the tip. Emails the receipt.',
  async run(args, terminal) {
    const { values, positionals } = readArgs(
      {
        args: [...args],
        allowPositionals: true,
        options: { amount: { type: 'string' }, tip: { type: 'boolean' }, reason: { type: 'string' } },
      },
      `refund ${usage}`,
    );
    const [number, ...rest] = positionals;
    if (!number || rest.length > 0)
      throw usageError(number ? `Unknown argument: ${rest.join(' ')}.` : 'Missing order number.', `refund ${usage}`);
    const request = {
      amount: values.amount === undefined ? undefined : parseCents(values.amount),
      tip: values.tip,
      reason: values.reason ?? '',
    };
    return withShop(terminal, async ({ payments }) => printRefund(await payments.refund(number, request), terminal));
  },
};

/** Prints the result of a refund. Returns exit code 1 while the refund is pending or refused. */
export function printRefund({ refund: { id, amount, tip, currency }, given, refused }: RefundResult, terminal: Terminal): number {
  const what = `${formatMerchantMoney(amount, currency)}${tip > 0 && tip < amount ? ` (${formatMerchantMoney(tip, currency)} tip)` : ''}`;
  if (refused !== undefined) {
    terminal.print(`Refund of ${what} was refused: ${refused}. Run "npm run shop -- refunds retry ${id}" to try again.`);
    return 1;
  }
  terminal.print(
    given
      ? `Refunded ${what}.`
      : `Refund of ${what} is pending: the payment provider hasn't confirmed it. The shop retries every minute; run "npm run shop -- reconcile" to retry now.`,
  );
  return given ? 0 : 1;
}
