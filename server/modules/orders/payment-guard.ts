/** The interface that orders need from payments: the payment methods on offer, and unlocking a cart that is being paid. */
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { Buyer, OrderHead } from './order/order.ts';

/** Payments implement it; cart, checkout, tips and coupons use it. */
export interface PaymentGuard {
  /**
   * Ends the attempt to pay the buyer's cart, if one is pending. Returns the id of the order that it placed if it was too late
   * to end it, otherwise null.
   * @throws {PaymentInProgress} if the provider cannot be reached: the attempt stands
   */
  cancelPendingPayment(buyer: Buyer): Promise<string | null>;
  /**
   * The online payment methods that are set up. `preferredGateway` is the merchant's card gateway by its wire name, '' for no
   * preference; null if the shop takes no online payments.
   */
  onlineMethods(preferredGateway: string | null): Omit<PaymentConfig, 'payAtStoreEnabled'>;
}

/** A payment is pending for the cart, so the cart cannot be changed until the payment has ended. */
export class PaymentInProgress extends AppError {
  constructor() {
    super('CONFLICT', { errorKey: 'payment.inProgress' });
  }
}

/** The cart after a change of its row, which is not made while it is being paid: then null. @throws {PaymentInProgress} for null */
export function requireEditable(changed: OrderHead | null): OrderHead {
  if (!changed) throw new PaymentInProgress();
  return changed;
}

/** How often a change of a cart is tried while other requests start new payments. */
const maxTries = 3;

/**
 * Runs `work`, which changes the session's cart. If the cart is being paid, that payment is ended first: the customer has
 * returned to the cart. If the payment succeeded meanwhile, `work` finds no cart; with `sameCart` it is not run again.
 * @throws {AppError} CONFLICT payment.alreadyPlaced with `sameCart`, if the payment succeeded meanwhile
 * @throws {PaymentInProgress} if the payment cannot be ended
 */
export async function withEditableCart<T>(
  payments: Pick<PaymentGuard, 'cancelPendingPayment'>,
  session: SessionHandle,
  work: () => Promise<T>,
  { sameCart = false }: { sameCart?: boolean } = {},
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const buyer = error instanceof PaymentInProgress && tried < maxTries ? await session.get() : null;
      if (!buyer) throw error;
      const placed = await payments.cancelPendingPayment(buyer);
      if (placed !== null && sameCart) throw new AppError('CONFLICT', { errorKey: 'payment.alreadyPlaced' });
    }
  }
}
