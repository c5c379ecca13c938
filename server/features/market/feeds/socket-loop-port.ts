// What an adapter gives the socket loop, and what the loop gives an adapter.
import type { LookupFunction } from 'node:net'
import type { Candle } from '#shared/market/candles/candle.ts'
import type { FeedClock, FeedLog, FeedSink, Trade } from '../feed.ts'

/** The adapter's hands on one connection. */
export interface SocketLink {
  /** Sends within the provider's rate, in order. */
  send(frame: string | Buffer): void
  /** Subscriptions may be sent now; to be called only by an adapter whose session has `opened`. */
  ready(): void
  /** The provider confirmed these symbols: their sinks are live, and hear this connection from now on. */
  accepted(symbols: readonly string[]): void
  /** The provider will not give this symbol. */
  refused(symbol: string, reason: string): void
  /** The provider will give nothing, as with a bad key. Asked again only after minutes. */
  refuseAll(reason: string): void
  minute(symbol: string, candle: Candle, isClosed: boolean): void
  trade(symbol: string, trade: Trade): void
  /** The provider has proved that nothing of this symbol happened since its last word. */
  alive(symbol: string): void
  /** Something of this symbol was missed: its listeners are told `live` anew and ask history. */
  resync(symbol: string): void
  /** The provider will end this connection soon: another one takes its place without a pause. */
  renew(reason: string): void
  /** This connection is of no more use: end it and try again. */
  fail(reason: string): void
}

/** The adapter's side of one connection; what it remembers ends with it. */
export interface SocketSession {
  /** Only where something (a login) comes before subscriptions; it then calls link.ready(). */
  opened?(): void
  subscribe(symbols: readonly string[]): void
  unsubscribe(symbols: readonly string[]): void
  /** One frame. What it throws counts as a malformed frame: noted, skipped, and what it may have said is asked of history. */
  receive(frame: string | Buffer): void
  /** The connection is over. */
  ended?(): void
}

export interface SocketLimits {
  /** Messages that the provider takes in a second. */
  readonly messagesPerSecond: number
  /** Symbols on one connection; more are refused. */
  readonly mostSymbols: number
  /** Silence after which a connection is dead. The provider is pinged at half of it. */
  readonly silenceMs: number
  /** Age at which a connection is replaced, below the provider's own limit; undefined where it has none. */
  readonly renewAfterMs?: number
}

export interface SocketLoopNeeds {
  /** Name of the provider in reasons and notes. */
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly limits: SocketLimits
  /** How the host is resolved at every connection; the system's way where undefined. */
  readonly lookup?: LookupFunction
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Begins one connection. */
  start(link: SocketLink): SocketSession
  /** Why a status in answer to the call (such as 403) means that asking again is no use; undefined where it is. */
  refusal?(status: number): string | undefined
}

export interface SocketLoop {
  watch(symbol: string, sink: FeedSink): () => void
  close(): Promise<void>
}
