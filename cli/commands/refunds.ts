/** `refunds …`: lists refunds that a payment provider declined or delays, and settles them. */

import { formatMerchantMoney } from '#contract/money.ts';
import type { Services } from '#server/container.ts';
import type { RefundProblem } from '#server/modules/orders/index.ts';
import { type Command, CommandError, type Terminal } from '../command.ts';
import { printable } from '../printable.ts';
import { readArgs, withShop } from '../shop.ts';
import { sayRefund } from './refund.ts';

const usage = '[list] | retry <refund id> | settle <refund id>';

export const refunds: Command = {
  usage,
  summary: 'Refunds that a provider refused or delays: lists them, tries one again, records one as paid in another way.',
  async run(args, terminal) {
    const { positionals } = readArgs({ args: [...args], allowPositionals: true });
    const [action = 'list', id, ...rest] = positionals;
    if (rest.length > 0 || !['list', 'retry', 'settle'].includes(action) || (action === 'list') !== (id === undefined))
      throw new CommandError(`Usage: npm run shop -- refunds ${usage}`);
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
      'Try one again with "refunds retry <refund id>". If you returned the money in another way, "refunds settle <refund id>".',
    );
  return refused.length > 0 ? 1 : 0;
}

async function act({ orders: { refundProblems }, payments }: Services, action: string, id: string, terminal: Terminal) {
  if (action === 'retry') return sayRefund(await payments.retryRefund(id), terminal);
  const { amount, currency } = await refundProblems.settle(id);
  terminal.print(`Recorded ${formatMerchantMoney(amount, currency)} as returned in another way. No email was sent.`);
  return 0;
}

/** One line about a refund: amount, order and customer, provider, reason, and the id for further commands. */
export function refundLine({ refund, payment, orderNumber, contact }: RefundProblem): string {
  const name = contact ? `${contact.firstName} ${contact.lastName}`.trim() : '';
  const line = [
    formatMerchantMoney(refund.amount, refund.currency),
    orderNumber ? `order ${orderNumber}` : 'payment that came too late for its order',
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
