/**
 * Signs webhooks as PayPal does: over transmission id, time, webhook id and the CRC32 of the body, separated by bars.
 * https://developer.paypal.com/api/rest/webhooks/rest/#verify-webhook-signature
 * PayPal uses an RSA key; the fake, which checks its own signatures, uses a secret.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Webhook } from '#server/modules/payments/providers/provider.ts';

const secret = 'the fake signs with this';

/** In hex, which is base64 as well: PayPal's description requires a letter or digit first, which base64 does not always have. */
function sign(id: string, time: string, webhookId: string, body: string): string {
  return createHmac('sha256', secret)
    .update([id, time, webhookId, crc32(body)].join('|'))
    .digest('hex');
}

/** `at`: when PayPal sends it, epoch ms. */
export function signedWebhook(event: unknown, webhookId: string, at: number): Webhook {
  const body = JSON.stringify(event);
  const [id, time] = [randomUUID(), `${new Date(at).toISOString().slice(0, 19)}Z`];
  return {
    headers: {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-fake',
      'paypal-transmission-id': id,
      'paypal-transmission-sig': sign(id, time, webhookId, body),
      'paypal-transmission-time': time,
    },
    body: Buffer.from(body),
  };
}

/** @param request the body of a request to verify-webhook-signature, with the event last */
export function isSigned(request: string): boolean {
  const field = '"webhook_event":';
  const at = request.indexOf(field);
  if (at < 0) return false;
  const event = request.slice(at + field.length, -1);
  const parts = JSON.parse(request) as Record<string, string>;
  const { transmission_id = '', transmission_time = '', transmission_sig, webhook_id = '' } = parts;
  return transmission_sig === sign(transmission_id, transmission_time, webhook_id, event);
}
