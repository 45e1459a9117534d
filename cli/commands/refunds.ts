/** `refunds …`: lists refunds that a payment provider declined or delays, and settles them. */

import { formatMerchantMoney } from '#contract/money.ts';
import type { Services } from '#server/container.ts';
import type { RefundProblem } from '#server/modules/orders/index.ts';
import { type Command, type Terminal, usageError } from '../command.ts';
import { printable } from '../printable.ts';
import { readArgs, withShop } from '../shop.ts';
import { printRefund } from './refund.ts';

const usage = '[list] | retry <refund id> | settle <refund id>';

export const refunds: Command = {
  usage,
  summary: 'Lists refunds that a provider refused or delays, retries one, or records it as paid another way.',
  async run(args, terminal) {
    const { positionals } = readArgs({ args: [...args], allowPositionals: true }, `refunds ${usage}`);
    const [action = 'list', id, ...rest] = positionals;
    if (rest.length > 0 || !['list', 'retry', 'settle'].includes(action) || (action === 'list') !== (id === undefined))
      throw usageError('Invalid arguments.', `refunds ${usage}`);
    return withShop(terminal, (services) => (id === undefined ? list(services, terminal) : act(services, action, id, terminal)));
  },
};

async function list({ orders: { refundProblems } }: Services, terminal: Terminal): Promise<number> {
  const [refused, delayed] = await Promise.all([refundProblems.refused(), refundProblems.delayed()]);
  for (const problem of refused) terminal.print(`REFUSED  ${refundLine(problem)}`);
  for (const problem of delayed) terminal.print(`DELAYED  ${refundLine(problem)}`);
  if (refused.length + delayed.length === 0) terminal.print('No refunds need attention.');
  if (refused.length > 0)
    terminal.print(
      'Run "npm run shop -- refunds retry <refund id>" to try again. ' +
        'If you returned the money another way, run "npm run shop -- refunds settle <refund id>".',
    );
  return refused.length > 0 ? 1 : 0;
}

async function act({ orders: { refundProblems }, payments }: Services, action: string, id: string, terminal: Terminal) {
  if (action === 'retry') return printRefund(await payments.retryRefund(id), terminal);
  const { amount, currency } = await refundProblems.settle(id);
  terminal.print(`Recorded ${formatMerchantMoney(amount, currency)} as returned another way. No email was sent.`);
  return 0;
}

/** One line about a refund: amount, order and customer, provider, reason, and the id for further commands. */
export function refundLine({ refund, payment, orderNumber, contact }: RefundProblem): string {
  const name = contact ? `${contact.firstName} ${contact.lastName}`.trim() : '';
  const line = [
    formatMerchantMoney(refund.amount, refund.currency),
    orderNumber ? `order ${orderNumber}` : 'late payment without an order',
    [name, contact?.email ?? ''].filter(Boolean).join(', '),
    `${payment.provider} ${payment.providerId ?? payment.reference}`,
    refund.providerNote ?? '',
    `refund id ${refund.id}`,
    new Date(refund.createdAt).toISOString(),
  ]
    .filter(Boolean)
    .join(' · ');
  // Customers typed the names and addresses.
  return printable(line);
}
