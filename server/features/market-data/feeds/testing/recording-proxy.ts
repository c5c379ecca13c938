// A proxy between an adapter and its provider that forwards and records all traffic.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import type { Exchanged } from './recording.ts'

export interface ProxyOptions {
  /** The provider's own URLs. */
  readonly restUrl: string
  readonly socketUrl: string
  readonly now: () => number
  readonly note: (entry: Exchanged) => void
}

export interface RecordingProxy {
  readonly restUrl: string
  readonly socketUrl: string
  close(): Promise<void>
}

/** Hop-by-hop headers, which are not part of the request. */
const ownHeaders = /^(host|connection|upgrade|keep-alive|transfer-encoding|content-length|accept-encoding|sec-websocket-.*)$/
const keptHeaders = ['content-type', 'date', 'retry-after']

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && !ownHeaders.test(pair[0]))
  return Object.fromEntries(pairs)
}

function bytesOf(data: RawData): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.concat([data].flat().map((part) => Buffer.from(part as ArrayBuffer)))
}

/** Forwards one request. The response body is forwarded unchanged, except for its compression. */
async function pass(request: IncomingMessage, response: ServerResponse, { restUrl, now, note }: ProxyOptions): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const method = request.method ?? 'GET'
  const url = new URL(request.url ?? '/', restUrl)
  const answer = await fetch(url, {
    method,
    headers: headersOf(request),
    ...(parts.length > 0 && { body: Buffer.concat(parts) }),
    redirect: 'manual',
  })
  const body = await answer.text()
  const headers = Object.fromEntries(
    keptHeaders.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [])),
  )
  note({ kind: 'answer', atMs: now(), method, path: url.pathname, status: answer.status, headers, body })
  response.writeHead(answer.status, headers).end(body)
}

/** Connects a client to the provider once the provider has responded. */
function join(near: WebSocket, far: WebSocket, line: number, { now, note }: ProxyOptions): void {
  near.on('message', (data, isBinary) => {
    const bytes = bytesOf(data)
    note({ kind: 'sent', atMs: now(), line, text: isBinary ? bytes.toString('base64') : bytes.toString('utf8') })
    far.send(bytes, { binary: isBinary })
  })
  far.on('message', (data, isBinary) => {
    const bytes = bytesOf(data)
    note({ kind: 'frame', atMs: now(), line, ...(isBinary ? { base64: bytes.toString('base64') } : { text: bytes.toString('utf8') }) })
    near.send(bytes, { binary: isBinary })
  })
  far.on('ping', () => near.ping())
  far.on('close', (code) => {
    note({ kind: 'cut', atMs: now(), line, code })
    // Terminated without a close frame, which is the harder case; not every close code may be sent.
    near.terminate()
  })
  near.on('close', () => {
    far.removeAllListeners('close')
    far.terminate()
  })
  near.on('error', () => undefined)
}

/** Starts a proxy on a free local port. */
export async function recordingProxy(options: ProxyOptions): Promise<RecordingProxy> {
  const open = new Set<Duplex>()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  let lines = 0
  const server = createServer((request, response) => {
    // An unreachable provider is a cut connection here as well.
    pass(request, response, options).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => {
    open.add(socket)
    // A client that disconnects after its upgrade must not end the recording.
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => {
    lines += 1
    const line = lines
    const far = new WebSocket(new URL(request.url ?? '/', options.socketUrl), { headers: headersOf(request) })
    const dialled = (status: number) => options.note({ kind: 'dial', atMs: options.now(), line, status })
    far.on('open', () => {
      dialled(101)
      sockets.handleUpgrade(request, socket, head, (near) => join(near, far, line, options))
    })
    far.on('unexpected-response', (_request, { statusCode = 502 }) => {
      dialled(statusCode)
      socket.end(`HTTP/1.1 ${statusCode} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
    })
    far.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    restUrl: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
