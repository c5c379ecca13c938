// One connection with its requested and confirmed symbols, and timeouts for its confirmations and its age.
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import type { FeedLog, Trade } from '../../feed.ts'
import { openConnection, type ConnectionOptions, type WebsocketConnection } from './websocket-connection.ts'

/** The adapter's interface to one connection. */
export interface SocketLink {
  /** Sends in order within the provider's rate limit. */
  send(frame: string | Buffer): void
  /** Signals that subscriptions may be sent; only for an adapter whose session has `opened`. */
  ready(): void
  /** The provider confirmed these symbols: their sinks are live and receive this connection's data from now on. */
  accepted(symbols: readonly string[]): void
  /** The provider rejects this symbol. */
  refused(symbol: string, reason: string): void
  /** The provider rejects everything, as with an invalid key. Retried only after minutes. */
  rejectAll(reason: string): void
  minute(symbol: string, candle: Candle, isClosed: boolean, eventMs?: number): void
  trade(symbol: string, trade: Trade): void
  /** The provider has proved that nothing happened to this symbol since its last message. */
  alive(symbol: string): void
  /** A message of this symbol could not be used; NaN if its time is unknown. */
  suspect(symbol: string, timeMs: number, issue?: CandleIssue): void
  /** Data of this symbol was missed: its listeners get `live` again and request history. */
  resync(symbol: string): void
  /** The provider will end this connection soon: it is replaced without an interruption. */
  renew(reason: string): void
  /** This connection is unusable: end it and reconnect. */
  fail(reason: string): void
  /** Counts repeated lines instead of writing each. */
  readonly log: FeedLog
}

/** The adapter's side of one connection; its state ends with the connection. */
export interface SocketSession {
  /** Only if a step such as a login precedes subscriptions; it then calls link.ready(). */
  opened?(): void
  subscribe(symbols: readonly string[]): void
  unsubscribe(symbols: readonly string[]): void
  /** One frame. An exception marks the frame as malformed: logged, skipped, and history is requested for lost data. */
  receive(frame: string | Buffer): void
  /** The connection is over. */
  ended?(): void
}

export type SocketLimits = ConnectionOptions['limits'] & {
  /** Maximum symbols per connection; more are rejected. */
  readonly symbolsMax: number
  /** Age at which a connection is replaced, below the provider's own limit; undefined if it has none. */
  readonly renewAfterMs?: number
}

export interface ResilientWebsocketOptions extends ConnectionOptions {
  /** Name of the provider in reasons and logs. */
  readonly name: string
  readonly limits: SocketLimits
  /** Starts one connection. */
  start(link: SocketLink): SocketSession
  /** Reason why a handshake status (such as 403) makes retries pointless; undefined if it does not. */
  rejection?(status: number): string | undefined
}

/** Timeout of a subscription confirmation. */
const confirmTimeoutMs = 10_000

interface SessionEvents {
  ready(session: SubscriptionSession): void
  ended(session: SubscriptionSession, reason: string, status: number | undefined): void
  /** The connection reached its maximum age. */
  aged(session: SubscriptionSession): void
  malformed(session: SubscriptionSession, error: unknown): void
}

/** Connects at once. `linkOf` makes the adapter's interface to it. */
export class SubscriptionSession {
  /** Undefined until subscriptions may be sent. */
  readyMs: number | undefined
  /** Requested and neither confirmed nor rejected. */
  readonly pending = new Set<string>()
  readonly accepted = new Set<string>()
  readonly refused = new Set<string>()
  readonly #options: ResilientWebsocketOptions
  readonly #events: SessionEvents
  readonly #connection: WebsocketConnection
  readonly #adapter: SocketSession
  #isOver = false
  #stopConfirm: (() => void) | undefined
  #stopAging: (() => void) | undefined

  constructor(options: ResilientWebsocketOptions, linkOf: (session: SubscriptionSession) => SocketLink, events: SessionEvents) {
    this.#options = options
    this.#events = events
    this.#connection = openConnection(options, {
      opened: () => (this.#adapter.opened === undefined ? this.ready() : this.#adapter.opened()),
      frame: (frame) => {
        try {
          this.#adapter.receive(frame)
        } catch (error) {
          events.malformed(this, error)
        }
      },
      flooded: () => link.rejectAll(`${options.name} sends more than a chart needs, so it is asked again only in minutes`),
      ended: (reason, status) => this.#end(() => events.ended(this, `${options.name} ${reason}`, status)),
    })
    const link = linkOf(this)
    this.#adapter = options.start(link)
  }

  subscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) this.pending.add(symbol)
    this.#awaitConfirmation()
    this.#adapter.subscribe(symbols)
  }

  unsubscribe(symbols: readonly string[]): void {
    for (const symbol of symbols) for (const known of [this.pending, this.accepted, this.refused]) known.delete(symbol)
    this.#adapter.unsubscribe(symbols)
  }

  send(frame: string | Buffer): void {
    this.#connection.send(frame)
  }

  ready(): void {
    if (this.#isOver || this.readyMs !== undefined) return
    const { clock, limits } = this.#options
    this.readyMs = clock.monotonic()
    // Connections that started together must not be renewed together.
    if (limits.renewAfterMs !== undefined)
      this.#stopAging = clock.after(limits.renewAfterMs * (1 - 0.05 * clock.random()), () => this.#events.aged(this))
    this.#events.ready(this)
  }

  /** Ends it as if the provider had closed it. */
  fail(reason: string): void {
    this.#end(() => this.#events.ended(this, `${this.#options.name} ${reason}`, undefined))
  }

  close(): void {
    this.#end(() => undefined)
  }

  #end(notify: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopAging?.()
    this.#stopConfirm?.()
    this.#connection.close()
    this.#adapter.ended?.()
    notify()
  }

  #awaitConfirmation(): void {
    this.#stopConfirm?.()
    this.#stopConfirm = this.#options.clock.after(confirmTimeoutMs, () => {
      if (this.pending.size > 0) this.fail('did not confirm a subscription')
    })
  }
}
