import type { OrdersService, Payment } from '#server/modules/orders/index.ts';
import type { PaymentSettlement } from '../attempts/payment-settlement.ts';
import { AttemptUnknown, attemptOf } from '../providers/provider.ts';
import type { PaymentRegistry } from '../providers/registry.ts';

/** How many payments one pass checks. */
const atOnce = 20;

export type PaymentMonitor = ReturnType<typeof createPaymentMonitor>;

export interface PaymentMonitorDeps {
  orders: OrdersService;
  payments: PaymentRegistry;
  settlement: PaymentSettlement;
}

export function createPaymentMonitor({ orders, payments, settlement }: PaymentMonitorDeps) {
  async function check(payment: Payment): Promise<void> {
    const provider = payments.find(payment.provider);
    if (!provider?.activity) return;
    const activity = await provider.activity(attemptOf(payment)).catch((error: unknown) => {
      // The account or its mode was changed: the provider cannot report on this payment, now or later.
      if (error instanceof AttemptUnknown) return null;
      throw error;
    });
    if (activity) await orders.providerActivity.record(payment, activity);
  }

  /** Asks once more about an attempt that failed with `askAgain`. Money that was taken after all is refunded. */
  async function askAgain(payment: Payment): Promise<void> {
    const { outcome } = await settlement.ask(payment);
    if (outcome.state === 'undecided') throw new Error(`${payment.provider} did not answer about an attempt that was given up`);
    await orders.payments.askedAgain(payment);
  }

  return {
    /** Asks the provider about a payment and records its report. Throws if the provider does not answer. */
    check,
    /**
     * Checks the payments that are due, and failed attempts that have to be asked about once more. If a provider does not answer, its other payments are skipped.
     * @throws {AggregateError} at the end, with each provider's failure
     */
    async checkDue(): Promise<void> {
      const failures = new Map<string, unknown>();
      for (const payment of await orders.providerActivity.toCheck(atOnce)) {
        if (failures.has(payment.provider)) continue;
        const failed = payment.state === 'failed';
        await (failed ? askAgain(payment) : check(payment)).catch((error: unknown) => failures.set(payment.provider, error));
        // A failed check is repeated in an hour or more, so that it does not block the others.
        if (!failed || failures.has(payment.provider)) await orders.providerActivity.checked(payment);
      }
      if (failures.size > 0)
        throw new AggregateError(failures.values(), `Refunds and disputes not checked: ${[...failures.keys()].join(', ')}`);
    },
  };
}
