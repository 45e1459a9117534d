/**
 * Webhooks of the house gateway, signed as gateways do: an HMAC over time and body by a secret that only
 * the two sides know. Nobody sends them by themselves, as the house gateway answers at once; they are the
 * model for providers that do, and a way to try what a webhook brings about.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Webhook } from '../../provider.ts';

export const signatureHeader = 'house-signature';
/** A webhook that was recorded is of no use for longer. */
const toleranceMs = 5 * 60_000;

/** The header's value: `t=<epoch ms>,v1=<hex>`. */
export function signatureOf(secret: string, body: Buffer, at: number): string {
  return `t=${at},v1=${digest(secret, body, at).toString('hex')}`;
}

/** The reference a webhook is about; null if it is not signed with the secret, or too old. */
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
