/** One attempt to deliver a message to an endpoint. */
import type { SafePost } from '#server/platform/safe-fetch/safe-post.ts';
import type { EndpointRecord } from './endpoints.repository.ts';
import { signedHeaders } from './signature.ts';

/** For the whole exchange, ms. The specification recommends 15 to 30 s. */
export const attemptTimeoutMs = 15_000;
/** How much of an answer's body is read, bytes. */
const answerBytes = 1000;
/** How much of it is stored, characters. */
const answerLength = 200;

export interface Message {
  id: string;
  body: string;
}

export interface AttemptResult {
  /** The HTTP status; null if no response arrived. */
  status: number | null;
  /** Such as `200` or `500 database is locked`, or why no response arrived. */
  answer: string;
  retryAfter?: string | undefined;
}

/** Whether the endpoint has accepted the message. Redirects are not followed and count as failures. */
export function isAccepted({ status }: AttemptResult): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Sends a message. `at` is the current time, epoch ms. Never throws. */
export async function attemptDelivery(
  post: SafePost,
  endpoint: Pick<EndpointRecord, 'url' | 'secret' | 'previousSecret' | 'previousUntil'>,
  { id, body }: Message,
  at: number,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  const { url, secret, previousSecret, previousUntil } = endpoint;
  const secrets = previousSecret !== null && (previousUntil ?? 0) > at ? [secret, previousSecret] : [secret];
  const headers = signedHeaders(id, body, secrets, at);
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
