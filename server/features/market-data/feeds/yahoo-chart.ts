// Parses Yahoo Finance chart responses: columns with gaps become candles, and splits become factors.
import type { Candle } from '#shared/candles/candle.ts'
import { z } from 'zod'
import { stepMs, type HistoryStep } from '../feed.ts'
import { numberSchema, optionalNumberSchema, rowsOf } from './provider-number.ts'

const columnSchema = rowsOf(optionalNumberSchema).default([])

const resultSchema = z.object({
  meta: z.object({
    instrumentType: z.string().optional(),
    exchangeTimezoneName: z.string().default('UTC'),
    regularMarketTime: z.number().optional(),
  }),
  timestamp: rowsOf(numberSchema).default([]),
  events: z
    .object({ splits: z.record(z.string(), z.object({ date: z.number(), numerator: z.number(), denominator: z.number() })).default({}) })
    .default({ splits: {} }),
  indicators: z.object({
    quote: z.array(z.object({ open: columnSchema, high: columnSchema, low: columnSchema, close: columnSchema, volume: columnSchema })),
  }),
})

export const yahooChartSchema = z.object({
  chart: z.object({
    result: z.array(resultSchema).nullable(),
    error: z.object({ code: z.string() }).nullable(),
  }),
})

export type YahooChart = z.output<typeof yahooChartSchema>

/** One share became `ratio` shares at this instant. */
export interface YahooSplit {
  readonly timeMs: number
  readonly ratio: number
}

/** Kinds for which Yahoo sends a meaningless volume, mostly 0. */
const kindsWithoutVolume: ReadonlySet<string | undefined> = new Set(['INDEX', 'CURRENCY'])

/** Removes 32-bit float noise from a price: 2999.800048828125 was 2999.8. */
function withoutNoise(price: number): number {
  const decimals = price >= 1000 ? 2 : price >= 10 ? 4 : 6
  return Number(price.toFixed(decimals))
}

/** 00:00 UTC of an instant's date in a zone. */
function dayStampMs(ms: number, zone: string): number {
  const date = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate()
  return Date.parse(`${date.toString()}T00:00:00Z`)
}

/** The zone as Yahoo names it, or UTC if it is invalid. */
function zoneOf(name: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return 'UTC'
  }
}

/**
 * Candles of a response with Yahoo's prices, that is, adjusted for later splits. Minutes and hours without any price had
 * no trades and are skipped, and so is the row of the current price, which is off the minute grid. A row
 * with some of its prices is returned with NaN. Empty if Yahoo has no data.
 */
export function readYahooCandles(answer: YahooChart, step: HistoryStep): Candle[] {
  const result = answer.chart.result?.[0]
  const columns = result?.indicators.quote[0]
  if (result === undefined || columns === undefined) return []
  const hasVolume = !kindsWithoutVolume.has(result.meta.instrumentType)
  const zone = step === '1D' ? zoneOf(result.meta.exchangeTimezoneName) : 'UTC'
  const currentFrom = (result.meta.regularMarketTime ?? result.timestamp.at(-1) ?? 0) - 60
  const candles: Candle[] = []
  for (const [row, seconds] of result.timestamp.entries()) {
    const prices = [columns.open[row], columns.high[row], columns.low[row], columns.close[row]]
    const [open = NaN, high = NaN, low = NaN, close = NaN] = prices.map((price) => price ?? NaN)
    const isQuiet = step !== '1D' && prices.every((price) => price === null || price === undefined)
    const isCurrentPrice = step !== '1D' && seconds >= currentFrom && (seconds * 1000) % stepMs['1m'] !== 0
    if (isQuiet || isCurrentPrice) continue
    candles.push({
      timeMs: step === '1D' && Number.isFinite(seconds) ? dayStampMs(seconds * 1000, zone) : seconds * 1000,
      open: withoutNoise(open),
      high: withoutNoise(high),
      low: withoutNoise(low),
      close: withoutNoise(close),
      volume: hasVolume ? (columns.volume[row] ?? 0) : null,
      takerBuyVolume: null,
    })
  }
  return candles
}

/** Time of the last quote that Yahoo has, epoch milliseconds; null if not sent. */
export function yahooQuoteMs(answer: YahooChart): number | null {
  const seconds = answer.chart.result?.[0]?.meta.regularMarketTime
  return seconds === undefined ? null : seconds * 1000
}

/** Splits in a response. */
export function readYahooSplits(answer: YahooChart): YahooSplit[] {
  const splits = Object.values(answer.chart.result?.[0]?.events.splits ?? {})
  return splits
    .map((split) => ({ timeMs: split.date * 1000, ratio: split.numerator / split.denominator }))
    .filter((split) => Number.isFinite(split.ratio) && split.ratio > 0)
}

/**
 * Unadjusts candles: prices before a split times its ratio, volumes divided by it. Yahoo rewrites history at every split,
 * so candles fetched on different days would not match otherwise.
 */
export function undoSplits(candles: readonly Candle[], splits: readonly YahooSplit[]): Candle[] {
  return candles.map((candle) => {
    const ratio = splits
      .filter((split) => Math.floor(split.timeMs / stepMs['1D']) * stepMs['1D'] > candle.timeMs)
      .reduce((all, split) => all * split.ratio, 1)
    if (ratio === 1) return candle
    return {
      ...candle,
      open: withoutNoise(candle.open * ratio),
      high: withoutNoise(candle.high * ratio),
      low: withoutNoise(candle.low * ratio),
      close: withoutNoise(candle.close * ratio),
      volume: candle.volume === null ? null : Math.round(candle.volume / ratio),
    }
  })
}
