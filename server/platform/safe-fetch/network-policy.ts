/** Which addresses requests to other sites may reach, and how. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** How requests reach the network. Tests supply their own. */
export interface NetworkPolicy {
  /** Returns all addresses of a host name. */
  resolve(host: string): Promise<ResolvedAddress[]>;
  isPublic(address: string): boolean;
  /** Returns the address to connect to for a validated address: the same one, except in tests. */
  dial(found: ResolvedAddress, port: number): ResolvedAddress & { port: number };
  /** Whether ports other than 80 and 443 are allowed. */
  anyPort?: boolean;
  /** The CA certificates to trust (PEM). Defaults to those that Node ships. */
  ca?: string;
}

export const publicInternet: NetworkPolicy = {
  resolve: (host) => lookup(host, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
  dial: (found, port) => ({ ...found, port }),
};

/** Allows this machine and nothing else, for fakes of external servers. */
export const loopbackOnly: NetworkPolicy = {
  ...publicInternet,
  isPublic: (address) => address === '::1' || (isIP(address) === 4 && address.startsWith('127.')),
  anyPort: true,
};

/** Allows every address and port, private ones included. Only for addresses that the operator enters. */
export const anyNetwork: NetworkPolicy = { ...publicInternet, isPublic: () => true, anyPort: true };
