// A small load balancer with the rules of deploy/docker/scaled/Caddyfile: health checks, one process per visitor, another try only
// where no connection was made. Run by rolling.ts with the ports; tells its origin, and then the healthy ports once a second.
import { createHash } from 'node:crypto'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const healthIntervalMs = 1_000
const healthTimeoutMs = 2_000
const retryMs = 250
const retriesMax = 40

const ports = process.argv.slice(2).map(Number)
const healthy = new Set(ports)
const agent = new Agent({ keepAlive: true })
const check = async (port: number): Promise<void> => {
  const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(healthTimeoutMs) }).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  )
  if (isReady) healthy.add(port)
  else healthy.delete(port)
}
setInterval(() => void Promise.all(ports.map(check)).then(() => process.send?.([...healthy])), healthIntervalMs)
/** The visitor's own process while it is healthy. */
const portOf = (incoming: IncomingMessage): number | undefined => {
  const digest = createHash('sha256')
    .update(incoming.headers.cookie ?? '')
    .digest()
  const own = ports[digest.readUInt8() % ports.length]
  return own !== undefined && healthy.has(own) ? own : [...healthy][0]
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, tries: number): void {
  const port = portOf(incoming)
  const again = (): void => {
    if (tries < retriesMax) setTimeout(() => forward(incoming, outgoing, body, tries + 1), retryMs)
    else outgoing.writeHead(502).end()
  }
  if (port === undefined) return again()
  const sent = request({ agent, host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers: incoming.headers })
  sent.on('response', (answer) => {
    const { connection: _, ...headers } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 502, headers)
    answer.pipe(outgoing)
  })
  sent.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') return again()
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(error.code)
  })
  sent.end(body)
}

function join(incoming: IncomingMessage, near: Duplex, head: Buffer, tries: number): void {
  const port = portOf(incoming)
  const again = (): void => {
    if (tries < retriesMax) setTimeout(() => join(incoming, near, head, tries + 1), retryMs)
    else near.destroy()
  }
  if (port === undefined) return again()
  const far: Socket = connect(port, '127.0.0.1', () => {
    const lines = incoming.rawHeaders.flatMap((name, index, all) => (index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : []))
    far.write([`GET ${incoming.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    far.write(head)
    far.pipe(near).pipe(far)
  })
  far.once('close', () => near.destroy())
  near.once('close', () => far.destroy())
  near.on('error', () => far.destroy())
  far.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNREFUSED') return
    far.removeAllListeners('close')
    again()
  })
}

const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => forward(incoming, outgoing, Buffer.concat(chunks), 0))
})
// Longer than its clients keep theirs.
server.keepAliveTimeout = 60_000
server.on('upgrade', (incoming, near: Duplex, head) => join(incoming, near, head, 0))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
