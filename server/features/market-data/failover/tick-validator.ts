// Validates a stream: counts invalid updates, holds jumps until confirmed, and turns trades into minutes.
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { areSameCandles, findCandleIssue, jumpGuard, type CandleIssue } from '#shared/candles/candle-issue.ts'
import { minuteBuilder } from '#shared/candles/minute-builder.ts'
import type { Trade } from '../feed.ts'

export interface StreamMinute {
  readonly candle: Candle
  readonly isFinal: boolean
}

export interface StreamCheck {
  /** The updates that may be used now. */
  minute(candle: Candle, isClosed: boolean, nowMs: number): readonly StreamMinute[]
  trade(trade: Trade, nowMs: number): readonly StreamMinute[]
}

/** A validator for one symbol; `reject` is called for each invalid update, with its minute. */
export function streamCheck(reject: (issue: CandleIssue, timeMs: number) => void): StreamCheck {
  const builder = minuteBuilder()
  const minutes = jumpGuard<StreamMinute>({
    candleOf: ({ candle }) => candle,
    isRepetition: (one, other) => areSameCandles(one.candle, other.candle),
    onDropped: ({ candle }) => reject('jump', candle.timeMs),
  })
  const trades = jumpGuard<Trade>({
    candleOf: candleOfTrade,
    isRepetition: (one, other) => one.timeMs === other.timeMs && one.price === other.price && one.size === other.size,
    onDropped: (trade) => reject('jump', candleOfTrade(trade).timeMs),
  })

  function isSound(candle: Candle, nowMs: number): boolean {
    const issue = findCandleIssue(candle, nowMs)
    if (issue !== null) reject(issue, candle.timeMs)
    return issue === null
  }

  return {
    minute(candle, isClosed, nowMs) {
      return isSound(candle, nowMs) ? minutes.take({ candle, isFinal: isClosed }) : []
    },
    trade(trade, nowMs) {
      if (!isSound(candleOfTrade(trade), nowMs)) return []
      return trades.take(trade).flatMap((taken) => {
        const candle = builder.add(taken)
        return candle === null ? [] : [{ candle, isFinal: false }]
      })
    },
  }
}

function candleOfTrade({ timeMs, price, size }: Trade): Candle {
  const stampMs = Math.floor(timeMs / minuteMs) * minuteMs
  return { timeMs: stampMs, open: price, high: price, low: price, close: price, volume: size, takerBuyVolume: null }
}
