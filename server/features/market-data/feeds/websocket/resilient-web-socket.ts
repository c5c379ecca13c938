// One resilient WebSocket for all symbols of a provider: subscribes, detects silence, reconnects, and renews itself early.
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { attempt } from '../../real-clock.ts'
import { countedLog, type CountedLog } from '../../counted-log.ts'
import type { FeedSink, FeedState } from '../../feed.ts'
import { SubscriptionSession, type ResilientWebsocketOptions, type SocketLink } from './subscription-session.ts'

const firstRetryMs = 1000
const lastRetryMs = 60_000
/** A connection that lasted this long resets the back-off. */
const stableMs = 30_000
/** Retry delay after all symbols were rejected, as with an invalid key. */
const refusedRetryMs = 300_000
/** Idle timeout of a connection without symbols, kept for the next chart. */
const idleTimeoutMs = 5000
/** Minimum interval of history requests after malformed frames. */
const resyncEveryMs = 10_000

interface Watched {
  readonly sinks: Set<FeedSink>
  /** Last state emitted to the sinks. */
  state: FeedState
  /** The connection whose data is used for this symbol. */
  session: SubscriptionSession | undefined
}

/** Connects when the first symbol is watched. */
export class ResilientWebSocket {
  readonly #options: ResilientWebsocketOptions
  readonly #watched = new Map<string, Watched>()
  readonly #counted: CountedLog
  #current: SubscriptionSession | undefined
  /** The replacement, which takes over when it is ready. */
  #next: SubscriptionSession | undefined
  #attempts = 0
  /** The last failure, until a connection is ready: a new symbol does not have to find out by itself. */
  #outage: FeedState | undefined
  #timers: { retry?: (() => void) | undefined; idle?: (() => void) | undefined; resync?: (() => void) | undefined } = {}
  #isBatching = false
  #isClosed = false

  constructor(options: ResilientWebsocketOptions) {
    this.#options = options
    this.#counted = countedLog({ clock: options.clock, log: options.log })
  }

  watch(symbol: string, sink: FeedSink): () => void {
    this.#timers.idle?.()
    this.#timers.idle = undefined
    const one = this.#watched.get(symbol) ?? { sinks: new Set<FeedSink>(), state: { kind: 'connecting' } as const, session: undefined }
    this.#watched.set(symbol, one)
    one.sinks.add(sink)
    sink.state(one.state.kind === 'connecting' ? (this.#outage ?? one.state) : one.state)
    this.#batch()
    return () => this.#unwatch(symbol, sink)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watched.clear()
    this.#disconnect()
  }

  #notify(symbol: string, state: FeedState): void {
    const one = this.#watched.get(symbol)
    if (one === undefined) return
    one.state = state
    const report = (error: unknown): void => this.#options.log('a state is handled wrongly', { error: String(error) })
    for (const sink of one.sinks) attempt(() => sink.state(state), report)
  }

  #notifyAll(state: FeedState): void {
    for (const symbol of this.#watched.keys()) this.#notify(symbol, state)
  }

  #subscribe(session: SubscriptionSession): void {
    this.#outage = undefined
    const known = (symbol: string) => session.pending.has(symbol) || session.accepted.has(symbol) || session.refused.has(symbol)
    const missing = [...this.#watched.keys()].filter((symbol) => !known(symbol))
    const freeCount = Math.max(0, this.#options.limits.symbolsMax - session.pending.size - session.accepted.size)
    const fullReason = `${this.#options.name} has no room for more symbols on one connection`
    for (const symbol of missing.slice(freeCount)) this.#reject(session, symbol, fullReason)
    if (missing.length > 0 && freeCount > 0) session.subscribe(missing.slice(0, freeCount))
    this.#settleNext()
  }

  /** The replacement takes over once every symbol is confirmed or rejected. */
  #settleNext(): void {
    if (this.#next?.readyMs === undefined || this.#next.pending.size > 0) return
    const old = this.#current
    this.#current = this.#next
    this.#next = undefined
    old?.close()
  }

  #reject(session: SubscriptionSession, symbol: string, reason: string): void {
    session.pending.delete(symbol)
    session.accepted.delete(symbol)
    session.refused.add(symbol)
    const one = this.#watched.get(symbol)
    if (one !== undefined) one.session = session
    this.#notify(symbol, { kind: 'refused', reason })
    this.#settleNext()
  }

  #linkOf(session: SubscriptionSession): SocketLink {
    const owner = (symbol: string) => {
      const one = this.#watched.get(symbol)
      return one?.session === session ? one : undefined
    }
    const each = (symbol: string, notify: (sink: FeedSink) => void): void => owner(symbol)?.sinks.forEach(notify)
    return {
      send: (frame) => session.send(frame),
      ready: () => session.ready(),
      accepted: (symbols) => {
        for (const symbol of symbols) {
          if (!session.pending.delete(symbol)) continue
          session.accepted.add(symbol)
          const one = this.#watched.get(symbol)
          if (one !== undefined) one.session = session
          this.#notify(symbol, { kind: 'live' })
        }
        this.#settleNext()
      },
      refused: (symbol, reason) => this.#reject(session, symbol, reason),
      rejectAll: (reason) => this.#rejectAll(session, reason),
      minute: (symbol, candle, isDone, eventMs) => each(symbol, (sink) => sink.minute(candle, isDone, eventMs)),
      trade: (symbol, trade) => each(symbol, (sink) => sink.trade(trade)),
      alive: (symbol) => each(symbol, (sink) => sink.alive?.()),
      suspect: (symbol, timeMs, issue) => each(symbol, (sink) => sink.suspect?.(timeMs, issue)),
      resync: (symbol) => {
        if (owner(symbol)?.state.kind === 'live') this.#notify(symbol, { kind: 'live' })
      },
      renew: (reason) => this.#renew(session, reason),
      fail: (reason) => session.fail(reason),
      log: this.#counted.log,
    }
  }

  #open(): SubscriptionSession {
    return new SubscriptionSession(this.#options, (session) => this.#linkOf(session), {
      ready: (session) => this.#subscribe(session),
      ended: (session, reason, status) => this.#ended(session, reason, status),
      aged: (session) => this.#renew(session, 'is old enough'),
      malformed: (session, error) => this.#skip(session, error),
    })
  }

  #dial(): void {
    this.#timers.retry = undefined
    // Without listeners nothing will dial: the next one has to.
    if (this.#watched.size === 0) this.#outage = undefined
    if (this.#isClosed || this.#current !== undefined || this.#watched.size === 0) return
    this.#notifyAll({ kind: 'connecting' })
    this.#current = this.#open()
  }

  #renew(session: SubscriptionSession, reason: string): void {
    if (session !== this.#current || this.#next !== undefined || this.#isClosed) return
    this.#options.log(`${this.#options.name}: a new connection takes over`, { reason })
    this.#next = this.#open()
  }

  #rejectAll(session: SubscriptionSession, reason: string): void {
    session.close()
    if (session === this.#next) this.#next = undefined
    if (session === this.#current) {
      this.#current = this.#next
      this.#next = undefined
    }
    if (this.#current !== undefined) return
    this.#options.log(`${this.#options.name} refused`, { reason })
    this.#outage = { kind: 'refused', reason }
    this.#notifyAll(this.#outage)
    this.#timers.retry?.()
    this.#timers.retry = this.#options.clock.after(refusedRetryMs, () => this.#dial())
  }

  #ended(session: SubscriptionSession, reason: string, status: number | undefined): void {
    const rejection = status === undefined ? undefined : this.#options.rejection?.(status)
    if (rejection !== undefined) return this.#rejectAll(session, rejection)
    if (session === this.#next) return this.#nextEnded(session, reason)
    if (session !== this.#current) return
    this.#options.log(`${this.#options.name}: connection lost`, { reason })
    this.#current = this.#next
    this.#next = undefined
    if (this.#current !== undefined) {
      for (const [symbol, one] of this.#watched) if (one.session === session) this.#notify(symbol, { kind: 'down', reason, retryInMs: 0 })
      return
    }
    if (session.readyMs !== undefined && this.#options.clock.monotonic() - session.readyMs >= stableMs) this.#attempts = 0
    const retryInMs = backOffDelayMs(this.#attempts, { firstMs: firstRetryMs, maxMs: lastRetryMs }, this.#options.clock.random())
    this.#attempts += 1
    this.#timers.retry?.()
    this.#timers.retry = this.#options.clock.after(retryInMs, () => this.#dial())
    this.#outage = { kind: 'down', reason, retryInMs, failures: this.#attempts }
    this.#notifyAll(this.#outage)
  }

  /** Symbols that it had taken over move back to the current connection, which may have missed data. */
  #nextEnded(session: SubscriptionSession, reason: string): void {
    this.#options.log(`${this.#options.name}: the new connection failed, the old one stays`, { reason })
    this.#next = undefined
    const old = this.#current
    if (old === undefined) return
    for (const [symbol, one] of this.#watched) {
      if (one.session !== session) continue
      one.session = old
      if (old.accepted.has(symbol)) this.#notify(symbol, { kind: 'live' })
    }
    this.#timers.retry ??= this.#options.clock.after(lastRetryMs, () => {
      this.#timers.retry = undefined
      if (this.#current !== undefined) this.#renew(this.#current, 'tried again')
      else this.#dial()
    })
  }

  #skip(session: SubscriptionSession, error: unknown): void {
    this.#counted.log(`${this.#options.name}: a frame that cannot be read`, { error: error instanceof Error ? error.name : 'unknown' })
    this.#timers.resync ??= this.#options.clock.after(0, () => {
      for (const [symbol, one] of this.#watched)
        if (one.session === session && one.state.kind === 'live') this.#notify(symbol, { kind: 'live' })
      this.#timers.resync = this.#options.clock.after(resyncEveryMs, () => (this.#timers.resync = undefined))
    })
  }

  /** Subscriptions of the same tick are sent together. */
  #batch(): void {
    if (this.#isBatching) return
    this.#isBatching = true
    queueMicrotask(() => {
      this.#isBatching = false
      if (this.#isClosed) return
      if (this.#current === undefined && this.#timers.retry === undefined) this.#dial()
      for (const session of [this.#current, this.#next]) if (session?.readyMs !== undefined) this.#subscribe(session)
    })
  }

  #unwatch(symbol: string, sink: FeedSink): void {
    const one = this.#watched.get(symbol)
    if (one === undefined || !one.sinks.delete(sink) || one.sinks.size > 0) return
    this.#watched.delete(symbol)
    for (const session of [this.#current, this.#next]) if (session?.readyMs !== undefined) session.unsubscribe([symbol])
    this.#settleNext()
    if (this.#watched.size === 0) this.#timers.idle = this.#options.clock.after(idleTimeoutMs, () => this.#disconnect())
  }

  #disconnect(): void {
    for (const stop of Object.values(this.#timers)) stop?.()
    this.#timers = {}
    this.#counted.stop()
    this.#outage = undefined
    for (const session of [this.#current, this.#next]) session?.close()
    this.#current = undefined
    this.#next = undefined
  }
}
