// Candles from Twelve Data's time series: maximum range of a call, its paths, and parsing of its rows.
import type { Candle } from '#shared/candles/candle.ts'
import { z } from 'zod'
import { commonStepOf, stepMs, type CommonStep, type HistoryRequest } from '../feed.ts'
import { historySpans } from './history-spans.ts'
import { numberSchema, optionalNumberSchema, rowsOf } from './provider-number.ts'

/** Maximum rows of one call. A call over this number of steps can never return more, whatever the market did. */
export const twelveDataRowsMax = 5000

const intervalOf: Readonly<Record<CommonStep, string>> = { '1m': '1min', '1h': '1h', '1D': '1day' }

const unreadable = { datetime: '', open: NaN, high: NaN, low: NaN, close: NaN, volume: null }

const rowSchema = z
  .object({
    datetime: z.string().catch(''),
    open: numberSchema,
    high: numberSchema,
    low: numberSchema,
    close: numberSchema,
    volume: optionalNumberSchema,
  })
  .catch(unreadable)

/** Errors have this shape too, even with the HTTP status 200. */
export const twelveDataSeriesSchema = z.union([
  z.object({ status: z.literal('error'), code: z.number(), message: z.string() }),
  z.object({ values: rowsOf(rowSchema) }),
])

export type TwelveDataSeries = z.output<typeof twelveDataSeriesSchema>

/** Format 2026-11-20T09:15:00, in UTC. */
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

/** Paths of the calls for a request, oldest first; the future is never requested. Both ends of a call are included. */
export function twelveDataPaths(request: HistoryRequest, nowMs: number): string[] {
  const span = { fromMs: request.fromMs, toMs: Math.min(request.toMs, nowMs) }
  return historySpans(span, (twelveDataRowsMax - 1) * stepMs[request.step]).map(({ fromMs, toMs }) => {
    const query = new URLSearchParams({
      symbol: request.symbol,
      interval: intervalOf[commonStepOf(request.step)],
      start_date: timeText(fromMs),
      end_date: timeText(toMs - 1),
      timezone: 'UTC',
      order: 'ASC',
      outputsize: String(twelveDataRowsMax),
    })
    return `/time_series?${query.toString()}`
  })
}

/** Candles of the rows; an unreadable timestamp becomes NaN. Currencies and metals have no volume. */
export function readTwelveDataRows(values: readonly z.output<typeof rowSchema>[]): Candle[] {
  return values.map((row) => ({
    timeMs: Date.parse(`${row.datetime.replace(' ', 'T')}${row.datetime.length > 10 ? 'Z' : ''}`),
    open: row.open,
    high: row.high,
    low: row.low,
    close: row.close,
    volume: row.volume,
    takerBuyVolume: null,
  }))
}
