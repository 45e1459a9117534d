/** An attempt to pay an order. */

/**
 * - `pending`: the provider has been or is being asked, and nobody knows the answer yet.
 * - `lapsed`: the order's hold ran out first; money may still arrive.
 * - `refundDue`: money came for an order that can no longer be had, and is to go back.
 */
export type PaymentState = 'pending' | 'succeeded' | 'failed' | 'lapsed' | 'refundDue' | 'refunded';

export interface Payment {
  id: string;
  orderId: string;
  provider: string;
  /** By which the provider knows the attempt; unique with the provider's name. */
  reference: string;
  /** Cents. */
  amount: number;
  currency: string;
  state: PaymentState;
  createdAt: number;
}
