import type { OrdersService, Payment } from '#server/modules/orders/index.ts';
import { AttemptUnknown, attemptOf } from './provider.ts';
import type { PaymentRegistry } from './registry.ts';

/** How many payments one pass asks about. */
const atOnce = 20;

export type PaymentMonitor = ReturnType<typeof createPaymentMonitor>;

export function createPaymentMonitor({ orders, payments }: { orders: OrdersService; payments: PaymentRegistry }) {
  async function check(payment: Payment): Promise<void> {
    const provider = payments.find(payment.provider);
    if (!provider?.activity) return;
    const activity = await provider.activity(attemptOf(payment)).catch((error: unknown) => {
      // The account or its mode was changed: the provider has nothing to say about this payment, now or later.
      if (error instanceof AttemptUnknown) return null;
      throw error;
    });
    if (activity) await orders.providerActivity.record(payment, activity);
  }

  return {
    /** Asks the provider about a payment and writes down what it says. Throws if the provider gives no answer. */
    check,
    /**
     * Asks about the payments whose check is due. A provider that gives no answer is not asked about others.
     * @throws {AggregateError} at the end, with each provider's failure
     */
    async checkDue(): Promise<void> {
      const failures = new Map<string, unknown>();
      for (const payment of await orders.providerActivity.toCheck(atOnce)) {
        if (failures.has(payment.provider)) continue;
        await check(payment).catch((error: unknown) => failures.set(payment.provider, error));
        // One that fails is asked about in an hour, so that it does not keep the others from their turn.
        await orders.providerActivity.checked(payment);
      }
      if (failures.size > 0)
        throw new AggregateError(failures.values(), `Refunds and disputes not checked: ${[...failures.keys()].join(', ')}`);
    },
  };
}
