// Expected data of the scripted exchange: trades generated from a seed, and their candles.
import { minuteMs } from '#shared/base/durations.ts'
import { resample } from '#shared/candles/resample.ts'
import { addToSum, beginSum, type CandleSum } from '#shared/candles/candle-sum.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { HistoryStep, Trade } from '../../feed.ts'

const timeframes = { '1m': '1', '5m': '5', '15m': '15', '30m': '30', '1h': '60', '4h': '240', '1D': '1D' } as const

export interface MadeTrades {
  readonly fromMs: number
  readonly toMs: number
  readonly price: number
  readonly seed: number
  readonly sessionClass: SessionClass
  /** Smallest trade size; a power of two. */
  readonly sizeStep?: number | undefined
}

/** A small seeded random generator from 0 to 1. */
function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}

/**
 * Trades a few seconds apart in trading hours; about every sixth minute has none. Sizes are sixteenths, which add up without rounding,
 * and no two trades share a millisecond.
 */
export function makeTrades({ fromMs, toMs, price, seed, sessionClass, sizeStep = 1 / 16 }: MadeTrades): Trade[] {
  const throwDice = dice(seed)
  const trades: Trade[] = []
  let level = Math.round(price * 100)
  for (let minute = Math.ceil(fromMs / minuteMs) * minuteMs; minute < toMs; minute += minuteMs) {
    const isQuiet = throwDice() < 0.17
    for (let at = minute + 300 + throwDice() * 4000; at < minute + minuteMs - 250; at += 1500 + throwDice() * 12_000) {
      level += Math.round((throwDice() - 0.5) * level * 0.0006)
      const trade = {
        timeMs: Math.floor(at),
        price: level / 100,
        size: (1 + Math.floor(throwDice() * 80)) * sizeStep,
        isTakerBuy: throwDice() < 0.5,
      }
      if (!isQuiet && isTradingMinute(sessionClass, minute)) trades.push(trade)
    }
  }
  return trades
}

/** A trade as a candle. */
function candleOf({ timeMs, price, size, isTakerBuy }: Trade): Candle {
  const stampMs = timeMs - (timeMs % minuteMs)
  return { timeMs: stampMs, open: price, high: price, low: price, close: price, volume: size, takerBuyVolume: isTakerBuy ? size : 0 }
}

/** Minutes of ascending trades; those without a trade are left out. */
export function minutesOf(trades: readonly Trade[]): Candle[] {
  const minutes: CandleSum[] = []
  for (const trade of trades) {
    const candle = candleOf(trade)
    const last = minutes.at(-1)
    if (last?.timeMs === candle.timeMs) addToSum(last, candle)
    else minutes.push(beginSum(candle.timeMs, candle))
  }
  return minutes
}

/** Adds a flat minute without volume wherever a trading minute has no trade, up to the minute of `nowMs`. */
export function fillQuiet(minutes: readonly Candle[], sessionClass: SessionClass, nowMs: number): Candle[] {
  const filled: Candle[] = []
  for (const minute of [...minutes, undefined]) {
    const untilMs = minute?.timeMs ?? nowMs - (nowMs % minuteMs) + minuteMs
    for (let last = filled.at(-1); last !== undefined && last.timeMs + minuteMs < untilMs; last = filled.at(-1)) {
      const timeMs = last.timeMs + minuteMs
      const { close } = last
      filled.push({ timeMs, open: close, high: close, low: close, close, volume: 0, takerBuyVolume: 0 })
    }
    if (minute !== undefined) filled.push(minute)
  }
  return filled.filter((candle) => isTradingMinute(sessionClass, candle.timeMs))
}

/** Resamples minutes to candles of a step. */
export function stepsOf(minutes: readonly Candle[], sessionClass: SessionClass, step: HistoryStep): Candle[] {
  return step === '1m' ? [...minutes] : resample(minutes, sessionClass, timeframes[step])
}
