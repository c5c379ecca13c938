// Allowed addresses of user-supplied hosts: public ones only, to prevent SSRF into the operator's network.
import { BlockList, isIP } from 'node:net'

/** Non-public IPv4: private, shared, loopback, link-local, documentation, multicast, reserved. */
const blocked4: readonly (readonly [net: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Azure's platform address, which serves its metadata.
  ['168.63.129.16', 32],
]

/** Within 2000::/3, non-public ranges and embedded addresses: tunnels, translation, documentation. */
const blocked6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const blocked = new BlockList()
for (const [net, bits] of blocked4) blocked.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of blocked6) blocked.addSubnet(net, bits, 'ipv6')

const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address belongs to the public internet. An IPv6 form of an IPv4 address does not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !blocked.check(address, 'ipv4')
  return family === 6 && public6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
}
