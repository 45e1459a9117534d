/** Begins to pay online what is due of a placed order. What the provider answers is settled like any other attempt. */
import type { FieldErrors } from '#contract/errors.ts';
import { isClean } from '#contract/rules/fields.ts';
import type { Database, Trx } from '#db/database.ts';
import { dueVersionOf, findByDueVersion, type OrderHead, partOf, updateOrder } from '#server/modules/orders/index.ts';
import {
  balanceOf,
  findPaymentOf,
  insertPayment,
  newAttempt,
  type Payment,
  PaymentInProgress,
  type PaymentsService,
} from '#server/modules/payments/index.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import type { StartedPayment } from '../placement/place-order.ts';

interface DueDeps {
  db: Database;
  now: () => number;
  payments: PaymentsService;
}

/** Another attempt may begin between ending one and beginning the next. */
const maxTries = 3;

/**
 * Begins to pay what is due, or joins the pending attempt, or returns the order if nothing is due any more. An attempt with another
 * provider, or for another amount, or one that waits for the customer, is ended first.
 * @throws {AppError} CONFLICT if the order was cancelled or its bill changed, billChanged if another amount is due;
 * REQUEST_VALIDATION_ERROR for `problems`
 */
export async function startDuePayment(
  { db, now, payments }: DueDeps,
  provider: string,
  dueVersion: string,
  problems: (order: OrderHead) => FieldErrors,
): Promise<StartedPayment> {
  for (let tried = 1; tried <= maxTries; tried++) {
    const started = await db.transaction((trx) => beginOrJoin(trx, { provider, dueVersion }, problems, now()));
    if (!('other' in started)) return started;
    await payments.attempts.end(started.other);
  }
  throw new PaymentInProgress();
}

async function beginOrJoin(
  trx: Trx,
  { provider, dueVersion }: { provider: string; dueVersion: string },
  problems: (order: OrderHead) => FieldErrors,
  at: number,
): Promise<StartedPayment | { other: Payment }> {
  const found = await findByDueVersion(trx, dueVersion);
  // Locks the order: another tab may begin to pay, and staff may take money or cancel it.
  const order = found && (await updateOrder(trx, found.id, { updated_at: at }));
  if (!order || order.state === 'cancelled' || order.state === 'lapsed')
    throw new AppError('CONFLICT', { errorKey: 'error.orderChanged' });
  const balance = await balanceOf(trx, order.id);
  if (balance.due === 0) return { placed: order.id };
  if (dueVersionOf(order, balance) !== dueVersion) throw new AppError('CONFLICT', { errorKey: 'billChanged' });
  const errors = problems(order);
  if (!isClean(errors)) throw validationError(errors);
  const pending = await findPaymentOf(trx, order.id, 'pending');
  if (pending?.provider === provider && pending.waitsSince === null && pending.amount === balance.due)
    return { payment: pending };
  if (pending) return { other: pending };
  const payment = newAttempt(partOf(order, balance.due, balance), provider, at);
  await insertPayment(trx, payment);
  // Providers may take an invoice's number only once.
  return { payment: { ...payment, orderNumber: `${order.number}-${balance.payments.length + 1}` } };
}
