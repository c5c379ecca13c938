// The public address, checked against real TLS and plain servers on this machine.
import { once } from 'node:events'
import { createServer as createPlain, type RequestListener, type Server } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { dayMs } from '#shared/base/durations.ts'
import { checkPublicUrl, type PublicUrlOptions } from './check-public-url.ts'
import { testCertificate, testKey } from './testing/certificate.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

const alive: RequestListener = (_, response) => void response.end('{"status":"ok"}')
const lookup: LookupFunction = (_, options, callback) =>
  options.all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)

/** A site with or without the socket of live prices; returns its port. */
async function site(handler: RequestListener, { hasSocket = true, isSecure = true } = {}): Promise<number> {
  server = isSecure ? createTls({ cert: testCertificate, key: testKey }, handler) : createPlain(handler)
  if (hasSocket) {
    const sockets = new WebSocketServer({ noServer: true })
    server.on('upgrade', (request, socket, head) => {
      if (request.headers.origin === undefined || request.url !== '/api/v1/market/live') socket.destroy()
      else sockets.handleUpgrade(request, socket, head, () => {})
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function check(origin: string, options: Partial<PublicUrlOptions> = {}, signal = AbortSignal.timeout(20_000)) {
  const report = await checkPublicUrl({ origin, now: Date.now, ca: testCertificate, lookup, ...options }, signal)
  return { ...report, lines: report.results.map(({ name, status }) => `${name} ${status}`) }
}

test('an unknown name fails with the record to add', async () => {
  const unknown: LookupFunction = (_host, _options, callback) => callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '')
  const { results } = await check('https://tezi.test', { lookup: unknown })
  expect(results).toEqual([expect.objectContaining({ status: 'failed', action: expect.stringContaining('record for tezi.test') })])
})

test('a closed port and a silent server are warnings, because many networks do not lead back to their own address', async () => {
  const port = await site(() => {})
  const silent = await check(`https://tezi.test:${port}`, {}, AbortSignal.timeout(300))
  expect(silent.lines).toEqual(['public address warning'])
  server?.closeAllConnections()
  server?.close()
  expect((await check(`https://tezi.test:${port}`)).lines).toEqual(['public address warning'])
})

test('an untrusted certificate and one of another name fail', async () => {
  const port = await site(alive)
  const untrusted = await check(`https://tezi.test:${port}`, { ca: undefined })
  expect(untrusted.lines).toEqual(['certificate failed'])
  expect(untrusted.results[0]?.message).toContain('self-signed')
  const other = await check(`https://other.test:${port}`)
  expect(other.lines).toEqual(['certificate failed'])
  expect(other.results[0]?.message).toContain('other.test')
})

test.each([
  ['a proxy that does not reach Tezi', 502, '', 'does not reach Tezi'],
  ['another site', 200, '<html>', 'not as Tezi does'],
  ['another path', 404, 'none', 'answers 404'],
])('%s fails', async (_, status, body, message) => {
  const port = await site((_request, response) => void response.writeHead(status).end(body))
  const { lines, results } = await check(`https://tezi.test:${port}`)
  expect(lines).toEqual(['certificate ok', 'public address failed'])
  expect(results[1]?.message).toContain(message)
})

test('a proxy that does not forward the socket fails', async () => {
  const port = await site(alive, { hasSocket: false })
  expect((await check(`https://tezi.test:${port}`)).lines).toEqual(['certificate ok', 'public address ok', 'live prices failed'])
})

test('a certificate that should have been renewed is a warning', async () => {
  const port = await site(alive)
  const nearEnd = Date.parse('2120-01-01T00:00:00Z') - 13 * dayMs
  expect((await check(`https://tezi.test:${port}`, { now: () => nearEnd })).lines[0]).toBe('certificate warning')
})

test('a working site, with and without TLS, also shows its clock', async () => {
  const secure = await check(`https://tezi.test:${await site(alive)}`)
  expect(secure.lines).toEqual(['certificate ok', 'public address ok', 'live prices ok'])
  expect(secure.readings.map(({ aheadMs }) => Math.abs(aheadMs) < 2_000)).toEqual([true])
  server?.closeAllConnections()
  server?.close()
  const plain = await check(`http://tezi.test:${await site(alive, { isSecure: false })}`)
  expect(plain.lines).toEqual(['public address ok', 'live prices ok'])
})
