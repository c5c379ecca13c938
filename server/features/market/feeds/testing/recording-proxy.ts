// Stands between an adapter and its provider, passes everything on, and notes what passes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import type { Exchanged } from './recording.ts'

export interface ProxyNeeds {
  /** The provider's own addresses. */
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

/** Headers that belong to one connection and not to what is asked over it. */
const ownHeaders = /^(host|connection|upgrade|keep-alive|transfer-encoding|content-length|accept-encoding|sec-websocket-.*)$/
const keptHeaders = ['content-type', 'date', 'retry-after']

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && !ownHeaders.test(pair[0]))
  return Object.fromEntries(pairs)
}

function bytesOf(data: RawData): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.concat([data].flat().map((part) => Buffer.from(part as ArrayBuffer)))
}

/** Passes one request on. An answer is sent as it came, but for its packing. */
async function pass(request: IncomingMessage, response: ServerResponse, { restUrl, now, note }: ProxyNeeds): Promise<void> {
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

/** Joins a client with the provider, once the provider has answered. */
function join(near: WebSocket, far: WebSocket, line: number, { now, note }: ProxyNeeds): void {
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
    // Without a word, which is the harder ending; not every code may be sent on.
    near.terminate()
  })
  near.on('close', () => {
    far.removeAllListeners('close')
    far.terminate()
  })
  near.on('error', () => undefined)
}

/** Starts a proxy on a free port of this machine. */
export async function recordingProxy(needs: ProxyNeeds): Promise<RecordingProxy> {
  const open = new Set<Duplex>()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  let lines = 0
  const server = createServer((request, response) => {
    // What cannot be reached is cut here as well.
    pass(request, response, needs).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => {
    open.add(socket)
    // A client that breaks off after its upgrade must not end the recording.
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => {
    lines += 1
    const line = lines
    const far = new WebSocket(new URL(request.url ?? '/', needs.socketUrl), { headers: headersOf(request) })
    const dialled = (status: number) => needs.note({ kind: 'dial', atMs: needs.now(), line, status })
    far.on('open', () => {
      dialled(101)
      sockets.handleUpgrade(request, socket, head, (near) => join(near, far, line, needs))
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
