// How one provider speaks: the part of the scripted exchange that differs from provider to provider.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { HistoryStep, SourceName, Trade } from '../../feed.ts'

/** One frame of a WebSocket; text is sent as a text frame, bytes as a binary one. */
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

/** What is true at the exchange. Symbols are those of the provider. */
export interface Truth {
  /** The exchange's own clock, which may be wrong. Everything that a provider says about time comes from here. */
  nowMs(): number
  /**
   * Candles of a step up to now, ascending; the last one may still form. Minutes without a trade are left out, or
   * stated flat with no volume, as the dialect's `quietMinutes` says. Values are complete: a dialect that has no
   * volume leaves it out when it writes.
   */
  candles(symbol: string, step: HistoryStep): readonly Candle[]
  /** Trades up to now, ascending. */
  trades(symbol: string): readonly Trade[]
  /** Whether the provider has the symbol and lets this client have it. */
  isOffered(symbol: string): boolean
}

/** One connected client. */
export interface Peer {
  /** Path and query with which it connected. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** What the dialect wants to remember of this connection, such as an id or a mode. */
  readonly memory: Map<string, unknown>
  readonly subscribed: ReadonlySet<string>
  subscribe(symbol: string): void
  unsubscribe(symbol: string): void
  /** Sends at once, past all injected faults but a cut. */
  send(frame: Frame): void
  /** Closes with a WebSocket code. */
  close(code: number, reason?: string): void
}

/** Something that happened at the exchange in one symbol. */
export interface MarketEvent {
  readonly symbol: string
  /** The trade that happened; undefined at the end of a minute. */
  readonly trade: Trade | undefined
  /** The minute as it is after the event. */
  readonly minute: Candle
  /** Whether the minute is over. */
  readonly isClosed: boolean
  /** Volume since 00:00 UTC, for providers that state the day's volume. */
  readonly dayVolume: number
  /** The exchange's clock at the event. */
  readonly timeMs: number
}

export interface Dialect {
  readonly source: SourceName
  /** Two symbols of the provider to play with. */
  readonly symbols: readonly [string, string]
  /** A session class in whose hours the scenarios run; their default start is a Friday noon in India. */
  readonly sessionClass: SessionClass
  /** What the normalised history says of a minute without a trade: nothing, or a flat candle with no volume. */
  readonly quietMinutes: 'absent' | 'flat'
  /** Whether the provider states volume; otherwise it is null in what is expected. */
  readonly hasVolume: boolean
  /** Smallest size of a trade, for providers that count whole units; a sixteenth where undefined. */
  readonly sizeStep?: number
  /** Whether it states the part that buyers took; `live` means that its history does not. */
  readonly hasTakerBuyVolume: boolean | 'live'
  /** Age at which the provider ends a connection, where it does. */
  readonly endsAfterMs?: number
  /** Answers a request; null for a path that the provider does not have (404). Must not throw. */
  answer(request: DialectRequest, truth: Truth): DialectAnswer | null
  /** A client connected. */
  connected?(peer: Peer, truth: Truth): void
  /** A client sent a frame: subscriptions end in peer.subscribe and the provider's acknowledgement in peer.send. */
  received?(peer: Peer, frame: Frame, truth: Truth): void
  /** Frames in which one subscribed client hears of an event; none where the provider would say nothing. */
  frames?(event: MarketEvent, peer: Peer, truth: Truth): readonly Frame[]
  /** What the provider sends every second to show that it lives. */
  heartbeat?(peer: Peer, truth: Truth): readonly Frame[]
  /** The frame with its word taken back that the minute is over, where the provider has such a word. */
  withoutClose?(frame: Frame): Frame
  /** The notice that precedes a planned end of the connection, where the provider has one. */
  shutdownNotice?(truth: Truth): Frame
}
