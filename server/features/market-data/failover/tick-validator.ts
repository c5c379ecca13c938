// Validates a stream: counts invalid updates, holds jumps until confirmed, and turns trades into minutes.
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue, type CandleIssue } from '#shared/candles/candle-issue.ts'
import { jumpGuard } from '#shared/candles/jump-guard.ts'
import { minuteBuilder } from '#shared/candles/minute-builder.ts'
import type { Trade } from '../feed.ts'

export interface StreamMinute {
  readonly candle: Candle
  readonly isFinal: boolean
}

/** All results are the updates that may be used now. */
export interface StreamCheck {
  minute(candle: Candle, isClosed: boolean, nowMs: number): readonly StreamMinute[]
  trade(trade: Trade, nowMs: number): readonly StreamMinute[]
  /** Whether updates that are held back have the price of a row of history. */
  agrees(row: Candle): boolean
  /** Compares what is held back with the newest valid row of history. */
  compare(row: Candle): readonly StreamMinute[]
  /** History is complete, or does not come. */
  trustFirst(): readonly StreamMinute[]
}

export interface StreamCheckSink {
  /** An update is invalid. */
  readonly rejected: (issue: CandleIssue, timeMs: number) => void
  /** An update of a minute is held back until its price is confirmed. */
  readonly held: (timeMs: number) => void
}

/** A validator for one symbol. */
export function streamCheck({ rejected, held }: StreamCheckSink): StreamCheck {
  const builder = minuteBuilder()
  const minutes = jumpGuard<StreamMinute>({
    candleOf: ({ candle }) => candle,
    onHeld: ({ candle }) => held(candle.timeMs),
    onDropped: ({ candle }) => rejected('jump', candle.timeMs),
  })
  const trades = jumpGuard<Trade>({
    candleOf: candleOfTrade,
    onHeld: (trade) => held(candleOfTrade(trade).timeMs),
    onDropped: (trade) => rejected('jump', candleOfTrade(trade).timeMs),
  })

  function isSound(candle: Candle, nowMs: number): boolean {
    const issue = findCandleIssue(candle, nowMs)
    if (issue !== null) rejected(issue, candle.timeMs)
    return issue === null
  }

  function minutesOf(taken: readonly Trade[]): StreamMinute[] {
    return taken.flatMap((trade) => {
      const candle = builder.add(trade)
      return candle === null ? [] : [{ candle, isFinal: false }]
    })
  }

  return {
    minute: (candle, isClosed, nowMs) => (isSound(candle, nowMs) ? minutes.take({ candle, isFinal: isClosed }, nowMs) : []),
    trade: (trade, nowMs) => (isSound(candleOfTrade(trade), nowMs) ? minutesOf(trades.take(trade, nowMs)) : []),
    agrees: (row) => minutes.agrees(row) || trades.agrees(row),
    compare: (row) => [...minutes.compare(row), ...minutesOf(trades.compare(row))],
    trustFirst: () => [...minutes.trustFirst(), ...minutesOf(trades.trustFirst())],
  }
}

function candleOfTrade({ timeMs, price, size }: Trade): Candle {
  const stampMs = Math.floor(timeMs / minuteMs) * minuteMs
  return { timeMs: stampMs, open: price, high: price, low: price, close: price, volume: size, takerBuyVolume: null }
}
