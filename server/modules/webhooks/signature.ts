/** Signs messages by the Standard Webhooks specification (https://www.standardwebhooks.com), version 1: HMAC-SHA256. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const keyBytes = 32;

/** A new random secret: `whsec_` and the key in base64. */
export function createSecret(): string {
  return prefix + randomBytes(keyBytes).toString('base64');
}

/**
 * The headers of a message. With several secrets there is a signature of each, so that receivers accept it before and after a
 * rotation.
 * @param at the time of this attempt, epoch ms
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
