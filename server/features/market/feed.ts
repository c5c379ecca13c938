// The port to a source of prices. An adapter translates one provider's protocol and nothing else: it keeps a connection, asks for history, and says how it is.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'

export const sourceNames = ['binance', 'kraken', 'coinbase', 'twelve-data', 'yahoo', 'kite', 'openalgo', 'csv', 'demo'] as const

export type SourceName = (typeof sourceNames)[number]

/** Sizes of candles that a source can be asked for; every other timeframe is made from them. */
export const historySteps = ['1m', '1h', '1D'] as const

export type HistoryStep = (typeof historySteps)[number]

/** Milliseconds from a candle's stamp to its end at the latest; a session that closes early ends before. */
export const stepMs: Readonly<Record<HistoryStep, number>> = { '1m': minuteMs, '1h': hourMs, '1D': dayMs }

export interface HistoryRequest {
  /** The source's own symbol. */
  readonly symbol: string
  readonly step: HistoryStep
  /** First stamp wanted, epoch milliseconds. */
  readonly fromMs: number
  /** The first instant that is not wanted any more. */
  readonly toMs: number
  readonly signal?: AbortSignal
}

/** One price without a candle around it: a trade, or a quote where the source has no trades. */
export interface Trade {
  /** The source's time, epoch milliseconds. */
  readonly timeMs: number
  readonly price: number
  /** Null for a quote. */
  readonly size: number | null
  /** Whether a buyer took it; null where the source does not say. */
  readonly isTakerBuy: boolean | null
}

export type FeedState =
  | { readonly kind: 'connecting' }
  /** Subscribed and answering. After each return of it, whoever listens asks history for what was missed. */
  | { readonly kind: 'live' }
  /** Trying again by itself. */
  | { readonly kind: 'down'; readonly reason: string; readonly retryInMs: number }
  /** Will not work without a change from outside: an unknown symbol, a bad key, a ban. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Where an adapter puts what it hears of one symbol. It never throws into the adapter. */
export interface FeedSink {
  /** The present state of one minute as the source states it; the whole minute so far, not a change. */
  minute(candle: Candle, isClosed: boolean): void
  trade(trade: Trade): void
  state(state: FeedState): void
}

export interface Feed {
  readonly source: SourceName
  /** Steps that `history` answers natively. */
  readonly steps: readonly HistoryStep[]
  /** Whether `watch` pushes minutes, pushes trades, or polls; `none` has history only. */
  readonly live: 'minutes' | 'trades' | 'poll' | 'none'
  /**
   * Candles of a step with stamps in [fromMs, toMs), ascending, without doubles; pages and waits by itself, within the
   * source's limits. The candle that still forms is left out. Fewer come where the source does not go back so far.
   * 1m and 1h candles carry the start of their minute or hour, 1D candles 00:00 UTC of their session date.
   * @throws FeedError
   */
  history(request: HistoryRequest): Promise<Candle[]>
  /** Listens to one symbol until the returned function is called; one connection carries all symbols. */
  watch(symbol: string, sink: FeedSink): () => void
  close(): Promise<void>
}

/** Why a source gave no history. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
  readonly kind: 'refused' | 'limited' | 'unreachable' | 'malformed'
  /** Milliseconds after which asking again makes sense; undefined where it does not. */
  readonly retryAfterMs: number | undefined

  constructor(kind: FeedError['kind'], message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

/** What adapters need of the outside; tests pass a clock of their own. */
export interface FeedClock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls once after a while; returns the way to stop it. */
  after(delayMs: number, run: () => void): () => void
  /** A number from 0 to 1, for jitter. */
  random(): number
}

/** Takes notes for the operator; never a key or a token. */
export type FeedLog = (line: string, details?: Readonly<Record<string, unknown>>) => void
