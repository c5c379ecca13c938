// Clients of live candles that behave like the page: they resume, reconnect, and know when their data is old.
import { WebSocket } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { beatMs, livePath, liveVersion, type CandleRow, type LiveCursor, type ServerMessage } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'

const timeframes: readonly Timeframe[] = ['1', '5', '60']
const slug = 'nifty'
const bars = 60
const reconnectMs = 500
/** How long a client may show old data as live. */
const notifyWithinMs = 5_000

export interface Session {
  readonly cookie: string
  readonly token: string
}

interface Subscription {
  cursor: LiveCursor | undefined
  readonly candles: Map<number, CandleRow>
  isStale: boolean
  updatedMs: number
}

/** One connection with a subscription of each timeframe. Times are monotonic. */
export class Watcher {
  readonly subscriptions = new Map<Timeframe, Subscription>()
  #socket: WebSocket | undefined
  #receivedMs = 0
  #isOver = false
  #topics = new Map<string, Timeframe>()

  readonly #origin: string
  readonly #session: Session
  readonly #problems: string[]

  /** Problems are appended to the list. */
  constructor(origin: string, session: Session, problems: string[]) {
    this.#origin = origin
    this.#session = session
    this.#problems = problems
    for (const timeframe of timeframes)
      this.subscriptions.set(timeframe, { cursor: undefined, candles: new Map(), isStale: true, updatedMs: performance.now() })
    this.#connect()
  }

  /** True while the client shows its prices as live. */
  get showsLive(): boolean {
    const isConnected = this.#socket?.readyState === WebSocket.OPEN && performance.now() - this.#receivedMs < 2 * beatMs
    return isConnected && [...this.subscriptions.values()].every(({ isStale }) => !isStale)
  }

  /** True if it shows live data that came after an instant of the monotonic clock. */
  isCurrent(sinceMs: number): boolean {
    return this.showsLive && [...this.subscriptions.values()].every(({ updatedMs }) => updatedMs > sinceMs)
  }

  /** Adds a problem if data is old and the client was not notified in time. */
  check(during: string): void {
    if (!this.showsLive) return
    for (const [timeframe, { updatedMs }] of this.subscriptions) {
      const ageMs = performance.now() - updatedMs
      if (ageMs > notifyWithinMs) this.#problems.push(`${during}: data of ${timeframe} is ${Math.round(ageMs)} ms old and shown as live`)
    }
  }

  stop(): void {
    this.#isOver = true
    this.#socket?.terminate()
  }

  #connect(): void {
    if (this.#isOver) return
    const socket = new WebSocket(this.#origin.replace('http', 'ws') + basePath + livePath, {
      headers: { cookie: this.#session.cookie },
      handshakeTimeout: 3_000,
    })
    this.#socket = socket
    this.#receivedMs = performance.now()
    socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: this.#session.token })))
    socket.on('message', (data: Buffer) => {
      this.#receivedMs = performance.now()
      this.#take(JSON.parse(data.toString()) as ServerMessage)
    })
    // The page closes a silent connection at the same moment, so that a late message does not revive it.
    const silence = setTimeout(() => socket.terminate(), 2 * beatMs)
    socket.on('message', () => silence.refresh())
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(silence)
      // Until the next connection is established, the page says CONNECTING.
      for (const subscription of this.subscriptions.values()) subscription.isStale = true
      setTimeout(() => this.#connect(), reconnectMs)
    })
  }

  #subscribe(timeframe: Timeframe): void {
    const since = this.subscriptions.get(timeframe)?.cursor
    const id = timeframes.indexOf(timeframe) + 1
    this.#socket?.send(JSON.stringify({ t: 'sub', id, slug, timeframe, bars, ...(since === undefined ? {} : { since }) }))
  }

  #take(message: ServerMessage): void {
    if (message.t === 'ready') for (const timeframe of timeframes) this.#subscribe(timeframe)
    if (message.t === 'snap' || message.t === 'cont') {
      const timeframe = timeframes[message.id - 1]
      const subscription = timeframe === undefined ? undefined : this.subscriptions.get(timeframe)
      if (timeframe === undefined || subscription === undefined) return
      this.#topics.set(message.k, timeframe)
      subscription.isStale = message.condition.isStale
      subscription.updatedMs = performance.now()
      if (message.t === 'snap') {
        subscription.cursor = { epoch: message.epoch, seq: message.seq }
        this.#isOrdered(message.candles, timeframe)
        subscription.candles.clear()
        for (const row of message.candles) subscription.candles.set(row[0], row)
      }
    }
    if (message.t === 'end') setTimeout(() => this.#socket?.close(), reconnectMs)
    if (message.t !== 'upd' && message.t !== 'cond') return
    const timeframe = this.#topics.get(message.k)
    const subscription = timeframe === undefined ? undefined : this.subscriptions.get(timeframe)
    if (timeframe === undefined || subscription === undefined) return
    if (message.t === 'cond') {
      // After a return to live an update is due.
      if (subscription.isStale && !message.condition.isStale) subscription.updatedMs = performance.now()
      subscription.isStale = message.condition.isStale
      return
    }
    if (subscription.cursor === undefined || message.q <= subscription.cursor.seq) return
    if (message.p > subscription.cursor.seq) {
      this.#problems.push(`gap in ${timeframe}: from ${subscription.cursor.seq} to ${message.p}`)
      return
    }
    for (const row of message.c) subscription.candles.set(row[0], row)
    subscription.cursor = { epoch: subscription.cursor.epoch, seq: message.q }
    subscription.updatedMs = performance.now()
  }

  #isOrdered(rows: readonly CandleRow[], timeframe: Timeframe): void {
    const stamps = rows.map(([stamp]) => stamp)
    if (stamps.some((stamp, at) => at > 0 && stamp <= (stamps[at - 1] ?? 0)))
      this.#problems.push(`double or disordered candles in ${timeframe}`)
  }
}
