// Shared WebSocket for live candles: reconnects, resumes its subscriptions and detects a silent connection.
import { backOffDelayMs } from '#shared/base/back-off.ts'
import { basePath } from '#shared/http/route.ts'
import { closeCodes, livePath, liveVersion, serverMessageSchema } from '#shared/market-data/live.ts'
import type { ClientMessage, LiveCursor, ServerMessage } from '#shared/market-data/live.ts'
import type { LiveListener, LiveRequest } from './live-listener.ts'

export interface LiveSocketOptions {
  /** Opens a socket; by default the browser's WebSocket. */
  readonly open: (url: string) => WebSocket
  /** Origin of the page, for example https://tezi.example. */
  readonly origin: string
  /** Session token, or undefined while signed out. */
  readonly token: () => string | undefined
  readonly after: (delayMs: number, run: () => void) => () => void
  readonly random: () => number
  /** Called with the server's time, epoch milliseconds, on arrival. */
  readonly onServerTime: (serverMs: number) => void
}

interface Subscription {
  readonly id: number
  readonly request: LiveRequest
  readonly listener: LiveListener
  topic: string | undefined
  cursor: LiveCursor | undefined
}

type Message<Type extends ServerMessage['t']> = Extract<ServerMessage, { t: Type }>
type SubscriptionMessage = Exclude<ServerMessage, Message<'ready' | 'beat'>>

interface ConnectionEvents {
  /** The server has accepted the session. */
  ready(): void
  message(message: SubscriptionMessage): void
  /** A connection that was ready is lost. */
  lost(): void
  /** Whether to reconnect. */
  isNeeded(): boolean
}

const retryLimits = { firstMs: 300, maxMs: 15_000 }
/** How long an idle connection is kept open for the next chart. */
const idleTimeoutMs = 10_000

/** One connection for all subscriptions of the page. It opens with the first and closes some time after the last. */
export class LiveSocket {
  readonly #options: LiveSocketOptions
  readonly #connection: Connection
  readonly #subscriptions = new Map<number, Subscription>()
  #nextId = 1
  #cancelIdleTimer: () => void = () => undefined

  constructor(options: LiveSocketOptions) {
    this.#options = options
    this.#connection = new Connection(options, {
      ready: () => {
        for (const subscription of this.#subscriptions.values()) this.#begin(subscription)
      },
      message: (message) => this.#deliver(message),
      lost: () => {
        for (const { listener } of this.#subscriptions.values()) listener.connected(false)
      },
      isNeeded: () => this.#subscriptions.size > 0,
    })
  }

  /** Returns the function that ends the subscription. */
  subscribe(request: LiveRequest, listener: LiveListener): () => void {
    const subscription: Subscription = { id: this.#nextId, request, listener, topic: undefined, cursor: undefined }
    this.#nextId += 1
    this.#subscriptions.set(subscription.id, subscription)
    this.#cancelIdleTimer()
    if (this.#connection.isReady) this.#begin(subscription)
    else this.#connection.open()
    return () => {
      if (this.#remove(subscription) && this.#connection.isReady) this.#connection.send({ t: 'unsub', id: subscription.id })
    }
  }

  /** Reconnects at once, for example after the device slept. */
  wake(): void {
    if (this.#subscriptions.size > 0) this.#connection.reopen()
  }

  /** False if it has ended before. */
  #remove({ id }: Subscription): boolean {
    const wasOpen = this.#subscriptions.delete(id)
    if (wasOpen && this.#subscriptions.size === 0) {
      this.#connection.stopRetrying()
      this.#cancelIdleTimer = this.#options.after(idleTimeoutMs, () => this.#connection.close())
    }
    return wasOpen
  }

  #begin(subscription: Subscription): void {
    subscription.listener.connected(true)
    this.#request(subscription)
  }

  #request({ id, request, cursor }: Subscription): void {
    this.#connection.send({ t: 'sub', id, ...request, ...(cursor === undefined ? {} : { since: cursor }) })
  }

  #deliver(message: SubscriptionMessage): void {
    if (message.t === 'snap' || message.t === 'cont' || message.t === 'end') return this.#answer(message)
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.topic !== message.k) continue
      if (message.t === 'cond') subscription.listener.condition(message.condition)
      else this.#update(subscription, message)
    }
  }

  #answer(message: Message<'snap' | 'cont' | 'end'>): void {
    const subscription = this.#subscriptions.get(message.id)
    if (subscription === undefined) return
    const { listener } = subscription
    if (message.t === 'end') {
      this.#remove(subscription)
      return listener.ended(message.code, message.message)
    }
    subscription.topic = message.k
    if (message.t === 'cont') return listener.condition(message.condition)
    subscription.cursor = { epoch: message.epoch, seq: message.seq }
    listener.snapshot(message)
  }

  #update(subscription: Subscription, message: Message<'upd'>): void {
    const { cursor } = subscription
    if (cursor === undefined || message.q <= cursor.seq) return
    // Gap in the sequence: request the changes since our last number.
    if (message.p > cursor.seq) return this.#request(subscription)
    subscription.cursor = { epoch: cursor.epoch, seq: message.q }
    subscription.listener.update(message.c)
  }
}

/** At most one WebSocket at a time: sends the session, detects silence, and reconnects with back-off. */
class Connection {
  readonly #options: LiveSocketOptions
  readonly #events: ConnectionEvents
  #socket: WebSocket | undefined
  #isReady = false
  #tries = 0
  #silenceTimeoutMs = 10_000
  #cancelRetry: (() => void) | undefined
  #cancelSilenceTimer: () => void = () => undefined

  constructor(options: LiveSocketOptions, events: ConnectionEvents) {
    this.#options = options
    this.#events = events
  }

  get isReady(): boolean {
    return this.#isReady
  }

  send(message: ClientMessage): void {
    // The close event is still to come, and with it the retry that asks for everything again.
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(JSON.stringify(message))
  }

  /** Does nothing while a retry is due. */
  open(): void {
    if (this.#cancelRetry === undefined) this.#connect()
  }

  reopen(): void {
    this.#tries = 0
    this.#connect()
  }

  close(): void {
    const closed = this.#socket
    this.#socket = undefined
    this.#isReady = false
    this.#cancelSilenceTimer()
    closed?.close()
  }

  stopRetrying(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
  }

  #connect(): void {
    const token = this.#options.token()
    if (this.#socket !== undefined || token === undefined) return
    this.stopRetrying()
    const opened = this.#options.open(this.#options.origin.replace(/^http/, 'ws') + basePath + livePath)
    this.#socket = opened
    this.#expectMessage()
    opened.addEventListener('open', () => this.send({ t: 'hello', v: liveVersion, token }))
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (this.#socket === opened) this.#read(event.data)
    })
    opened.addEventListener('close', (event) => {
      if (this.#socket === opened) this.#lose(event.code !== closeCodes.session && event.code !== closeCodes.replaced)
    })
  }

  /** Any server message proves that the connection works. */
  #expectMessage(): void {
    this.#cancelSilenceTimer()
    this.#cancelSilenceTimer = this.#options.after(this.#silenceTimeoutMs, () => this.#lose(true))
  }

  #lose(mayReturn: boolean): void {
    const wasReady = this.#isReady
    this.close()
    if (wasReady) this.#events.lost()
    if (!mayReturn || !this.#events.isNeeded()) return
    const waitMs = backOffDelayMs(this.#tries, retryLimits, this.#options.random())
    this.#tries += 1
    this.stopRetrying()
    this.#cancelRetry = this.#options.after(waitMs, () => {
      this.#cancelRetry = undefined
      this.#connect()
    })
  }

  #read(data: unknown): void {
    const parsed = serverMessageSchema.safeParse(typeof data === 'string' ? JSON.parse(data) : undefined)
    if (!parsed.success) return this.#lose(true)
    this.#expectMessage()
    const message = parsed.data
    if (message.t === 'ready') this.#start(message)
    else if (message.t === 'beat') this.#options.onServerTime(message.nowMs)
    else this.#events.message(message)
  }

  #start({ nowMs, beatMs }: Message<'ready'>): void {
    this.#isReady = true
    this.#tries = 0
    this.#silenceTimeoutMs = beatMs * 2
    this.#options.onServerTime(nowMs)
    this.#events.ready()
  }
}
