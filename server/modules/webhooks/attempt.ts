/** By Standard Webhooks (https://www.standardwebhooks.com), version 1. */
import { createHmac, randomBytes } from 'node:crypto';
import type { SafePost } from '#server/platform/safe-fetch/safe-post.ts';
import type { EndpointRecord } from './webhooks.repository.ts';

/** The specification recommends 15 to 30 s. */
export const attemptTimeoutMs = 15_000;
/** Of an answer's body. */
const answerBytes = 1000;
/** In characters. */
const answerLength = 200;

const prefix = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const keyBytes = 32;

export interface Message {
  id: string;
  body: string;
  at: number;
  /** Of a message that is signed already. */
  headers?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal;
}

export interface AttemptResult {
  status: number | null;
  /** Such as `200` or `500 database is locked`, or why no response arrived. */
  answer: string;
  retryAfter?: string | undefined;
}

/** Redirects are not followed and count as failures. */
export function isAccepted({ status }: AttemptResult): boolean {
  return status !== null && status >= 200 && status < 300;
}

export async function attemptDelivery(
  post: SafePost,
  endpoint: Pick<EndpointRecord, 'url' | 'secret' | 'previousSecret' | 'previousUntil'>,
  { id, body, at, headers: ready, signal }: Message,
): Promise<AttemptResult> {
  const { url, secret, previousSecret, previousUntil } = endpoint;
  const secrets = previousSecret !== null && (previousUntil ?? 0) > at ? [secret, previousSecret] : [secret];
  const headers = ready ?? signedHeaders({ id, body, at }, secrets);
  try {
    const limits = { timeoutMs: attemptTimeoutMs, maxBytes: answerBytes, ...(signal ? { signal } : {}) };
    const response = await post({ url, headers, body, ...limits });
    return { status: response.status, answer: answerOf(response), retryAfter: response.headers['retry-after'] };
  } catch (error) {
    return { status: null, answer: error instanceof Error ? error.message : String(error) };
  }
}

function answerOf({ status, text }: { status: number; text: string }): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return `${status} ${line}`.slice(0, answerLength).trim();
}

/** `whsec_` and the key in base64. */
export function createSecret(): string {
  return prefix + randomBytes(keyBytes).toString('base64');
}

/** Signed with each of several secrets, so that receivers accept the message before and after a rotation. */
function signedHeaders({ id, body, at }: Message, secrets: readonly string[]): Record<string, string> {
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
