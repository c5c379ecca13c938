// Checks the stored candles of one series and source, one range at a time.
import { dayMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { corporateActionsOf } from '#shared/candles/corporate-actions.ts'
import { resample } from '#shared/candles/resample.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { Finding } from '#shared/market-data/verify-report.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import { timeframeOfStep, type HistoryStep, type SourceName } from '../feed.ts'
import { coveredTime, stepsOfClass, timeOfCandle, type Coverage } from '../coverage.ts'
import type { CandleStore } from '../store/candle-store.ts'

export interface CheckedSeries {
  readonly series: string
  readonly source: SourceName
  readonly sessionClass: SessionClass
  readonly store: Pick<CandleStore, 'range' | 'bounds' | 'coverage'>
}

export interface CheckedCandles {
  readonly findings: readonly Finding[]
  readonly candles: number
}

const sliceMs = 30 * dayMs
/** A session may start on the evening before its date, and end a day after its timestamp. */
const marginMs = 2 * dayMs
/** The exchange's price limits and overnight news are smaller; the smallest usual split is not. */
const jumpMin = Math.log(1 / 0.7)
/** Candles further apart say nothing about a single day between them. */
const apartMax = 15 * dayMs
/** Days of these exchanges have official prices, which may differ from all minutes; only their range must contain them. */
const classesWithOfficialDays: ReadonlySet<SessionClass> = new Set(['nse-equity', 'nse-index', 'bse-index'])
/** Crypto exchanges build all candles from the same trades. Elsewhere prices are rounded, or corrected in one step only. */
const exact = { price: 1e-9, volume: 1e-6 }
const rounded = { price: 1e-3, volume: Infinity }

/** All findings, oldest first within each kind; adjacent ones are merged. */
export async function findFindings(checked: CheckedSeries): Promise<CheckedCandles> {
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

/**
 * Jumps of a share's price that no corporate action explains, and expected jumps that are missing: candles before an ex-date
 * are stored adjusted, so that reading adjusts them twice. The candles are stored ones of one step, ascending.
 */
export function findCliffs(series: string, candles: readonly Candle[]): Pick<Finding, 'kind' | 'fromMs' | 'toMs'>[] {
  const actions = corporateActionsOf(series).map(({ exDate, priceFactor }) => ({ exMs: Date.parse(exDate), change: Math.log(priceFactor) }))
  const cliffs: Pick<Finding, 'kind' | 'fromMs' | 'toMs'>[] = []
  for (const [index, next] of candles.entries()) {
    const before = candles[index - 1]
    if (before === undefined || dayOf(before) === dayOf(next) || next.timeMs - before.timeMs > apartMax) continue
    const jump = Math.log(next.open / before.close)
    const expected = actions.reduce((sum, { exMs, change }) => (before.timeMs < exMs && next.timeMs >= exMs ? sum + change : sum), 0)
    const isMissing = expected !== 0 && Math.abs(jump) < Math.abs(jump - expected)
    if (isMissing) cliffs.push({ kind: 'adjusted-rows', fromMs: before.timeMs, toMs: next.timeMs })
    else if (Math.abs(jump - expected) > jumpMin) cliffs.push({ kind: 'unexplained-jump', fromMs: before.timeMs, toMs: next.timeMs })
  }
  return cliffs
}

/** Sessions of Indian shares are within one UTC day. */
function dayOf({ timeMs }: Candle): number {
  return Math.floor(timeMs / dayMs)
}

interface Comparison {
  readonly sessionClass: SessionClass
  /** Of the larger candles. */
  readonly timeframe: Timeframe
  readonly large: readonly Candle[]
  /** Ascending. */
  readonly small: readonly Candle[]
  /** Where the smaller ones are complete: missing ones had no trades. */
  readonly covered: readonly TimeSpan[]
}

/** The larger candles that contradict the smaller ones, where those are complete. */
export function findContradictions({ sessionClass, timeframe, large, small, covered }: Comparison): Candle[] {
  const sums = new Map(resample(small, sessionClass, timeframe).map((sum) => [sum.timeMs, sum]))
  const isOfficial = timeframe === '1D' && classesWithOfficialDays.has(sessionClass)
  const tolerance = sessionClass === 'crypto' ? exact : rounded
  return large.filter((candle) => {
    const time = timeOfCandle(sessionClass, timeframe, candle.timeMs)
    if (time === undefined || !covered.some(({ fromMs, toMs }) => fromMs <= time.fromMs && toMs >= time.toMs)) return false
    const sum = sums.get(candle.timeMs)
    if (sum === undefined) return (candle.volume ?? 1) > 0
    return isOfficial ? !contains(candle, sum, tolerance.price) : !agrees(candle, sum, tolerance)
  })
}

function contains(candle: Candle, sum: Candle, tolerance: number): boolean {
  return candle.high >= sum.high * (1 - tolerance) && candle.low <= sum.low * (1 + tolerance)
}

function agrees(candle: Candle, sum: Candle, { price, volume }: typeof exact): boolean {
  const isNear = (one: number, other: number, share: number): boolean =>
    Math.abs(one - other) <= share * Math.max(Math.abs(one), Math.abs(other))
  return (
    (['open', 'high', 'low', 'close'] as const).every((name) => isNear(candle[name], sum[name], price)) &&
    (candle.volume === null || sum.volume === null || volume === Infinity || isNear(candle.volume, sum.volume, volume))
  )
}
