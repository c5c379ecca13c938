// Candles from Kite's historical API: maximum range of a call, its paths, and parsing of its rows.
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { z } from 'zod'
import { commonStepOf, type CommonStep, type HistoryRequest, type HistoryStep } from '../feed.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { historySpans } from './history-spans.ts'
import { providerNumber, rowsOf } from './provider-number.ts'
import { indiaDayStampMs, indiaTime, parseIndiaTime } from '#shared/base/india-time.ts'

const intervalOf: Readonly<Record<CommonStep, string>> = { '1m': 'minute', '1h': '60minute', '1D': 'day' }

/** Maximum days of one call. */
export const kiteDaysMax: Readonly<Record<CommonStep, number>> = { '1m': 60, '1h': 400, '1D': 2000 }

/** A timestamp, prices and volume; what cannot be read becomes NaN. */
const rowSchema = z.unknown().transform((row) => {
  const [stamp, ...values] = Array.isArray(row) ? (row as unknown[]) : []
  return { timeMs: typeof stamp === 'string' ? parseIndiaTime(stamp) : Number.NaN, values: values.map(providerNumber) }
})

export const kiteHistorySchema = z.object({ data: z.object({ candles: rowsOf(rowSchema) }) })

export type KiteHistory = z.output<typeof kiteHistorySchema>

/** A daily candle is stamped with a date, but requested by the day in India. */
function inIndia(request: HistoryRequest): TimeSpan {
  if (request.step !== '1D') return request
  const dayFrom = (ms: number): number => parseIndiaTime(new Date(Math.ceil(ms / dayMs) * dayMs).toISOString().slice(0, 10))
  return { fromMs: dayFrom(request.fromMs), toMs: dayFrom(request.toMs) }
}

/** Paths of the calls for a request, oldest first; the future is never requested. Both ends of a call are included. */
export function kiteHistoryPaths(request: HistoryRequest, token: number, nowMs: number): string[] {
  const { fromMs, toMs } = inIndia(request)
  const step = commonStepOf(request.step)
  const spans = historySpans({ fromMs, toMs: Math.min(toMs, nowMs) }, kiteDaysMax[step] * dayMs)
  return spans.map((span) => {
    const query = new URLSearchParams({ from: indiaTime(span.fromMs), to: indiaTime(span.toMs - 1) })
    return `/instruments/historical/${token}/${intervalOf[step]}?${query.toString()}`
  })
}

/** Candles of a response in its order; an unreadable timestamp becomes NaN. An index has no volume. */
export function readKiteHistory(answer: KiteHistory, step: HistoryStep, isIndex: boolean): Candle[] {
  return answer.data.candles.map(({ timeMs, values: [open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] }) => {
    return {
      timeMs: step === '1D' && Number.isFinite(timeMs) ? indiaDayStampMs(timeMs) : timeMs,
      open,
      high,
      low,
      close,
      volume: isIndex ? null : volume,
      takerBuyVolume: null,
    }
  })
}
