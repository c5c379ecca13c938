// Candles from OpenAlgo's history call, which forwards the broker's data.
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { z } from 'zod'
import { commonStepOf, type CommonStep, type HistoryRequest, type HistoryStep } from '../feed.ts'
import type { TimeSpan } from '#shared/base/time-spans.ts'
import { historySpans } from './history-spans.ts'
import { indiaDate, indiaDayStampMs, readIndiaText } from '#shared/base/india-time.ts'

/** Names of the steps in calls and in the list of intervals. */
export const openAlgoIntervalOf: Readonly<Record<CommonStep, string>> = { '1m': '1m', '1h': '1h', '1D': 'D' }

/** Maximum days of one call: brokers differ, and these limits suit all of them. */
const daysMax: Readonly<Record<CommonStep, number>> = { '1m': 25, '1h': 60, '1D': 1000 }

const rowSchema = z.object({
  timestamp: z.union([z.number(), z.string()]),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number().nullish(),
})

export const openAlgoHistorySchema = z.object({ status: z.literal('success'), data: z.array(rowSchema) })

export const openAlgoIntervalsSchema = z.object({ status: z.literal('success'), data: z.record(z.string(), z.array(z.string())) })

export interface OpenAlgoDates {
  readonly start_date: string
  readonly end_date: string
}

/** Dates of the calls for a request, oldest first; the future is never requested. Both dates of a call are included. */
export function openAlgoDates(request: HistoryRequest, nowMs: number): OpenAlgoDates[] {
  const span: TimeSpan = { fromMs: request.fromMs, toMs: Math.min(request.toMs, nowMs) }
  const first = Math.floor(indiaDayStampMs(span.fromMs) / dayMs) * dayMs
  return historySpans({ fromMs: first, toMs: span.toMs }, daysMax[commonStepOf(request.step)] * dayMs).map(({ fromMs, toMs }) => ({
    start_date: indiaDate(fromMs),
    end_date: indiaDate(toMs - 1),
  }))
}

/** Seconds, milliseconds, or a string in Indian time. */
function instantOf(stamp: number | string): number {
  if (typeof stamp === 'string') return readIndiaText(stamp)
  return stamp < 100_000_000_000 ? stamp * 1000 : stamp
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
      volume: isIndex ? null : (row.volume ?? null),
      takerBuyVolume: null,
    }
  })
}
