// Four sample markets of the landing page, one per group of the menu.
import type { Group } from '#shared/instruments/instruments.ts'
import { generateCandles, type DemoCandle } from './generate-candles.ts'

export interface DemoMarket {
  readonly group: Group
  readonly label: string
  readonly name: string
  readonly end: number
  readonly decimals: number
  readonly locale: 'en-IN' | 'en-US'
  /** Typical move of a one-minute candle, relative to the price. */
  readonly minuteMove: number
  readonly seed: number
}

export const demoMarkets = [
  { group: 'FOREX', label: 'EUR/USD', name: 'Euro / US Dollar', end: 1.08642, decimals: 5, locale: 'en-US', minuteMove: 0.00016, seed: 4 },
  {
    group: 'CRYPTO',
    label: 'BTC/USDT',
    name: 'Bitcoin / Tether',
    end: 67412.5,
    decimals: 2,
    locale: 'en-US',
    minuteMove: 0.0009,
    seed: 31,
  },
  { group: 'FUTURE', label: 'SENSEX', name: 'BSE Sensex', end: 81204.35, decimals: 2, locale: 'en-IN', minuteMove: 0.0004, seed: 12 },
  {
    group: 'STOCKS',
    label: 'RELIANCE',
    name: 'Reliance Industries',
    end: 1284.6,
    decimals: 2,
    locale: 'en-IN',
    minuteMove: 0.0007,
    seed: 57,
  },
] as const satisfies readonly DemoMarket[]

export interface DemoTimeframe {
  readonly label: string
  readonly minutes: number
}

export const demoTimeframes: readonly DemoTimeframe[] = [
  { label: '1m', minutes: 1 },
  { label: '5m', minutes: 5 },
  { label: '15m', minutes: 15 },
  { label: '1h', minutes: 60 },
]

const candlesMax = 180

/** Candles of a market in a timeframe; the move grows with the square root of the length. */
export function demoCandles(market: DemoMarket, minutes: number): readonly DemoCandle[] {
  return generateCandles({
    seed: market.seed * 1000 + minutes,
    count: candlesMax,
    end: market.end,
    move: market.minuteMove * Math.sqrt(minutes),
  })
}
