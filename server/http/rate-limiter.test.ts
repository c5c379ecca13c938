// Rate limit keys of client addresses.
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressReader, ipRateLimitKey } from './rate-limiter.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:203.10.113.70', '203.10.113.70'],
  // Hexadecimal form of a mapped address: treated as IPv6.
  ['::ffff:cb00:7107', '0:0:0:0::/64'],
  // Not mapped addresses: other bits are set.
  ['1::ffff:203.0.113.7', '1:0:0:0::/64'],
  ['::ffff:203.0.113.7.8', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0020::1', '2001:db8:1:20::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0::/64'],
  ['2001:0000:0:00::5', '2001:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::3:4:5:6:7:8', '1:0:3:4::/64'],
  ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80:1:2:3::%eth0', 'fe80:1:2:3::/64'],
  ['', ''],
  // The client has disconnected.
  [undefined, 'unknown'],
])('%s has the key %s', (ip, counted) => {
  expect(ipRateLimitKey(ip)).toBe(counted)
})

const upgrade = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test.each([
  // An unknown peer may claim anything.
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '192.0.2.9, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['10.0.0.1', '2001:db8::1', '2001:db8:0:0::/64'],
  [undefined, '198.51.100.1', 'unknown'],
])('a request of %s for %s has the key %s', (peer, forwarded, key) => {
  expect(addressReader(['10.0.0.0/8'])(upgrade(peer, forwarded))).toBe(key)
})
