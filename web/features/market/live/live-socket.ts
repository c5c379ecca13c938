// The page's one line to live candles: comes back by itself, goes on where it was cut, and knows when it is deaf.
import { backOffDelayMs } from '#shared/base/back-off.ts'
import { livePath, liveVersion, serverMessageSchema, type CandleRow, type LiveCondition, type LiveCursor } from '#shared/market/live.ts'
import { closeCodes, type ClientMessage, type ServerMessage } from '#shared/market/live.ts'
import { basePath } from '#shared/http/route.ts'
import type { Adjustment } from '#shared/market/corporate-actions.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'

export interface LiveWish {
  readonly slug: string
  readonly timeframe: Timeframe
  /** For splits and bonuses where it is left out. */
  readonly adjustment?: Adjustment
  /** Candles to begin with. */
  readonly bars: number
}

export interface LiveSnapshot {
  readonly candles: readonly CandleRow[]
  readonly hasOlder: boolean
  /** Stamp of the very first candle of the source, where the candles begin with it. */
  readonly startsAtMs?: number | null | undefined
  readonly condition: LiveCondition
}

export interface LiveListener {
  /** All candles anew; what was there before is void. */
  snapshot(snapshot: LiveSnapshot): void
  /** Candles that are new or have changed, whole, ascending. */
  update(candles: readonly CandleRow[]): void
  condition(condition: LiveCondition): void
  /** The server ended or refused it, such as `premium-required`; it does not come back by itself. */
  ended(code: string, message: string): void
  /** False while the line is cut or silent: what is on the screen may be old. */
  connected(isConnected: boolean): void
}

export interface LiveSocketNeeds {
  /** Opens a socket; the browser's own constructor. */
  readonly open: (url: string) => WebSocket
  /** Origin of the page, such as https://tezi.example. */
  readonly origin: string
  /** The session's token, or undefined while nobody is signed in. */
  readonly token: () => string | undefined
  readonly now: () => number
  readonly after: (delayMs: number, run: () => void) => () => void
  readonly random: () => number
  /** Told of the server's clock minus ours, in milliseconds, whenever it is measured. */
  readonly onClock?: (offsetMs: number) => void
}

export interface LiveSocket {
  subscribe(wish: LiveWish, listener: LiveListener): () => void
  /** Server's clock minus ours, in milliseconds; 0 until it is known. */
  clockOffsetMs(): number
  /** Comes back at once, as after the device slept. */
  wake(): void
  close(): void
}

interface Subscription {
  readonly id: number
  readonly wish: LiveWish
  readonly listener: LiveListener
  topic: string | undefined
  cursor: LiveCursor | undefined
}

const firstRetryMs = 300
const lastRetryMs = 15_000
/** A line that stays idle is kept so long, for the next chart. */
const lingerMs = 10_000

/** One line for all subscriptions of the page. It opens with the first and closes a while after the last. */
export function liveSocket(needs: LiveSocketNeeds): LiveSocket {
  const subscriptions = new Map<number, Subscription>()
  let socket: WebSocket | undefined
  let isReady = false
  let tries = 0
  let nextId = 1
  let offsetMs: number | undefined
  let deafAfterMs = 10_000
  let cancelRetry: (() => void) | undefined
  let cancelDeaf: () => void = () => undefined
  let cancelLinger: () => void = () => undefined

  const send = (message: ClientMessage): void => socket?.send(JSON.stringify(message))

  function ask({ id, wish, cursor }: Subscription): void {
    send({ t: 'sub', id, ...wish, ...(cursor === undefined ? {} : { since: cursor }) })
  }

  function connect(): void {
    const token = needs.token()
    if (socket !== undefined || subscriptions.size === 0 || token === undefined) return
    cancelRetry?.()
    cancelRetry = undefined
    const opened = needs.open(needs.origin.replace(/^http/, 'ws') + basePath + livePath)
    socket = opened
    hear()
    opened.addEventListener('open', () => send({ t: 'hello', v: liveVersion, token }))
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (socket === opened) take(event.data)
    })
    opened.addEventListener('close', (event) => {
      if (socket === opened) lose(event.code !== closeCodes.session && event.code !== closeCodes.replaced)
    })
  }

  /** Every word of the server shows that the line works. */
  function hear(): void {
    cancelDeaf()
    cancelDeaf = needs.after(deafAfterMs, () => lose(true))
  }

  function lose(mayReturn: boolean): void {
    const lost = socket
    socket = undefined
    cancelDeaf()
    lost?.close()
    if (isReady) for (const { listener } of subscriptions.values()) listener.connected(false)
    isReady = false
    if (!mayReturn) return
    const waitMs = backOffDelayMs(tries, { firstMs: firstRetryMs, maxMs: lastRetryMs }, needs.random())
    tries += 1
    cancelRetry?.()
    cancelRetry = needs.after(waitMs, connect)
  }

  function take(data: unknown): void {
    const message = serverMessageSchema.safeParse(typeof data === 'string' ? JSON.parse(data) : undefined)
    if (!message.success) return lose(true)
    hear()
    deliver(message.data)
  }

  function deliver(message: ServerMessage): void {
    if (message.t === 'ready') return begin(message.nowMs, message.beatMs)
    if (message.t === 'beat') return setClock(message.nowMs)
    if (message.t === 'snap' || message.t === 'cont' || message.t === 'end') return answer(message)
    for (const subscription of subscriptions.values()) {
      if (subscription.topic !== message.k) continue
      if (message.t === 'cond') subscription.listener.condition(message.condition)
      else update(subscription, message)
    }
  }

  function begin(nowMs: number, beatMs: number): void {
    isReady = true
    tries = 0
    deafAfterMs = beatMs * 2
    setClock(nowMs)
    for (const subscription of subscriptions.values()) {
      subscription.listener.connected(true)
      ask(subscription)
    }
  }

  /** A message can only be late, so the largest difference is the nearest to the truth. */
  function setClock(serverMs: number): void {
    const nextMs = serverMs - needs.now()
    // A clock that was set anew shows as a jump.
    offsetMs = offsetMs === undefined || Math.abs(nextMs - offsetMs) > 2_000 ? nextMs : Math.max(offsetMs, nextMs)
    needs.onClock?.(offsetMs)
  }

  function answer(message: Extract<ServerMessage, { t: 'snap' | 'cont' | 'end' }>): void {
    const subscription = subscriptions.get(message.id)
    if (subscription === undefined) return
    const { listener } = subscription
    if (message.t === 'end') {
      subscriptions.delete(message.id)
      return listener.ended(message.code, message.message)
    }
    subscription.topic = message.k
    if (message.t === 'cont') return listener.condition(message.condition)
    subscription.cursor = { epoch: message.epoch, seq: message.seq }
    listener.snapshot(message)
  }

  function update(subscription: Subscription, message: Extract<ServerMessage, { t: 'upd' }>): void {
    const { cursor } = subscription
    if (cursor === undefined || message.q <= cursor.seq) return
    // Something is missing in between: what changed since our number is asked for.
    if (message.p > cursor.seq) return ask(subscription)
    subscription.cursor = { epoch: cursor.epoch, seq: message.q }
    subscription.listener.update(message.c)
  }

  return {
    subscribe(wish, listener) {
      const subscription: Subscription = { id: nextId, wish, listener, topic: undefined, cursor: undefined }
      nextId += 1
      subscriptions.set(subscription.id, subscription)
      cancelLinger()
      if (isReady) {
        listener.connected(true)
        ask(subscription)
      } else if (cancelRetry === undefined) connect()
      return () => {
        if (!subscriptions.delete(subscription.id)) return
        if (isReady) send({ t: 'unsub', id: subscription.id })
        if (subscriptions.size > 0) return
        cancelRetry?.()
        cancelRetry = undefined
        cancelLinger = needs.after(lingerMs, () => {
          const idle = socket
          socket = undefined
          isReady = false
          cancelDeaf()
          idle?.close()
        })
      }
    },
    clockOffsetMs: () => offsetMs ?? 0,
    wake() {
      tries = 0
      connect()
    },
    close() {
      subscriptions.clear()
      cancelRetry?.()
      cancelDeaf()
      cancelLinger()
      socket?.close()
      socket = undefined
    },
  }
}
