// The clients of lab/bench/soak.ts: each maintains its candles by the protocol, some disconnect and reconnect every second.
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion, type CandleRow, type LiveCursor, type ServerMessage } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'

const [port = '', count = '', leaving = ''] = process.argv.slice(2)
const url = `ws://127.0.0.1:${port}${basePath}${livePath}`
const timeframes: readonly Timeframe[] = ['1', '5', '60']
const errors: string[] = []
let reconnects = 0
let isSettling = false
/** Maximum concurrent connection attempts: on a loaded machine they queue up. */
let pending = 0

interface Watcher {
  readonly timeframe: Timeframe
  /** Half of them reconnect with their cursor, the others start over. */
  readonly resumes: boolean
  socket: WebSocket
  cursor: LiveCursor | undefined
  candles: Map<number, CandleRow>
}

function connect(watcher: Watcher): Promise<void> {
  const socket = new WebSocket(url, { headers: { cookie: 'tezi_session=soak' } })
  watcher.socket = socket
  if (!watcher.resumes) watcher.cursor = undefined
  pending += 1
  return new Promise<void>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: 'soak' })))
    socket.on('error', (error) => {
      // A client that leaves before its socket is open causes an expected error.
      if (watcher.socket === socket) errors.push(String(error))
    })
    socket.on('message', (data: Buffer) => {
      if (watcher.socket !== socket) return
      const message = JSON.parse(data.toString()) as ServerMessage
      if (message.t === 'ready') ask(watcher)
      if (message.t === 'snap' || message.t === 'cont') resolve()
      take(watcher, message)
    })
    socket.on('close', () => resolve())
  }).finally(() => {
    pending -= 1
  })
}

function ask({ socket, timeframe, cursor }: Watcher): void {
  socket.send(
    JSON.stringify({ t: 'sub', id: 1, slug: 'btc-usdt', timeframe, bars: 30, ...(cursor === undefined ? {} : { since: cursor }) }),
  )
}

function take(watcher: Watcher, message: ServerMessage): void {
  if (message.t === 'snap') {
    watcher.cursor = { epoch: message.epoch, seq: message.seq }
    watcher.candles = new Map(message.candles.map((row) => [row[0], row]))
  }
  if (message.t === 'end') errors.push(`ended: ${message.code}`)
  if (message.t !== 'upd' || watcher.cursor === undefined || message.q <= watcher.cursor.seq) return
  if (message.p > watcher.cursor.seq) errors.push(`a hole from ${watcher.cursor.seq} to ${message.p}`)
  for (const row of message.c) watcher.candles.set(row[0], row)
  watcher.cursor = { epoch: watcher.cursor.epoch, seq: message.q }
}

const watchers: Watcher[] = Array.from({ length: Number(count) }, (_, index) => ({
  timeframe: timeframes[index % timeframes.length] ?? '1',
  resumes: index % 2 === 0,
  socket: undefined as unknown as WebSocket,
  cursor: undefined,
  candles: new Map(),
}))
for (let opened = 0; opened < watchers.length; opened += 100) await Promise.all(watchers.slice(opened, opened + 100).map(connect))
process.send?.({ isOpen: true })

let next = 0
setInterval(() => {
  if (isSettling) return
  for (let left = 0; left < Number(leaving); left += 1) {
    const watcher = watchers[next % watchers.length]
    next += 7
    if (watcher === undefined) continue
    watcher.socket.terminate()
    reconnects += 1
    void connect(watcher)
  }
}, 1_000)

process.on('message', (message) => {
  if (message === 'settle') {
    isSettling = true
    const timer = setInterval(() => {
      if (pending > 0) return
      clearInterval(timer)
      setTimeout(() => process.send?.({ isSettled: true }), 3_000)
    }, 200)
  }
  if (message === 'report') {
    const final = watchers.map(({ timeframe, candles }) => {
      const rows = [...candles.values()].toSorted((one, other) => one[0] - other[0]).slice(-20)
      return `btc-usdt:${timeframe} ${JSON.stringify(rows)}`
    })
    process.send?.({ final, reconnects, errors })
  }
})
