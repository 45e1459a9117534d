/** `reconcile`: runs at once the reconciliation that the running shop does every minute. */
import { CommandError, type CommandSetup } from '../command.ts';
import { withShop } from '../shop.ts';

export const reconcile: CommandSetup = (program, terminal) => {
  const command = program.command('reconcile');
  command.description('Checks pending payments, sends due refunds and releases expired holds.');
  command.action(async () => {
    await withShop(terminal, async ({ payments }) => {
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
    });
  });
};
