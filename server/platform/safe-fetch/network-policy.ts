/** Public addresses only: never this machine, its network or the cloud's metadata that serves credentials (169.254.169.254). */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A code and at most a status, so that it is safe to log. */
export class SafeFetchError extends Error {
  override name = 'OutsideError';
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface NetworkPolicy {
  /** Returns all addresses. */
  resolve(host: string): Promise<ResolvedAddress[]>;
  isPublic(address: string): boolean;
  /** The address to connect to for a validated one: the same, except in tests. */
  dial(found: ResolvedAddress, port: number): ResolvedAddress & { port: number };
  anyPort?: boolean;
  /** PEM. Defaults to those that Node ships. */
  ca?: string;
}

export const publicInternet: NetworkPolicy = {
  resolve: (host) => lookup(host, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
  dial: (found, port) => ({ ...found, port }),
};

/** For fakes of external servers. */
export const loopbackOnly: NetworkPolicy = {
  ...publicInternet,
  isPublic: (address) => address === '::1' || (isIP(address) === 4 && address.startsWith('127.')),
  anyPort: true,
};

/** Only for addresses that the operator enters. */
export const anyNetwork: NetworkPolicy = { ...publicInternet, isPublic: () => true, anyPort: true };

/** The only assigned part of IPv6; ipaddr.js treats the rest as ordinary unicast. */
const assignedIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** By IANA's special-purpose registries. IPv4 written as IPv6 (mapped, NAT64) is not public: no name server needs it. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also parses short and hexadecimal forms, which are rejected here.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || parsed.match(assignedIpv6));
}
