/** What orders ask of payments: which ways to pay are offered, and that a cart which is being paid is freed. */
import type { PaymentConfig } from '#contract/schemas/order.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import type { Buyer } from './order.ts';

/** Payments implement it; cart, checkout, tips and coupons use it. */
export interface PaymentGuard {
  /**
   * Ends the attempt to pay the buyer's cart, if one is pending. Returns the id of the order that it placed if it was too late
   * to end it, otherwise null.
   * @throws {PaymentInProgress} if the provider cannot be reached: the attempt stands
   */
  cancelPendingPayment(buyer: Buyer): Promise<string | null>;
  /**
   * The ways to pay online that are set up. `preferredGateway`: the merchant's card gateway as the wire names it, '' if they
   * prefer none; null if the shop is not paid online at all.
   */
  onlineMethods(preferredGateway: string | null): Omit<PaymentConfig, 'payAtStoreEnabled'>;
}

/** A payment is pending for the cart, so the cart cannot be changed until the payment has ended. */
export class PaymentInProgress extends AppError {
  constructor() {
    super('CONFLICT', { errorKey: 'payment.inProgress' });
  }
}

/** How often a change of a cart is tried while other requests keep paying the cart. */
const maxTries = 3;

/**
 * Runs `work`, which changes the session's cart. If the cart is being paid, that payment is ended first: the shopper has
 * returned to the cart. If the payment succeeded meanwhile, `work` finds the cart gone; with `sameCart` it is not run again.
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
