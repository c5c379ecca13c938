// Candles from OpenAlgo's history call, which forwards the broker's data.
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { z } from 'zod'
import { commonStepOf, type CommonStep, type HistoryRequest, type HistoryStep } from '../feed.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { historySpans } from './history-spans.ts'
import { numberSchema, optionalNumberSchema, providerNumber, rowsOf } from './provider-number.ts'
import { indiaIsoDate, indiaDayStampMs, parseIndiaTime } from '#shared/base/india-time.ts'

/** Names of the steps in calls and in the list of intervals. */
export const openAlgoIntervalOf: Readonly<Record<CommonStep, string>> = { '1m': '1m', '1h': '1h', '1D': 'D' }

/** Maximum days of one call: brokers differ, and these limits suit all of them. */
export const openAlgoDaysMax: Readonly<Record<CommonStep, number>> = { '1m': 25, '1h': 60, '1D': 1000 }

const unreadable = { timestamp: NaN, open: NaN, high: NaN, low: NaN, close: NaN, volume: null }

const rowSchema = z
  .object({
    timestamp: z.union([z.number(), z.string()]).catch(NaN),
    open: numberSchema,
    high: numberSchema,
    low: numberSchema,
    close: numberSchema,
    volume: optionalNumberSchema,
  })
  .catch(unreadable)

export const openAlgoHistorySchema = z.object({ status: z.literal('success'), data: rowsOf(rowSchema) })

export const openAlgoIntervalsSchema = z.object({ status: z.literal('success'), data: z.record(z.string(), z.array(z.string())) })

export interface OpenAlgoDates {
  readonly start_date: string
  readonly end_date: string
}

/** Dates of the calls for a request, oldest first; the future is never requested. Both dates of a call are included. */
export function openAlgoDates(request: HistoryRequest, nowMs: number): OpenAlgoDates[] {
  const span: TimeSpan = { fromMs: request.fromMs, toMs: Math.min(request.toMs, nowMs) }
  const first = Math.floor(indiaDayStampMs(span.fromMs) / dayMs) * dayMs
  return historySpans({ fromMs: first, toMs: span.toMs }, openAlgoDaysMax[commonStepOf(request.step)] * dayMs).map(({ fromMs, toMs }) => ({
    start_date: indiaIsoDate(fromMs),
    end_date: indiaIsoDate(toMs - 1),
  }))
}

/** Seconds, milliseconds, or a string in Indian time. */
function instantOf(stamp: number | string): number {
  const seconds = providerNumber(stamp)
  if (typeof stamp === 'string' && Number.isNaN(seconds)) return parseIndiaTime(stamp)
  return seconds < 100_000_000_000 ? seconds * 1000 : seconds
}

/** Candles of a response; an unreadable timestamp becomes NaN. */
export function readOpenAlgoHistory(answer: z.output<typeof openAlgoHistorySchema>, step: HistoryStep, isIndex: boolean): Candle[] {
  return answer.data.map((row) => {
    const timeMs = instantOf(row.timestamp)
    return {
      // Some brokers stamp a day with midnight in India and some with midnight UTC: both are that date in India.
      timeMs: step === '1D' && Number.isFinite(timeMs) ? indiaDayStampMs(timeMs) : timeMs,
      open: row.open,
      high: row.high,
      low: row.low,
      close: row.close,
      volume: isIndex ? null : row.volume,
      takerBuyVolume: null,
    }
  })
}
