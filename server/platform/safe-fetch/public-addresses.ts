/**
 * Which internet addresses the shop may call for somebody: public ones only. Never its own machine, the
 * network it stands in, or the address where a cloud hands out secrets (169.254.169.254).
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The only part of IPv6 that is assigned; ipaddr.js takes the rest for ordinary unicast. */
const assignedIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is public by IANA's special-purpose registries, as ipaddr.js knows them. IPv4
 * written as IPv6 (mapped, NAT64) is not: no name server has a reason to answer so.
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also parses short and hexadecimal forms, which are not addresses here.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (!(parsed instanceof ipaddr.IPv6) || parsed.match(assignedIpv6));
}
