// Which time the usable steps of a series cover, and where an older page continues.
import { addSpan, type TimeSpan } from '#shared/base/time-span.ts'
import { dayMs } from '#shared/base/durations.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { HistoryStep } from '../feed.ts'
import { candleEdge, coveredTime, stampLeadMs, usableSteps } from '../history-steps.ts'
import type { CandleReader } from './candle-reader.ts'

interface CoveredStep {
  readonly step: HistoryStep
  readonly spans: readonly TimeSpan[]
}

/** Coverage of each usable step. */
export async function coveredBySteps(reader: CandleReader, sessionClass: SessionClass, timeframe: Timeframe): Promise<CoveredStep[]> {
  const coverage = await reader.coverage()
  return usableSteps(timeframe, sessionClass).map((step) => ({ step, spans: coveredTime(step, sessionClass, coverage) }))
}

export const joined = (lists: readonly (readonly TimeSpan[])[]): readonly TimeSpan[] => lists.flat().reduce<TimeSpan[]>(addSpan, [])

/** Coverage before an instant by candles closed by then: a forming one says nothing about its first part. */
export function wholeBefore(untilMs: number, steps: readonly CoveredStep[], sessionClass: SessionClass): readonly TimeSpan[] {
  return joined(
    steps.map(({ step, spans }) =>
      spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs <= untilMs ? toMs : candleEdge(step, sessionClass, untilMs, 'down') })),
    ),
  )
}

/** Where to continue before a range: at the latest covered time; undefined if there is none. */
export function nextBelow(covered: readonly TimeSpan[], beforeMs: number, timeframe: Timeframe): number | undefined {
  // A timestamp may be hours away from its trades, for weeks and months a few holidays.
  const marginMs = stepMinutesOf(timeframe) === undefined ? 10 * dayMs : stampLeadMs
  const span = covered.findLast(({ fromMs }) => fromMs - marginMs < beforeMs)
  return span === undefined ? undefined : Math.min(beforeMs, span.toMs + marginMs)
}
