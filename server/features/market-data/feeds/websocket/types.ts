// The interfaces between an adapter and the WebSocket loop.
import type { Agent } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import type { FeedClock, FeedLog, Trade } from '../../feed.ts'
import type { IntakeLimits } from './intake.ts'

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
  doubt(symbol: string, timeMs: number, issue?: CandleIssue): void
  /** Data of this symbol was missed: its listeners get `live` again and request history. */
  resync(symbol: string): void
  /** The provider will end this connection soon: it is replaced without an interruption. */
  renew(reason: string): void
  /** This connection is unusable: end it and reconnect. */
  fail(reason: string): void
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

export interface SocketLimits {
  /** Messages per second that the provider accepts. */
  readonly messagesPerSecond: number
  /** Maximum symbols per connection; more are rejected. */
  readonly mostSymbols: number
  /** Silence after which a connection is dead. The provider is pinged after half of it. */
  readonly silenceMs: number
  /** Age at which a connection is replaced, below the provider's own limit; undefined if it has none. */
  readonly renewAfterMs?: number
}

/** How a connection to a user-supplied URL is made. */
export interface Dial {
  readonly lookup: LookupFunction
  /** Instead of the lookup, through a proxy. */
  readonly agent: Agent | undefined
}

export interface SocketLoopOptions {
  /** Name of the provider in reasons and logs. */
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly limits: SocketLimits
  /** Limits of what a server that a user has named may send; unlimited if undefined. */
  readonly intake?: IntakeLimits
  /** For a user-supplied URL. */
  readonly dial?: Dial
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Starts one connection. */
  start(link: SocketLink): SocketSession
  /** Reason why a handshake status (such as 403) makes retries pointless; undefined if it does not. */
  rejection?(status: number): string | undefined
}
