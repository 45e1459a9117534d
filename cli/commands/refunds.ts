/** `refunds …`: lists refunds that a payment provider declined or delays, and settles them. */

import { formatMerchantMoney } from '#contract/money.ts';
import type { Services } from '#server/container.ts';
import type { DueRefund } from '#server/modules/payments/index.ts';
import { isoTime } from '#server/platform/time-zone.ts';
import { type CommandSetup, printable, type Terminal } from '../command.ts';
import { withShop } from '../shop.ts';
import { printRefund } from './refund.ts';

export const refunds: CommandSetup = (program, terminal) => {
  const command = program.command('refunds').description('Lists and settles refunds that a provider refused or delays.');
  const list = command.command('list', { isDefault: true });
  list.description('Lists refunds that a provider refused or delays.');
  list.action(() => withShop(terminal, (services) => printRefunds(services, terminal)));
  const retry = command.command('retry <refund>').description('Asks the provider again.');
  retry.action((id: string) =>
    withShop(terminal, async ({ payments }, run) => printRefund(await payments.refunds.retry(run, id), terminal)),
  );
  const settle = command.command('settle <refund>').description('Records a refund as paid another way.');
  settle.action((id: string) =>
    withShop(terminal, async ({ payments }, run) => {
      const { amount, currency } = await run((change) => payments.refunds.settle(change, id));
      terminal.print(`Recorded ${formatMerchantMoney(amount, currency)} as returned another way. No email was sent.`);
    }),
  );
};

async function printRefunds({ payments: { refunds } }: Services, terminal: Terminal): Promise<void> {
  const [refused, delayed] = await Promise.all([refunds.refused(), refunds.delayed()]);
  for (const problem of refused) terminal.print(`REFUSED  ${refundLine(problem, terminal.timeZone)}`);
  for (const problem of delayed) terminal.print(`DELAYED  ${refundLine(problem, terminal.timeZone)}`);
  if (refused.length + delayed.length === 0) terminal.print('No refunds need attention.');
  if (refused.length > 0)
    terminal.print(
      'Run "npm run shop -- refunds retry <refund id>" to try again. ' +
        'If you returned the money another way, run "npm run shop -- refunds settle <refund id>".',
    );
  if (refused.length > 0) terminal.exitCode = 1;
}

/** One line about a refund: amount, order and customer, provider, reason, and the id for further commands. */
export function refundLine({ refund, payment }: DueRefund, timeZone: string): string {
  const { orderNumber, contact } = payment;
  const name = contact ? `${contact.firstName} ${contact.lastName}`.trim() : '';
  const line = [
    formatMerchantMoney(refund.amount, refund.currency),
    orderNumber ? `order ${orderNumber}` : 'late payment without an order',
    [name, contact?.email ?? ''].filter(Boolean).join(', '),
    `${payment.provider} ${payment.providerId ?? payment.reference}`,
    refund.providerNote ?? '',
    `refund id ${refund.id}`,
    isoTime(refund.createdAt, timeZone),
  ]
    .filter(Boolean)
    .join(' · ');
  // Customers typed the names and addresses.
  return printable(line);
}
