import { formatMerchantMoney } from '#contract/money.ts';
import type { RefundResult } from '#server/modules/payments/index.ts';
import { type CommandSetup, cents, note, type Terminal } from '../command.ts';
import { withShop } from '../shop.ts';

export const refund: CommandSetup = (program, terminal) => {
  const command = program.command('refund <number>');
  command.description('Refunds an online payment of an order: the rest, an amount, or the tip. Emails the receipt.');
  command.option('--amount <amount>', 'Refunds this much, such as 12.34.', cents);
  command.option('--tip', 'Refunds the tip, or a part of it with --amount.');
  command.option('--reason <text>', 'For your records: `orders show` prints it.', '');
  command.option('--note <text>', 'A note to the customer, in the email.', note);
  command.action(async (number: string, request: { amount?: number; tip?: boolean; reason: string; note?: string }) => {
    await withShop(terminal, async ({ orderRefunds }, run) =>
      printRefund(await orderRefunds.refund(run, number, request), terminal),
    );
  });
};

/** Prints the result of a refund. Sets exit code 1 while the refund is pending or refused. */
export function printRefund({ refund: { id, amount, tip, currency }, given, refused }: RefundResult, terminal: Terminal): void {
  const what = `${formatMerchantMoney(amount, currency)}${tip > 0 && tip < amount ? ` (${formatMerchantMoney(tip, currency)} tip)` : ''}`;
  if (refused !== undefined || !given) terminal.exitCode = 1;
  if (refused !== undefined) {
    terminal.print(`Refund of ${what} was refused: ${refused}. Run "npm run shop -- refunds retry ${id}" to try again.`);
    return;
  }
  terminal.print(
    given
      ? `Refunded ${what}.`
      : `Refund of ${what} is pending: the payment provider hasn't confirmed it. The shop retries every minute; run "npm run shop -- reconcile" to retry now.`,
  );
}
