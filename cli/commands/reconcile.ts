/** `reconcile`: runs at once the reconciliation that the running shop does every minute. */
import { type Command, CommandError } from '../command.ts';
import { readArgs, withShop } from '../shop.ts';

export const reconcile: Command = {
  usage: '',
  summary: 'Checks pending payments, sends due refunds and releases expired holds.',
  async run(args, terminal) {
    readArgs({ args: [...args] }, 'reconcile');
    return withShop(terminal, async ({ payments }) => {
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
      return 0;
    });
  },
};
