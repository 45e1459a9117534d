/** `reconcile`: runs at once the reconciliation that the running shop does every minute. */
import { type Command, CommandError } from '../command.ts';
import { readArgs, withShop } from '../shop.ts';

export const reconcile: Command = {
  usage: '',
  summary: 'Asks providers about payments whose end nobody heard, gives back what is due, ends holds that ran out.',
  async run(args, terminal) {
    readArgs({ args: [...args] });
    return withShop(terminal, async ({ payments }) => {
      const { placed, ended, open, givenUp, refunded, refused, lapsed } = await payments.reconcile().catch((error: unknown) => {
        throw error instanceof AggregateError ? new CommandError(error.message) : error;
      });
      terminal.print(
        `Orders placed: ${placed}. Payments that came to nothing: ${ended}, still open: ${open}. Refunds given: ${refunded}, refused: ${refused}. Holds that ran out: ${lapsed}.`,
      );
      for (const { provider, providerId, reference, orderId, reason } of givenUp)
        terminal.print(
          `Given up: ${provider} payment ${providerId ?? reference} of order ${orderId}. ${reason}. Check the provider’s dashboard.`,
        );
      return 0;
    });
  },
};
