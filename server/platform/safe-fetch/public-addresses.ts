/**
 * Which addresses of the internet the shop may call for somebody: those that are everybody's. Never its
 * own machine, the network it stands in, or what a cloud answers secrets at (169.254.169.254).
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA's special-purpose registries: whatever is not globally reachable, and what leads to such through a tunnel. */
const forbidden4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Of IPv6 only 2000::/3 is in use; in it, these are not what they look like: Teredo and others, documentation, 6to4. */
const forbidden6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const forbidden = new BlockList();
for (const [list, family] of [
  [forbidden4, 'ipv4'],
  [forbidden6, 'ipv6'],
] as const) {
  for (const range of list) {
    const [net = '', bits] = range.split('/');
    forbidden.addSubnet(net, Number(bits), family);
  }
}

const inUse6 = new BlockList();
inUse6.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an IP address is reachable by everybody. IPv4 written as IPv6 (mapped, NAT64) is refused
 * whole: nobody's name server has to answer so.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !forbidden.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return inUse6.check(address, 'ipv6') && !forbidden.check(address, 'ipv6');
}
