import { type Attempt, RefundPending, RefundRefused } from '#server/modules/payments/providers/provider.ts';
import { refundCustomId } from './activity.ts';
import { orderAmount } from './order.ts';
import { asRefusal, type PayPalContext } from './order-outcome.ts';
import { isFinalRefund } from './refusals.ts';

export async function refundCapture(context: PayPalContext, attempt: Attempt, amount: number, key: string): Promise<void> {
  if (attempt.providerId === null) throw new Error('The order of this payment at PayPal is not known');
  const paypal = await context.client();
  try {
    const order = await paypal.findOrder(attempt.providerId);
    const captured = order.purchaseUnits?.[0]?.payments?.captures?.[0]?.id;
    if (!captured) throw new RefundRefused('PayPal has captured nothing of this payment');
    const customId = refundCustomId(attempt.reference, key);
    const asked = await paypal.refundCapture(captured, { amount: orderAmount({ ...attempt, amount }), customId }, key);
    // A response that PayPal repeats is as old as the first one.
    const refund = asked.status === 'PENDING' && asked.id ? await paypal.findRefund(asked.id) : asked;
    if (refund.status === 'PENDING') throw new RefundPending('PayPal has not given it back yet');
    if (refund.status === 'FAILED' || refund.status === 'CANCELLED')
      throw new RefundRefused(`The refund came to nothing: ${refund.status}`);
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal && isFinalRefund(refusal)) throw new RefundRefused(refusal.message);
    throw error;
  }
}
