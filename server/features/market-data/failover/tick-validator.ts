// Validates a stream: counts invalid updates, holds jumps until confirmed, and turns trades into minutes.
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue, type CandleIssue } from '#shared/candles/candle-issue.ts'
import { jumpGuard, type JumpGuard } from '#shared/candles/jump-guard.ts'
import { minuteBuilder } from '#shared/candles/minute-builder.ts'
import type { Trade } from '../feed.ts'

export interface StreamMinute {
  readonly candle: Candle
  readonly isFinal: boolean
}

/** Validates the stream of one symbol. All results are the updates that may be used now. */
export class TickValidator {
  readonly #onRejected: (issue: CandleIssue, timeMs: number) => void
  readonly #builder = minuteBuilder()
  readonly #minutes: JumpGuard<StreamMinute>
  readonly #trades: JumpGuard<Trade>

  /** `onRejected` for an invalid update, `onHeld` for one that is held back until its price is confirmed. */
  constructor(onRejected: (issue: CandleIssue, timeMs: number) => void, onHeld: (timeMs: number) => void) {
    this.#onRejected = onRejected
    const guard = <Update>(candleOf: (update: Update) => Candle) =>
      jumpGuard<Update>({
        candleOf,
        onHeld: (update) => onHeld(candleOf(update).timeMs),
        onDropped: (update) => onRejected('jump', candleOf(update).timeMs),
      })
    this.#minutes = guard(({ candle }: StreamMinute) => candle)
    this.#trades = guard(candleOfTrade)
  }

  minute(candle: Candle, isClosed: boolean, nowMs: number): readonly StreamMinute[] {
    return this.#isSound(candle, nowMs) ? this.#minutes.take({ candle, isFinal: isClosed }, nowMs) : []
  }

  trade(trade: Trade, nowMs: number): readonly StreamMinute[] {
    return this.#isSound(candleOfTrade(trade), nowMs) ? this.#minutesOf(this.#trades.take(trade, nowMs)) : []
  }

  /** Whether updates that are held back have the price of a row of history. */
  agrees(row: Candle): boolean {
    return this.#minutes.agrees(row) || this.#trades.agrees(row)
  }

  /** Compares what is held back with the newest valid row of history. */
  compare(row: Candle): readonly StreamMinute[] {
    return [...this.#minutes.compare(row), ...this.#minutesOf(this.#trades.compare(row))]
  }

  /** History is complete, or does not come. */
  trustFirst(): readonly StreamMinute[] {
    return [...this.#minutes.trustFirst(), ...this.#minutesOf(this.#trades.trustFirst())]
  }

  #isSound(candle: Candle, nowMs: number): boolean {
    const issue = findCandleIssue(candle, nowMs)
    if (issue !== null) this.#onRejected(issue, candle.timeMs)
    return issue === null
  }

  #minutesOf(trades: readonly Trade[]): StreamMinute[] {
    return trades.flatMap((trade) => {
      const candle = this.#builder.add(trade)
      return candle === null ? [] : [{ candle, isFinal: false }]
    })
  }
}

function candleOfTrade({ timeMs, price, size }: Trade): Candle {
  const stampMs = Math.floor(timeMs / minuteMs) * minuteMs
  return { timeMs: stampMs, open: price, high: price, low: price, close: price, volume: size, takerBuyVolume: null }
}
