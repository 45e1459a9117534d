/** Where a merchant finds a payment at its provider. */
import type { PaymentKeys } from './provider-config.ts';

/**
 * The page of a payment in its provider's dashboard; null for a provider without one, or that is not set up. `transactionId` is
 * what `PaymentProvider.transactionId` answers. Without it, PayPal's link leads to the list, where the order's number finds the
 * payment.
 */
export function dashboardUrl(
  { stripe, paypal, braintree }: PaymentKeys,
  provider: string,
  providerId: string,
  transactionId: string | null = null,
): string | null {
  const id = encodeURIComponent(providerId);
  if (provider === 'Stripe' && stripe)
    return `https://dashboard.stripe.com/${stripe.secretKey.includes('_test_') ? 'test/' : ''}payments/${id}`;
  if (provider === 'PayPal' && paypal) {
    const page = transactionId === null ? '' : `payment/${encodeURIComponent(transactionId)}`;
    return `https://www.${paypal.mode === 'sandbox' ? 'sandbox.' : ''}paypal.com/activity/${page}`;
  }
  if (provider === 'Braintree' && braintree) {
    const host = braintree.environment === 'sandbox' ? 'sandbox.braintreegateway.com' : 'www.braintreegateway.com';
    return `https://${host}/merchants/${braintree.merchantId}/transactions/${id}`;
  }
  return null;
}
