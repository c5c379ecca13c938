// Checks the stored candles of one series and source, one range at a time.
import { dayMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import type { Finding } from '#shared/market-data/verify-report.ts'
import { timeframeOfStep, type HistoryStep, type SourceName } from '../feed.ts'
import { coveredTime, stepsOfClass, timeOfCandle, type Coverage } from '../history-steps.ts'
import type { CandleStore } from '../store/candle-store.ts'
import { findCliffs } from './cliffs.ts'
import { findContradictions } from './contradictions.ts'

export interface CheckedSeries {
  readonly series: string
  readonly source: SourceName
  readonly sessionClass: SessionClass
  readonly store: Pick<CandleStore, 'range' | 'bounds' | 'coverage'>
}

export interface Checked {
  readonly findings: readonly Finding[]
  readonly candles: number
}

const sliceMs = 30 * dayMs
/** A session may start on the evening before its date, and end a day after its timestamp. */
const marginMs = 2 * dayMs

/** All findings, oldest first within each kind; adjacent ones are merged. */
export async function findFindings(checked: CheckedSeries): Promise<Checked> {
  const { series, source, sessionClass, store } = checked
  const coverage = await store.coverage({ series, source })
  // Unused steps are skipped, such as days of currencies stored by earlier versions.
  const steps = stepsOfClass(sessionClass)
    .toReversed()
    .filter((step) => (coverage[step] ?? []).length > 0)
  const findings: Finding[] = steps.flatMap((step) => holesOf(checked, step, coverage))
  const bounds = await Promise.all(steps.map((step) => store.bounds({ series, source, step })))
  const known = bounds.filter((one) => one !== undefined)
  const endMs = Math.max(...known.map(({ lastMs }) => lastMs)) + 1
  const before = new Map<HistoryStep, Candle>()
  let candles = 0
  for (let fromMs = Math.min(...known.map(({ firstMs }) => firstMs)); fromMs < endMs; fromMs += sliceMs) {
    const slice = await readSlice(checked, steps, { fromMs, toMs: Math.min(endMs, fromMs + sliceMs) })
    candles += steps.reduce((sum, step) => sum + slice.within(step).length, 0)
    for (const finding of contradictionsOf(checked, slice, coverage)) findings.push(finding)
    for (const finding of cliffsOf(checked, slice, before)) findings.push(finding)
  }
  return { findings: joined(findings), candles }
}

/** Trading time missing between stored candles; the time before the first and after the last is not checked. */
function holesOf({ series, source, sessionClass }: CheckedSeries, step: HistoryStep, coverage: Coverage): Finding[] {
  const spans = coverage[step] ?? []
  return spans.slice(1).flatMap((span, index) => {
    const gap = { fromMs: spans[index]?.toMs ?? span.fromMs, toMs: span.fromMs }
    const isHole = coveredTime(step, sessionClass, { [step]: [gap] }).some((time) => hasTrading(sessionClass, time))
    return isHole ? [{ series, source, step, kind: 'hole' as const, ...gap }] : []
  })
}

interface Slice {
  readonly steps: readonly HistoryStep[]
  /** Candles with timestamps in the slice. */
  within(step: HistoryStep): readonly Candle[]
  /** Those around it as well. */
  around(step: HistoryStep): readonly Candle[]
}

async function readSlice(
  { series, source, store }: CheckedSeries,
  steps: readonly HistoryStep[],
  { fromMs, toMs }: TimeSpan,
): Promise<Slice> {
  const read = async (step: HistoryStep) =>
    [step, await store.range({ series, source, step }, { fromMs: fromMs - marginMs, toMs: toMs + marginMs })] as const
  const around = new Map(await Promise.all(steps.map(read)))
  return {
    steps,
    around: (step) => around.get(step) ?? [],
    within: (step) => (around.get(step) ?? []).filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs),
  }
}

/** Each step against the next smaller one and against the smallest. */
function contradictionsOf({ series, source, sessionClass }: CheckedSeries, slice: Slice, coverage: Coverage): Finding[] {
  return slice.steps.flatMap((step, index) => {
    const smaller = new Set(slice.steps.slice(0, index).filter((_, at) => at === 0 || at === index - 1))
    const timeframe = timeframeOfStep[step]
    const wrong = new Set(
      [...smaller].flatMap((small) =>
        findContradictions({
          sessionClass,
          timeframe,
          large: slice.within(step),
          small: slice.around(small),
          covered: coveredTime(small, sessionClass, coverage),
        }),
      ),
    )
    return [...wrong].flatMap(({ timeMs }) => {
      const time = timeOfCandle(sessionClass, timeframe, timeMs)
      return time === undefined ? [] : [{ series, source, step, kind: 'contradiction' as const, ...time }]
    })
  })
}

/** Only shares are split. The last candle of the previous slice is compared with the first of this one. */
function cliffsOf({ series, source, sessionClass }: CheckedSeries, slice: Slice, before: Map<HistoryStep, Candle>): Finding[] {
  if (sessionClass !== 'nse-equity') return []
  return slice.steps.flatMap((step) => {
    const last = before.get(step)
    const candles = [...(last === undefined ? [] : [last]), ...slice.within(step)]
    const newest = candles.at(-1)
    if (newest !== undefined) before.set(step, newest)
    return findCliffs(series, candles).map((cliff) => ({ series, source, step, ...cliff }))
  })
}

function joined(findings: readonly Finding[]): Finding[] {
  const list: Finding[] = []
  for (const finding of findings.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const at = list.findIndex(
      ({ kind, step, toMs }) => kind === 'contradiction' && kind === finding.kind && step === finding.step && toMs === finding.fromMs,
    )
    const before = list[at]
    if (before === undefined) list.push(finding)
    else list[at] = { ...before, toMs: finding.toMs }
  }
  return list
}
