/** Interferes with payments of the house gateway, for tests. */
import type { PaymentInstrument } from '#contract/schemas/order.ts';
import type { HouseProvider } from '#payment-providers/house/server/index.ts';
import type { PaymentProvider } from '#server/modules/payments/providers/provider.ts';
import type { FakeProvider } from './fake-provider.ts';
import { pay } from './shop-actions.ts';
import type { Shopper, TestApp } from './test-app.ts';

export function house(testApp: TestApp): HouseProvider {
  const provider = testApp.services.payments.providers.get('house');
  if (!provider) throw new Error('No house gateway');
  return provider;
}

/** Runs `work` with parts of the house gateway replaced. */
export async function withHouse<T>(
  testApp: TestApp,
  change: Partial<PaymentProvider>,
  work: () => Promise<T>,
): Promise<T> {
  const provider = house(testApp);
  const before = { ...provider };
  Object.assign(provider, change);
  try {
    return await work();
  } finally {
    Object.assign(provider, before);
  }
}

/** Looks at the bill on the payment page, which calls that name no bill then agree to. */
export function seeBill(testApp: TestApp, session: Shopper) {
  return testApp.ask('getBilling', { session, params: { gatewayName: '{host}' } });
}

/** Pays the bill, but the process crashes before the charge, or after it if `charged`. */
export async function crashDuringPayment(testApp: TestApp, session: Shopper, charged: boolean) {
  const { start } = house(testApp);
  const silent = async () => ({ state: 'undecided' as const });
  const dying: Partial<PaymentProvider> = {
    complete: silent,
    start: async (charge, input, keep) => {
      if (charged) await start(charge, input as PaymentInstrument, keep);
      return { state: 'undecided' };
    },
  };
  await seeBill(testApp, session);
  return withHouse(testApp, dying, () => pay(testApp, session));
}

/** Refunds a dollar of an order that `provider` was paid for, which fails after all. Returns the refund's id. */
export async function failedRefund(
  { services }: TestApp,
  provider: FakeProvider,
  { id, number }: { id: string; number: string },
  why = 'The account is closed',
): Promise<string> {
  const { refund } = await services.orderRefunds.refund(number, { amount: 100, reason: 'chipped' });
  const payment = await services.payments.attempts.succeededOf(id);
  if (!payment) throw new Error(`${number} is not paid`);
  provider.failRefund(payment, refund.id, why);
  await services.payments.check(payment);
  return refund.id;
}
