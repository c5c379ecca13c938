// User-supplied URLs: what is not public, not encrypted, or redirects is not called.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { BlockedAddressError, isPublicAddress, outboundGuard, type ResolveHost } from './outbound-guard.ts'

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'ff02::1',
  'localhost',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.167.1.1', '2606:4700::1', '2a00:1450::8'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

const guard = outboundGuard({ allowedHosts: new Set(['openalgo.lan:5000', '10.0.0.9']) })

test.each([
  'http://algo.example.in/',
  'ws://algo.example.in/',
  'ftp://algo.example.in/',
  'file:///etc/passwd',
  'https://user:secret@algo.example.in/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://[::1]/',
  'https://[::ffff:169.254.169.254]/',
  'wss://192.168.0.4:8765/',
  'http://openalgo.lan:5001/',
])('%s is not called', (url) => {
  expect(() => guard.check(new URL(url))).toThrow(BlockedAddressError)
})

test.each(['https://algo.example.in/', 'wss://algo.example.in/ws', 'http://openalgo.lan:5000/', 'ws://10.0.0.9:8765/', 'https://8.8.8.8/'])(
  '%s is allowed',
  (url) => {
    expect(() => guard.check(new URL(url))).not.toThrow()
  },
)

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const resolvesTo =
  (...addresses: readonly string[]): ResolveHost =>
  (_host, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

test.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']]])('a name that resolves to %j gets no connection', async (addresses) => {
  let connections = 0
  const port = await portOf(createTcpServer(() => (connections += 1)))
  const { fetch, lookupFor } = outboundGuard({ allowedHosts: new Set(), resolve: resolvesTo(...addresses) })
  await expect(fetch(`https://rebind.example:${port}/`)).rejects.toThrow('address')
  const url = new URL(`wss://rebind.example:${port}/`)
  const socket = new WebSocket(url, { lookup: lookupFor(url) })
  await expect(new Promise((_resolve, reject) => socket.once('error', reject))).rejects.toThrow('address')
  expect(connections).toBe(0)
})

test.each(['fetch', 'socket'])("a name that the system's resolver does not know is an error of the %s", async (way) => {
  const { fetch, lookupFor } = outboundGuard({ allowedHosts: new Set() })
  const url = new URL('https://no-such-host.invalid/')
  if (way === 'fetch') return expect(fetch(url)).rejects.toThrow('no-such-host.invalid')
  url.protocol = 'wss:'
  const socket = new WebSocket(url, { lookup: lookupFor(url) })
  await expect(new Promise((_resolve, reject) => socket.once('error', reject))).rejects.toThrow('no-such-host.invalid')
})

test('the address is checked at every connection, which prevents DNS rebinding', async () => {
  const answers = ['8.8.8.8', '10.0.0.1']
  const seen: unknown[] = []
  const { lookupFor } = outboundGuard({
    allowedHosts: new Set(['moves.example:444']),
    resolve: (_host, callback) => callback(null, [{ address: answers.shift() ?? '', family: 4 }]),
  })
  const lookup = lookupFor(new URL('https://moves.example/'))
  for (let time = 0; time < 2; time += 1) lookup('moves.example', {}, (error, address) => void seen.push(error?.message ?? address))
  expect(seen).toEqual(['8.8.8.8', 'address'])
})

async function allowed(answer: RequestListener) {
  const port = await portOf(createServer(answer))
  return { url: `http://127.0.0.1:${port}/`, fetch: outboundGuard({ allowedHosts: new Set([`127.0.0.1:${port}`]) }).fetch }
}

test('redirects are not followed', async () => {
  const paths: (string | undefined)[] = []
  const { url, fetch } = await allowed((request, response) => {
    paths.push(request.url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await expect(fetch(url)).rejects.toThrow('redirect')
  expect(paths).toEqual(['/'])
})

test('a response over 2 MB is aborted, and an endless one by the signal', async () => {
  const { url, fetch } = await allowed((request, response) => {
    response.on('error', () => undefined)
    if (request.url === '/large') response.end(Buffer.alloc(3 * 1024 * 1024, 65))
    else response.write('never ends')
  })
  await expect(fetch(`${url}large`)).rejects.toThrow('too large')
  const limit = new AbortController()
  const asked = fetch(url, { signal: limit.signal })
  limit.abort()
  await expect(asked).rejects.toThrow('aborted')
})

test('a response has its status, text and date', async () => {
  const { url, fetch } = await allowed((request, response) => {
    request.pipe(response.writeHead(418, { date: 'Fri, 20 Nov 2026 06:30:00 GMT', 'x-other': '1' }))
  })
  const answer = await fetch(url, { method: 'POST', body: '{"a":"é"}', headers: { 'content-type': 'application/json' } })
  expect([answer.status, await answer.text(), answer.headers.get('date')]).toEqual([418, '{"a":"é"}', 'Fri, 20 Nov 2026 06:30:00 GMT'])
  expect(answer.headers.get('x-other')).toBeNull()
})
