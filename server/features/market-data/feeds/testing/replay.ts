// Replays a recording to an adapter on a fake clock, and returns the adapter's output.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { FeedError, type Feed, type FeedClock } from '../../feed.ts'
import { manualClock, settle } from './manual-clock.ts'
import type { Asked, Exchanged, Made, Recording } from './recording.ts'

type Urls = { readonly restUrl: string; readonly socketUrl: string }

export interface Replayed {
  readonly made: readonly Made[]
  /** Recorded requests that the adapter no longer sends. */
  readonly unasked: readonly string[]
}

interface WaitingDial {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** The provider's side: no response before its recorded time. */
async function stage() {
  const requests: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = []
  const dials: WaitingDial[] = []
  const lines = new Map<number, WebSocket>()
  const open = new Set<Socket>()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  let activity = 0
  const server = createServer((request, response) => {
    activity += 1
    requests.push({ request, response })
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => (activity += 1))
    socket.on('close', () => open.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => {
    activity += 1
    dials.push({ request, socket, head })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  /** Sends one provider message; false if nothing waits for it. */
  function perform(entry: Exchanged): boolean {
    activity += 1
    if (entry.kind === 'sent') return true
    if (entry.kind === 'answer') return answer(entry)
    if (entry.kind === 'dial') return pickUp(entry)
    const line = lines.get(entry.line)
    if (line === undefined) return false
    if (entry.kind === 'cut') line.terminate()
    else line.send(entry.base64 === undefined ? (entry.text ?? '') : Buffer.from(entry.base64, 'base64'))
    return true
  }

  function answer({ method, path, status, headers, body }: Extract<Exchanged, { kind: 'answer' }>): boolean {
    const index = requests.findIndex(({ request }) => request.method === method && request.url?.split('?')[0] === path)
    const [waiting] = index < 0 ? [] : requests.splice(index, 1)
    waiting?.response.writeHead(status, headers).end(body)
    return waiting !== undefined
  }

  function pickUp({ line, status }: Extract<Exchanged, { kind: 'dial' }>): boolean {
    const waiting = dials.shift()
    if (waiting === undefined) return false
    const { request, socket, head } = waiting
    if (status !== 101) socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
    else
      sockets.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => undefined)
        client.on('message', () => (activity += 1))
        lines.set(line, client)
      })
    return true
  }

  const { port } = server.address() as AddressInfo
  return {
    urls: { restUrl: `http://127.0.0.1:${port}`, socketUrl: `ws://127.0.0.1:${port}` },
    perform,
    activity: () => activity,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Replays a recording to the adapter created by `make`. */
export async function replay({ head, entries }: Recording, make: (urls: Urls, clock: FeedClock) => Feed): Promise<Replayed> {
  const clock = manualClock(head.startMs)
  const provider = await stage()
  const feed = make(provider.urls, clock)
  const made: Made[] = []
  const unasked: string[] = []
  let stop = () => undefined as unknown
  const rest = () => settle([provider.activity, () => clock.activity(), () => made.length])

  /** One timer at a time, so that its traffic arrives before the next one runs. */
  async function passTo(ms: number): Promise<void> {
    await rest()
    for (let due = clock.nextDueMs(); due !== undefined && due <= ms; due = clock.nextDueMs()) {
      clock.advance(Math.max(0, due - clock.now()))
      await rest()
    }
    clock.advance(Math.max(0, ms - clock.now()))
  }

  function ask(entry: Asked): void {
    if (entry.kind === 'ask') {
      const { step, fromMs, toMs } = entry
      feed.history({ symbol: head.symbol, step, fromMs, toMs }).then(
        (candles) => made.push({ kind: 'history', step, candles }),
        (error: unknown) => made.push({ kind: 'failure', step, reason: error instanceof FeedError ? error.kind : String(error) }),
      )
    } else if (entry.kind === 'watch') {
      stop = feed.watch(head.symbol, {
        minute: (candle, isClosed) => void made.push({ kind: 'minute', candle, isClosed }),
        trade: (trade) => void made.push({ kind: 'trade', trade }),
        state: ({ kind }) => void made.push({ kind: 'state', state: kind }),
      })
    } else stop()
  }

  try {
    for (const entry of entries) {
      if (!('atMs' in entry)) continue
      await passTo(entry.atMs)
      if (entry.kind === 'ask' || entry.kind === 'watch' || entry.kind === 'end') ask(entry)
      else if (!provider.perform(entry)) unasked.push(`${entry.kind} ${'path' in entry ? entry.path : entry.line}`)
      await rest()
    }
    return { made: [...made], unasked }
  } finally {
    await feed.close()
    await provider.close()
  }
}
