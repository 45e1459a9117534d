import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

/** The ranges of ipaddr.js in which an operator's own proxy can be. */
const privateRanges = new Set(['loopback', 'linkLocal', 'uniqueLocal', 'private']);

/**
 * The first proxy is the peer on the socket and must be on this machine or in a private network. The others are trusted by
 * position only: a client with a private address could otherwise add a forged entry in front.
 */
export function trustedProxies(hops: number): (address: string, hop: number) => boolean {
  return (address, hop) => hop < hops && (hop > 0 || isPrivate(address));
}

/** Keeps the entries that the shop's own proxies wrote; a request without one counts as the proxy's own. Logged once. */
export function registerForwardedFor(app: FastifyInstance, hops: number): void {
  let warned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const given = headers['x-forwarded-for'];
    const chain = forwardedChain(given, hops);
    if (chain === '') delete headers['x-forwarded-for'];
    else headers['x-forwarded-for'] = chain;
    if (chain === '' && !warned && (given !== undefined || request.method !== 'GET')) {
      warned = true;
      const problem =
        given === undefined ? 'no X-Forwarded-For from the proxy' : 'no IP address in X-Forwarded-For';
      request.log.warn(`${problem}: all shoppers count as one caller`);
    }
    done();
  });
}

/** From the right up to the first that is not an IP address; '' if none is left. */
export function forwardedChain(header: string | string[] | undefined, hops: number): string {
  const entries = [header ?? []].flat().join(',').split(',');
  const chain: string[] = [];
  for (const entry of entries.reverse().slice(0, hops)) {
    const address = addressIn(entry.trim());
    if (address === null) break;
    chain.unshift(address);
  }
  return chain.join(', ');
}

/** As proxies write it, some with a port; null for anything else. IPv4-mapped IPv6 becomes IPv4. */
function addressIn(text: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}

/** Whether an operator's own proxy can have this address. */
export function isPrivate(address: string): boolean {
  return isIP(address) !== 0 && privateRanges.has(ipaddr.process(address).range());
}
