/** Follows no redirect. */
import type { IncomingMessage } from 'node:http';
import type { NetworkPolicy } from './pinned-request.ts';
import { SafeFetchError, sendPinned, toSafeFetchError, validateUrl } from './pinned-request.ts';

export interface SafePostRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
  timeoutMs: number;
  /** Unless the status is 2xx. */
  maxBytes: number;
  signal?: AbortSignal;
}

export interface SafePostResponse {
  status: number;
  headers: IncomingMessage['headers'];
  /** '' for a 2xx status. */
  text: string;
}

export type SafePost = (request: SafePostRequest) => Promise<SafePostResponse>;

/** Throws {SafeFetchError} if no response arrives. */
export function createSafePost(reach: NetworkPolicy, { httpsOnly }: { httpsOnly: boolean }): SafePost {
  return async ({ url, headers, body, timeoutMs, maxBytes, signal: stop }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = stop ? AbortSignal.any([stop, timeout]) : timeout;
    try {
      const target = validateUrl(url, reach);
      if (httpsOnly && target.protocol !== 'https:') throw new SafeFetchError('not https');
      const length = String(Buffer.byteLength(body));
      const response = await sendPinned(
        target,
        reach,
        { method: 'POST', headers: { ...headers, 'content-length': length }, body },
        signal,
      );
      const status = response.statusCode ?? 0;
      const accepted = status >= 200 && status < 300;
      const text = accepted ? '' : await beginningOf(response, maxBytes).catch(() => '');
      response.destroy();
      return { status, headers: response.headers, text };
    } catch (error) {
      throw toSafeFetchError(error, signal);
    }
  };
}

async function beginningOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
