/** An HMAC over time and body. The gateway never sends webhooks itself; these model providers that do. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Webhook } from '#server/modules/payments/providers/provider.ts';

export const signatureHeader = 'house-signature';
/** How long a signature is valid, ms, so that a recorded webhook cannot be replayed later. */
const toleranceMs = 5 * 60_000;

/** The header's value: `t=<epoch ms>,v1=<hex>`. */
export function signatureOf(secret: string, body: Buffer, at: number): string {
  return `t=${at},v1=${digest(secret, body, at).toString('hex')}`;
}

/** Null if it is not signed with the secret, or too old. */
export function referenceIn({ headers, body }: Webhook, secret: string, now: number): string | null {
  const header = headers[signatureHeader];
  const [, time = '', hex = ''] = /^t=(\d{1,16}),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? [];
  if (hex === '') return null;
  const at = Number(time);
  if (Math.abs(now - at) > toleranceMs || !timingSafeEqual(Buffer.from(hex, 'hex'), digest(secret, body, at))) return null;
  return readReference(body);
}

function digest(secret: string, body: Buffer, at: number): Buffer {
  return createHmac('sha256', secret).update(`${at}.`).update(body).digest();
}

function readReference(body: Buffer): string | null {
  try {
    const { reference } = JSON.parse(body.toString('utf8')) as { reference?: unknown };
    return typeof reference === 'string' ? reference : null;
  } catch {
    return null;
  }
}
