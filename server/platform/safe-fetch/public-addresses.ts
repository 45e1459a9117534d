/**
 * Decides which IP addresses the shop may request on behalf of others: public ones only, never its own machine, its own network
 * or the cloud metadata address that serves credentials (169.254.169.254).
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only assigned part of IPv6; ipaddr.js treats the rest as ordinary unicast. */
const assignedIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public according to IANA's special-purpose registries, as ipaddr.js implements them. IPv4 written as
 * IPv6 (mapped, NAT64) is not public: no name server has a reason to return it.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also parses short and hexadecimal forms, which are rejected here.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || parsed.match(assignedIpv6));
}
