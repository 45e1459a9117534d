/** `reconcile`: runs at once the reconciliation that the running shop does every minute, and compares the providers' payments. */
import { formatMerchantMoney } from '#contract/money.ts';
import type { Services } from '#server/container.ts';
import { instantOf } from '#server/platform/time-zone.ts';
import { CommandError, type CommandSetup, countOf, instant, printable, type Terminal } from '../command.ts';
import { withShop } from '../shop.ts';

export const reconcile: CommandSetup = (program, terminal) => {
  const command = program.command('reconcile');
  command.description('Checks pending payments, sends due refunds and releases expired holds.');
  command.option(
    '--since <day>',
    'Also compares the payments that the providers have taken since this day with the orders.',
    instant,
  );
  command.action(async ({ since }: { since?: string }) => {
    await withShop(terminal, async (shop) => {
      const { payments } = shop;
      const { placed, ended, open, givenUp, refunded, refused, lapsed } = await payments.reconcile().catch((error: unknown) => {
        throw error instanceof AggregateError ? new CommandError(error.message) : error;
      });
      terminal.print(
        `Orders placed: ${placed}. Payments failed: ${ended}. Payments pending: ${open}. Refunds sent: ${refunded}. Refunds refused: ${refused}. Holds expired: ${lapsed}.`,
      );
      for (const { provider, providerId, reference, orderId, reason } of givenUp)
        terminal.print(
          `Gave up on ${provider} payment ${providerId ?? reference} of order ${orderId}: ${reason}. Check the provider's dashboard.`,
        );
      if (since !== undefined) await compare(shop, since, terminal);
    });
  });
};

/** Prints money that no order accounts for, and amounts that differ. Days are those of the shop's time zone. */
async function compare({ payments, orders }: Services, since: string, terminal: Terminal): Promise<void> {
  const { timeZone } = await orders.settings();
  const from = instantOf(since, timeZone);
  const { findings, compared } = await payments.compareMoney(from);
  for (const { provider, taken, differs } of findings) {
    const { id, amount, currency, refunded, orderNumber, reference, at } = taken;
    const back = refunded > 0 ? `, ${formatMerchantMoney(refunded, currency)} of it refunded` : '';
    const money = `${provider} ${id}: ${formatMerchantMoney(amount, currency)}${back}, ${new Date(at).toISOString()}`;
    const problem = differs
      ? `the order ${differs.orderNumber ?? differs.orderId} has ${formatMerchantMoney(differs.amount, differs.currency)}`
      : `no order accounts for it (${[orderNumber && `order number ${orderNumber}`, `reference ${reference}`].filter(Boolean).join(', ')})`;
    terminal.print(printable(`${differs ? 'AMOUNT  ' : 'NO ORDER'}  ${money}; ${problem}`));
  }
  for (const { provider, count, problem } of compared)
    terminal.print(
      problem === null
        ? `Compared ${countOf(count, `${provider} payment`)} since ${new Date(from).toISOString()}.`
        : printable(`NOT COMPARED  ${provider}: ${problem}`),
    );
  if (compared.length === 0) terminal.print('No payment provider is set up, so there is nothing to compare.');
  if (findings.length > 0)
    terminal.print(
      'Look each payment up in the dashboard of its provider. Place the order again with the customer, or refund the payment there.',
    );
  if (findings.length > 0 || compared.some(({ problem }) => problem !== null)) terminal.exitCode = 1;
}
