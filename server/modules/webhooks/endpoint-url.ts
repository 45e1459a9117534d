/** Validates the URLs of endpoints as the merchant enters them. */
import { isIP } from 'node:net';
import { SafeFetchError } from '#server/platform/safe-fetch/fetch-error.ts';
import { validateUrl } from '#server/platform/safe-fetch/pinned-request.ts';
import { isPublicAddress } from '#server/platform/safe-fetch/public-addresses.ts';
import { WebhookError } from './webhook-error.ts';

const longestUrl = 1000;

/**
 * The URL in its canonical spelling. Names are resolved at each attempt, not here.
 * @param allowPrivate whether plain http, any port and private addresses are allowed (`WEBHOOKS_ALLOW_PRIVATE`)
 * @throws {WebhookError} if it may not be an endpoint
 */
export function parseEndpointUrl(text: string, allowPrivate: boolean): string {
  const url = parse(text, allowPrivate);
  const hint = 'Set WEBHOOKS_ALLOW_PRIVATE=1 if the receiver is in your own network.';
  if (!allowPrivate && url.protocol !== 'https:') throw new WebhookError(`The URL must begin with https://. ${hint}`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && (host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host))))
    throw new WebhookError(`The URL must not lead to a private address. ${hint}`);
  url.hash = '';
  if (url.href.length > longestUrl) throw new WebhookError(`The URL must have at most ${longestUrl} characters.`);
  return url.href;
}

function parse(text: string, anyPort: boolean): URL {
  try {
    return validateUrl(text, { anyPort });
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    throw new WebhookError('The URL must look like https://receiver.example/path, without a user name and on the default port.');
  }
}
