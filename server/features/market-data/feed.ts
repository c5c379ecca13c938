// The port to a price source: the interface that a provider or broker adapter implements. It only translates one provider's protocol: connection, history and state.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'

export const sourceNames = ['binance', 'kraken', 'coinbase', 'twelve-data', 'yahoo', 'kite', 'openalgo', 'csv', 'demo'] as const

export type SourceName = (typeof sourceNames)[number]

/** Candle sizes that can be requested from a source, finest first; all other timeframes are resampled from them. */
export const historySteps = ['1m', '5m', '15m', '30m', '1h', '4h', '1D'] as const

export type HistoryStep = (typeof historySteps)[number]

/** Maximum time in milliseconds from a candle's timestamp to its end; an early session close shortens it. */
export const stepMs: Readonly<Record<HistoryStep, number>> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': 60 * minuteMs,
  '4h': 240 * minuteMs,
  '1D': dayMs,
}

/** The timeframe that corresponds to a step. */
export const timeframeOfStep = { '1m': '1', '5m': '5', '15m': '15', '30m': '30', '1h': '60', '4h': '240', '1D': '1D' } as const

/** The steps that most providers have. */
export type CommonStep = '1m' | '1h' | '1D'

export const commonSteps: readonly CommonStep[] = ['1m', '1h', '1D']

export interface HistoryRequest {
  /** The source's own symbol. */
  readonly symbol: string
  readonly step: HistoryStep
  /** First requested timestamp, epoch milliseconds. */
  readonly fromMs: number
  /** End of the requested range, exclusive. */
  readonly toMs: number
  readonly signal?: AbortSignal
  /** Called before `history` resolves if rows of the response were dropped: their time is unknown, not quiet. */
  readonly onRejected?: (rows: readonly RejectedRow[]) => void
}

/** A row of a response that cannot be a candle. */
export interface RejectedRow {
  /** Timestamps that are unknown because of it. */
  readonly span: TimeSpan
  readonly issue: CandleIssue
  /** Its values as text: a later response with the same row is the same answer. */
  readonly answer: string
}

export type OlderMinutesRequest = Omit<HistoryRequest, 'step'>

export interface OlderMinutes {
  readonly candles: readonly Candle[]
  /** The candles contain all minutes from here on; the end of the request if none was returned. */
  readonly fromMs: number
}

/** One price without a candle: a trade, or a quote where the source has no trades. */
export interface Trade {
  /** The source's time, epoch milliseconds. */
  readonly timeMs: number
  readonly price: number
  /** Null for a quote. */
  readonly size: number | null
  /** Whether a buyer was the taker; null if the source does not report it. */
  readonly isTakerBuy: boolean | null
}

export type FeedState =
  | { readonly kind: 'connecting' }
  /** Subscribed and receiving. After each return to this state the listener backfills from history. */
  | { readonly kind: 'live' }
  /** Retrying automatically; `failures` counts the failed connections since the last one that lasted. */
  | { readonly kind: 'down'; readonly reason: string; readonly retryInMs: number; readonly failures?: number }
  /** Permanent until the configuration changes: an unknown symbol, an invalid key, a ban. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Receives the events of one symbol from an adapter. Must not throw. */
export interface FeedSink {
  /**
   * The current state of one minute as the source reports it: the whole minute so far, not a delta. `eventMs` is the
   * source's time of the message, if it has one.
   */
  minute(candle: Candle, isClosed: boolean, eventMs?: number): void
  trade(trade: Trade): void
  /** The source has proved that nothing was traded since its last message: the market is quiet, the source is not broken. */
  alive?(): void
  /** A message of a minute could not be used: the minute may be incomplete, and only history can resolve it. */
  suspect?(timeMs: number, issue?: CandleIssue): void
  state(state: FeedState): void
}

export interface Feed {
  readonly source: SourceName
  /** Steps that `history` supports natively. */
  readonly steps: readonly HistoryStep[]
  /** Guaranteed depth of `history` in milliseconds before now; for steps not listed it reaches the source's first candle. */
  readonly reachMs?: Readonly<Partial<Record<HistoryStep, number>>>
  /** How long after its end a candle larger than a minute may still be missing from `history`; two minutes if undefined. */
  readonly settleMs?: number
  /** Whether `watch` pushes minutes, pushes trades, or polls; `none` has history only. */
  readonly live: 'minutes' | 'trades' | 'poll' | 'none'
  /** Present where candles are made up: epoch milliseconds up to which they are. It waits for a wall clock that was set back. */
  readonly now?: () => number
  /**
   * Set if the source adjusts its history for later splits and bonuses: `adjusted` if `history` returns adjusted prices,
   * `restored` if the adapter has reverted the adjustment. Absent if history is unadjusted.
   */
  readonly splitHistory?: 'adjusted' | 'restored'
  /**
   * Candles of a step with timestamps in [fromMs, toMs), ascending, without duplicates; paging and rate limiting happen
   * inside. The forming candle is left out, and so is every invalid row. Fewer candles are returned if the source's
   * history is shorter.
   * 1m and 1h candles carry the start of their minute or hour, 1D candles 00:00 UTC of their session date.
   * @throws FeedError
   */
  history(request: HistoryRequest): Promise<Candle[]>
  /**
   * Minutes that `history` no longer has, rebuilt from other data of the source, with timestamps in [fromMs, toMs). May
   * stop early: newest minutes come first, and the result is complete from its own `fromMs`.
   * @throws FeedError
   */
  readonly olderMinutes?: (request: OlderMinutesRequest) => Promise<OlderMinutes>
  /** Subscribes to one symbol until the returned function is called; one connection carries all symbols. */
  watch(symbol: string, sink: FeedSink): () => void
  close(): Promise<void>
}

/** Why a source returned no history. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
  readonly kind: 'refused' | 'limited' | 'unreachable' | 'malformed'
  /** Milliseconds until a retry makes sense; undefined if it does not. */
  readonly retryAfterMs: number | undefined

  constructor(kind: FeedError['kind'], message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Log text of a failed call. */
export function feedErrorText(error: unknown): string {
  return error instanceof FeedError ? `${error.kind}: ${error.message}` : String(error)
}

/** Time and randomness for adapters; tests pass a fake clock. */
export interface FeedClock {
  /** Epoch milliseconds; the wall clock, which may be set back or forward. */
  now(): number
  /** Milliseconds since an arbitrary moment; never decreases, so intervals are measured with it. */
  monotonic(): number
  /** Calls once after a delay; returns a function that cancels it. */
  after(delayMs: number, run: () => unknown): () => void
  /** A number from 0 to 1, for jitter. */
  random(): number
}

/** Logs for the operator; never a key or a token. */
export type FeedLog = (line: string, details?: Readonly<Record<string, unknown>>) => void

/** The step, for an adapter that supports only the common ones. @throws FeedError for any other step */
export function commonStepOf(step: HistoryStep): CommonStep {
  const known = commonSteps.find((common) => common === step)
  if (known === undefined) throw new FeedError('refused', `no candles of ${step}`)
  return known
}

/** When generated prices move: around the clock, or in the trading hours of the instrument. */
export type DemoHours = 'always' | 'session'
