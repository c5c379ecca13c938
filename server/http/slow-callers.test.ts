// Connections that pipeline endlessly or never read their responses, on a real HTTP server.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { boundedPipeline, createHttpServer } from './listener.ts'

let server: Server
const open: Socket[] = []

async function listen(handle: Parameters<typeof boundedPipeline>[0], writeTimeoutMs?: number): Promise<Socket> {
  server = createHttpServer(writeTimeoutMs === undefined ? {} : { writeTimeoutMs }).on('request', boundedPipeline(handle))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  open.push(socket)
  await once(socket, 'connect')
  return socket
}

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const request = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'

it('terminates a connection that pipelines more requests than allowed', async () => {
  let handled = 0
  const socket = await listen(() => (handled += 1))
  socket.resume()
  socket.write(request.repeat(50))
  await once(socket, 'close')
  expect(handled).toBe(8)
})

it('answers any number of sequential requests', async () => {
  const socket = await listen((_request, response) => response.end('ok'))
  for (let count = 0; count < 20; count += 1) {
    socket.write(request)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('200 OK')
  }
})

it('terminates a connection whose response is not read', async () => {
  const socket = await listen((_request, response) => response.end(Buffer.alloc(32 * 1024 * 1024)), 100)
  socket.pause()
  const timedOut = once(server, 'timeout')
  socket.write(request)
  await timedOut
  await expect.poll(() => countOf(server)).toBe(0)
})

it('of a client that reads nothing waits ten seconds', () => {
  expect(createHttpServer().timeout).toBe(10_000)
})

it('keeps a connection whose request is in progress', async () => {
  let answer: () => void = () => undefined
  const worked = new Promise<void>((resolve) => {
    answer = resolve
  })
  const socket = await listen((_request, response) => void worked.then(() => response.end('late')), 50)
  const timedOut = once(server, 'timeout')
  socket.write(request)
  await timedOut
  answer()
  const [data] = (await once(socket, 'data')) as [Buffer]
  expect(data.toString()).toContain('late')
})

function countOf(of: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    of.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
