/**
 * PayPal's webhooks: what they are about, once PayPal has said that it sent them.
 * https://developer.paypal.com/api/rest/webhooks/event-names/
 */
import type { Webhook } from '../provider.ts';

interface Event {
  event_type?: unknown;
  resource?: { custom_id?: unknown; purchase_units?: { custom_id?: unknown }[] };
}

/** Headers of a notification by the names under which the check takes them. */
const transmissionHeaders = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
} as const;

/**
 * The reference of a genuine webhook, '' where it is about no payment of the shop's; null for what PayPal
 * did not send. What is no webhook at all is refused without asking PayPal.
 * @param verify asks PayPal; what it throws is thrown on, so that PayPal sends the webhook again
 */
export async function payPalReference(
  { headers, body }: Webhook,
  webhookId: string,
  verify: (transmission: Record<string, string>, event: string) => Promise<boolean>,
): Promise<{ reference: string } | null> {
  const transmission: Record<string, string> = { webhook_id: webhookId };
  for (const [name, header] of Object.entries(transmissionHeaders)) {
    const value = headers[header];
    if (typeof value !== 'string' || value === '') return null;
    transmission[name] = value;
  }
  const text = body.toString('utf8');
  const reference = referenceOf(text);
  return reference !== null && (await verify(transmission, text)) ? { reference } : null;
}

function referenceOf(text: string): string | null {
  let event: Event | null;
  try {
    event = JSON.parse(text) as Event | null;
  } catch {
    return null;
  }
  if (typeof event?.event_type !== 'string') return null;
  const { resource } = event;
  const id = event.event_type.startsWith('CHECKOUT.ORDER.')
    ? resource?.purchase_units?.[0]?.custom_id
    : event.event_type.startsWith('PAYMENT.CAPTURE.')
      ? resource?.custom_id
      : undefined;
  return typeof id === 'string' ? id : '';
}
