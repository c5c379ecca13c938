// The port to a source of prices. An adapter translates one provider's protocol and nothing else: it keeps a connection, asks for history, and says how it is.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'

export const sourceNames = ['binance', 'kraken', 'coinbase', 'twelve-data', 'yahoo', 'kite', 'openalgo', 'csv', 'demo'] as const

export type SourceName = (typeof sourceNames)[number]

/** Sizes of candles that a source can be asked for, finest first; every other timeframe is made from them. */
export const historySteps = ['1m', '5m', '15m', '30m', '1h', '4h', '1D'] as const

export type HistoryStep = (typeof historySteps)[number]

/** Milliseconds from a candle's stamp to its end at the latest; a session that closes early ends before. */
export const stepMs: Readonly<Record<HistoryStep, number>> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': 60 * minuteMs,
  '4h': 240 * minuteMs,
  '1D': dayMs,
}

/** The timeframe whose candles a step has. */
export const timeframeOfStep = { '1m': '1', '5m': '5', '15m': '15', '30m': '30', '1h': '60', '4h': '240', '1D': '1D' } as const

/** The steps that most providers have. */
export type CommonStep = '1m' | '1h' | '1D'

export const commonSteps: readonly CommonStep[] = ['1m', '1h', '1D']

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

export type OlderMinutesRequest = Omit<HistoryRequest, 'step'>

export interface OlderMinutes {
  readonly candles: readonly Candle[]
  /** All minutes from here on are among the candles; the end of the request where none came. */
  readonly fromMs: number
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
  /** The source has proved that nothing was traded since its last word: a quiet market, and no broken source. */
  alive?(): void
  state(state: FeedState): void
}

export interface Feed {
  readonly source: SourceName
  /** Steps that `history` answers natively. */
  readonly steps: readonly HistoryStep[]
  /** How far back `history` reaches for sure, milliseconds before now; without a step it reaches to the source's first candle. */
  readonly reachMs?: Readonly<Partial<Record<HistoryStep, number>>>
  /** How long after its end a candle larger than a minute may still be missing from `history`; two minutes where undefined. */
  readonly settleMs?: number
  /** Whether `watch` pushes minutes, pushes trades, or polls; `none` has history only. */
  readonly live: 'minutes' | 'trades' | 'poll' | 'none'
  /**
   * Present where the source divides its history by later splits and bonuses: `adjusted` where `history` answers it so,
   * `restored` where the adapter has undone it. Absent where history is as it traded.
   */
  readonly splitHistory?: 'adjusted' | 'restored'
  /**
   * Candles of a step with stamps in [fromMs, toMs), ascending, without doubles; pages and waits by itself, within the
   * source's limits. The candle that still forms is left out. Fewer come where the source does not go back so far.
   * 1m and 1h candles carry the start of their minute or hour, 1D candles 00:00 UTC of their session date.
   * @throws FeedError
   */
  history(request: HistoryRequest): Promise<Candle[]>
  /**
   * Minutes that `history` has no longer, made from what the source still has, with stamps in [fromMs, toMs). It may stop
   * early: the newest come first, and what it answers is whole from its `fromMs`.
   * @throws FeedError
   */
  readonly olderMinutes?: (request: OlderMinutesRequest) => Promise<OlderMinutes>
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

/** What a failed call says in the log. */
export function feedErrorText(error: unknown): string {
  return error instanceof FeedError ? `${error.kind}: ${error.message}` : String(error)
}

/** What adapters need of the outside; tests pass a clock of their own. */
export interface FeedClock {
  /** Epoch milliseconds; the wall clock, which an operator or a time server may set back or forward. */
  now(): number
  /** Milliseconds since any moment; only ever grows, so intervals are measured with it. */
  monotonic(): number
  /** Calls once after a while; returns the way to stop it. */
  after(delayMs: number, run: () => void): () => void
  /** A number from 0 to 1, for jitter. */
  random(): number
}

/** Takes notes for the operator; never a key or a token. */
export type FeedLog = (line: string, details?: Readonly<Record<string, unknown>>) => void

/** The step, for an adapter that has the common ones only. @throws FeedError for another one. */
export function commonStepOf(step: HistoryStep): CommonStep {
  const known = commonSteps.find((common) => common === step)
  if (known === undefined) throw new FeedError('refused', `no candles of ${step}`)
  return known
}

/** When generated prices move: around the clock, or in the trading hours of the instrument. */
export type DemoHours = 'always' | 'session'
