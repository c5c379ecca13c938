// The provider-specific part of the scripted exchange.
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { HistoryStep, SourceName, Trade } from '../../feed.ts'

/** One WebSocket frame; strings are sent as text frames, bytes as binary ones. */
export type Frame = string | Buffer

export interface DialectRequest {
  readonly method: string
  /** Path without the query, such as /api/v3/klines. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface DialectAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** The expected market data of the exchange. Symbols are those of the provider. */
export interface Truth {
  /** The exchange's own clock, which may be wrong. All provider times come from here. */
  nowMs(): number
  /**
   * Candles of a step up to now, ascending; the last one may still be forming. Minutes without a trade are left out, or
   * flat without volume, as the dialect's `quietMinutes` says. Values are complete: a dialect without volume drops it
   * when it writes.
   */
  candles(symbol: string, step: HistoryStep): readonly Candle[]
  /** Trades up to now, ascending. */
  trades(symbol: string): readonly Trade[]
  /** Whether the provider has the symbol and allows it for this client. */
  isOffered(symbol: string): boolean
}

/** One connected client. */
export interface Peer {
  /** Path and query with which it connected. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** State of the dialect for this connection, such as an id or a mode. */
  readonly memory: Map<string, unknown>
  readonly subscribed: ReadonlySet<string>
  subscribe(symbol: string): void
  unsubscribe(symbol: string): void
  /** Sends immediately, bypassing all injected errors except a cut. */
  send(frame: Frame): void
  /** Closes with a WebSocket close code. */
  close(code: number, reason?: string): void
}

/** A market event of one symbol. */
export interface MarketEvent {
  readonly symbol: string
  /** The trade; undefined at the end of a minute. */
  readonly trade: Trade | undefined
  /** The minute after the event. */
  readonly minute: Candle
  /** Whether the minute is closed. */
  readonly isClosed: boolean
  /** Volume since 00:00 UTC, for providers that send the day's volume. */
  readonly dayVolume: number
  /** The exchange's clock at the event. */
  readonly timeMs: number
}

export interface Dialect {
  readonly source: SourceName
  /** Two symbols of the provider for the tests. */
  readonly symbols: readonly [string, string]
  /** A session class in whose hours the scenarios run; they start on a Friday noon in India by default. */
  readonly sessionClass: SessionClass
  /** Normalised history of a minute without a trade: absent, or a flat candle without volume. */
  readonly quietMinutes: 'absent' | 'flat'
  /** Whether the provider sends volume; otherwise it is expected to be null. */
  readonly hasVolume: boolean
  /** Smallest trade size, for providers that count whole units; a sixteenth if undefined. */
  readonly sizeStep?: number
  /** Whether it sends taker buy volume; `live`: not in its history. */
  readonly hasTakerBuyVolume: boolean | 'live'
  /** Age at which the provider closes a connection, if it does. */
  readonly endsAfterMs?: number
  /** Responds to a request; null for an unknown path (404). Must not throw. */
  answer(request: DialectRequest, truth: Truth): DialectAnswer | null
  /** A client connected. */
  connected?(peer: Peer, truth: Truth): void
  /** A client sent a frame: subscriptions end in peer.subscribe and an acknowledgement by peer.send. */
  received?(peer: Peer, frame: Frame, truth: Truth): void
  /** Frames that a subscribed client gets for an event; empty if the provider sends nothing. */
  frames?(event: MarketEvent, peer: Peer, truth: Truth): readonly Frame[]
  /** Heartbeat that the provider sends every second. */
  heartbeat?(peer: Peer, truth: Truth): readonly Frame[]
  /** The frame with its closed flag removed, if the provider has such a flag. */
  withoutClose?(frame: Frame): Frame
  /** The notice before a planned disconnect, if the provider has one. */
  shutdownNotice?(truth: Truth): Frame
}
