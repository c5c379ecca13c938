// Keeps the stored history of one series and source complete: the newest candles, older ones on demand (backfill), and old gaps.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { addSpan, intersectSpans, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { coveredSince, hasTrading, sessionsBetween, tradingGaps } from '#shared/trading-hours/trading-gaps.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { stepMs, type Feed, type FeedClock, type HistoryStep, type RejectedRow } from '../feed.ts'
import { alignedStart, candleEdge, coveredTime, firstStamp, settledUntil, stepsOfClass, usableSteps } from '../coverage.ts'
import type { CandleStore } from '../store/candle-store.ts'
import { coveredRuns } from '../store/store-file.ts'
import { isDue, type RejectedRows, type RejectedSpan } from '../store/rejected-rows.ts'
import type { SeriesSource } from './series-plan.ts'
import type { StoreWriter } from './store-writer.ts'

/** History depth requested for a new series. */
export const depthMs: Readonly<Record<HistoryStep, number>> = {
  '1m': 5 * dayMs,
  '5m': 15 * dayMs,
  '15m': 40 * dayMs,
  '30m': 60 * dayMs,
  '1h': 365 * dayMs,
  '4h': 2 * 365 * dayMs,
  '1D': 5 * 365 * dayMs,
}
/** Range of one request for older candles. */
const chunkMs: Readonly<Record<HistoryStep, number>> = {
  '1m': 4 * dayMs,
  '5m': 20 * dayMs,
  '15m': 60 * dayMs,
  '30m': 90 * dayMs,
  '1h': 180 * dayMs,
  '4h': 720 * dayMs,
  '1D': 5 * 365 * dayMs,
}
/** Long candles that are resampled from short ones need more of these per page. */
const longChunkMs = { intraday: 30 * dayMs, days: 92 * dayMs }
/** A range without candles may be a long closure, so the range is widened before a source counts as exhausted. */
const wideningFactors = [1, 4]
/** A file is cheap to read, and may have ended years ago. */
const wideningFactorsOfFile = [1, 4, 16, 64, 256, 1_024, 4_096]
/** Maximum ranges of one request for older candles. */
const rangesMax = 4
/** How far back the last session is looked for: longer than any market closure. */
const lookBackMs = 14 * dayMs
const settleMs = 2 * minuteMs

export interface HistoryFillerDeps {
  readonly series: string
  readonly candidate: SeriesSource
  readonly store: CandleStore
  readonly rejectedRows: RejectedRows
  readonly writer: Pick<StoreWriter, 'write'>
  readonly clock: FeedClock
  readonly signal: AbortSignal
  /** Candles were inserted between stored ones: earlier reads have a gap. */
  readonly onHoleFilled?: () => void
}

/** Whether candles before and after a span are stored. */
interface Neighbours {
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

interface HistoryResponse {
  readonly requested: TimeSpan
  readonly candles: readonly Candle[]
  /** Spans that the response is about. */
  readonly known: readonly TimeSpan[]
  readonly rejected: readonly RejectedRow[]
}

export class HistoryFiller {
  readonly #deps: HistoryFillerDeps
  readonly #feed: Feed
  readonly #sessionClass: SessionClass
  /** A gap in a file does not prove a quiet market. */
  readonly #isFile: boolean
  /** Steps that `refresh` keeps up to date, coarsest first. */
  readonly steps: readonly HistoryStep[]
  readonly #exhausted = new Set<HistoryStep>()
  readonly #running = new Map<HistoryStep, Promise<boolean>>()
  #fillingLastSession: Promise<boolean> | undefined
  /** Requested gaps, which are not requested again even if they are still open. */
  readonly #requested = new Set<string>()

  constructor(deps: HistoryFillerDeps) {
    this.#deps = deps
    this.#feed = deps.candidate.feed
    this.#sessionClass = deps.candidate.sessionClass
    this.#isFile = this.#feed.source === 'csv'
    this.steps = stepsOfClass(this.#sessionClass).filter((step) => this.#feed.steps.includes(step))
  }

  /** Stores candles newer than the stored ones of a step. */
  async refresh(step: HistoryStep): Promise<void> {
    const spans = await this.#spansOf(step)
    const untilMs = this.#newestMs()
    const fromMs = spans.at(-1)?.toMs ?? alignedStart(step, this.#sessionClass, untilMs - depthMs[step])
    if (settledUntil(step, this.#sessionClass, untilMs) <= fromMs) return
    await this.#fetchSpan(
      step,
      { fromMs: Math.max(fromMs, this.#reachedMs(step)), toMs: untilMs },
      { hasOlder: spans.length > 0, hasNewer: false },
    )
  }

  /** Stores candles before the present ones of a timeframe, back to `beforeMs` if possible; resolves to whether any range was loaded. */
  async extend(timeframe: Timeframe, beforeMs: number): Promise<boolean> {
    let hasLoaded = false
    for (let range = 0; range < rangesMax; range += 1) {
      const { sinceMs, steps } = await this.#extendable(timeframe)
      if (hasLoaded && sinceMs < beforeMs) return true
      const isLoaded = await firstThat(
        steps.filter((step) => !this.#exhausted.has(step)),
        (step) => this.#extendStep(step, widthOf(step, timeframe)),
      )
      if (!isLoaded) return hasLoaded || (steps.includes('1m') && (await this.fillLastSession()))
      hasLoaded = true
    }
    return hasLoaded
  }

  /** Requests one gap between stored candles; resolves to whether there was one. */
  async repair(): Promise<boolean> {
    for (const step of this.steps) {
      const rejected = await this.#rejectedOf(step)
      const due = rejected.filter((span) => isDue(span, this.#deps.clock.now()))
      const spans = await this.#spansOf(
        step,
        rejected.filter((span) => !due.includes(span)),
      )
      const holes = spans.slice(1).map((span, index) => ({ fromMs: spans[index]?.toMs ?? 0, toMs: span.fromMs }))
      const isOpen = (hole: TimeSpan): boolean =>
        (!this.#requested.has(this.#nameOf(step, hole)) || intersectSpans([hole], due).length > 0) &&
        hole.toMs > this.#reachedMs(step) + stepMs[step] &&
        this.#isHole(step, hole)
      const newest = holes.findLast(isOpen)
      if (newest === undefined) continue
      // Adjacent gaps are requested together.
      const fromMs = holes.find((hole) => hole.toMs > newest.toMs - chunkMs[step] && isOpen(hole))?.fromMs ?? newest.fromMs
      await this.#fetchSpan(
        step,
        { fromMs: Math.max(fromMs, newest.toMs - chunkMs[step], this.#reachedMs(step)), toMs: newest.toMs },
        { hasOlder: true, hasNewer: true },
      )
      for (const hole of holes) if (hole.fromMs >= fromMs && hole.toMs <= newest.toMs) this.#requested.add(this.#nameOf(step, hole))
      this.#requested.add(this.#nameOf(step, newest))
      return true
    }
    return false
  }

  /**
   * Stores minutes of the newest session that the source's `history` no longer has, so that a first start at a weekend
   * shows a chart; resolves to whether there were any.
   */
  fillLastSession(): Promise<boolean> {
    this.#fillingLastSession ??= this.#fillLastSession().finally(() => (this.#fillingLastSession = undefined))
    return this.#fillingLastSession
  }

  async #fillLastSession(): Promise<boolean> {
    const { candidate, clock, signal } = this.#deps
    const reachMs = this.#feed.reachMs?.['1m']
    // Around-the-clock markets always have new minutes, and coins have too many trades.
    if (this.#feed.olderMinutes === undefined || reachMs === undefined || this.#sessionClass === 'crypto') return false
    const beforeMs = Math.ceil((clock.now() - reachMs) / minuteMs) * minuteMs
    const missing = missingBefore(this.#sessionClass, beforeMs, await this.#spansOf('1m'))
    if (missing === undefined) return false
    let rejected: readonly RejectedRow[] = []
    const onRejected = (rows: readonly RejectedRow[]): void => void (rejected = rejected.concat(rows))
    const { candles, fromMs } = await this.#feed.olderMinutes({ symbol: candidate.symbol, ...missing, signal, onRejected })
    if (fromMs >= missing.toMs) return false
    const loaded = { fromMs, toMs: missing.toMs }
    await this.#store('1m', { requested: loaded, candles, known: [loaded], rejected })
    return true
  }

  #nameOf(step: HistoryStep, { fromMs, toMs }: TimeSpan): string {
    return `${step} ${fromMs} ${toMs}`
  }

  /** The newest instant that the candidate's licence allows. */
  #newestMs(): number {
    return this.#deps.clock.now() - this.#deps.candidate.label.delayMinutes * minuteMs
  }

  async #rejectedOf(step: HistoryStep): Promise<readonly RejectedSpan[]> {
    return await this.#deps.rejectedRows.list({ series: this.#deps.series, source: this.#feed.source, step })
  }

  /** What is stored, and what the source has answered with rejected rows: neither ends the history. */
  async #spansOf(step: HistoryStep, rejected?: readonly RejectedSpan[]): Promise<readonly TimeSpan[]> {
    const { store, series } = this.#deps
    const covered = (await store.coverage({ series, source: this.#feed.source }))[step] ?? []
    return (rejected ?? (await this.#rejectedOf(step))).reduce(addSpan, [...covered])
  }

  #reachedMs(step: HistoryStep): number {
    return this.#deps.clock.now() - (this.#feed.reachMs?.[step] ?? Infinity)
  }

  /** Requests a span and stores the result; resolves to the span that is covered now, or null. */
  async #fetchSpan(step: HistoryStep, { fromMs, toMs }: TimeSpan, { hasOlder, hasNewer }: Neighbours): Promise<TimeSpan | null> {
    if (fromMs >= toMs) return null
    const firstMs = firstStamp(step, this.#sessionClass, Math.max(fromMs, this.#reachedMs(step)))
    const settledMs = settledUntil(step, this.#sessionClass, this.#newestMs() - (this.#feed.settleMs ?? settleMs))
    let rejected: readonly RejectedRow[] = []
    const onRejected = (rows: readonly RejectedRow[]): void => void (rejected = rejected.concat(rows))
    const { symbol } = this.#deps.candidate
    const candles = await this.#feed.history({ symbol, step, fromMs, toMs, signal: this.#deps.signal, onRejected })
    const last = candles.at(-1)
    const earliestMs = Math.min(candles[0]?.timeMs ?? Infinity, rejected[0]?.span.fromMs ?? Infinity)
    // The time before the source's very first candle is not covered.
    const beginMs = hasOlder ? firstMs : Math.max(firstMs, earliestMs)
    const lastEndMs =
      last === undefined ? -Infinity : step === '1D' ? last.timeMs + dayMs : candleEdge(step, this.#sessionClass, last.timeMs + 1, 'up')
    // A source without a stream, such as a file, may have more later.
    const quietEndMs = this.#feed.live === 'none' ? -Infinity : Math.min(toMs, settledMs)
    const endMs = hasNewer ? toMs : Math.max(quietEndMs, lastEndMs)
    const covered = beginMs < endMs ? { fromMs: beginMs, toMs: endMs } : null
    const all = covered === null ? [] : [covered]
    const known = this.#isFile ? intersectSpans(coveredRuns(step, this.#sessionClass, candles), all) : all
    const { runs, settled } = await this.#store(step, { requested: { fromMs, toMs }, candles, known, rejected })
    if (runs.length + settled.length > 0 && hasOlder && hasNewer) this.#deps.onHoleFilled?.()
    return runs[0] ?? rejected[0]?.span ?? null
  }

  /** Stores a response; the known spans are covered except for rejected rows, unless those are settled. */
  async #store(step: HistoryStep, { requested, candles, known, rejected }: HistoryResponse) {
    const { series, writer, rejectedRows } = this.#deps
    const key = { series, source: this.#feed.source, step }
    const holes = rejected.map(({ span }) => span)
    const runs = subtractSpans(known, holes)
    await writer.write(key, candles, runs)
    const settled = await rejectedRows.note(key, requested, rejected)
    if (settled.length > 0) await writer.write(key, [], settled)
    return { runs, settled }
  }

  /** Whether a range before the newest gapless candles was loaded. */
  #extendStep(step: HistoryStep, widthMs: number): Promise<boolean> {
    const running = this.#running.get(step) ?? this.#extendOnce(step, widthMs).finally(() => this.#running.delete(step))
    this.#running.set(step, running)
    return running
  }

  async #extendOnce(step: HistoryStep, widthMs: number): Promise<boolean> {
    const spans = await this.#spansOf(step)
    // Requesting a file again does not fill its gaps.
    const toMs = spans[0] === undefined ? this.#newestMs() : this.#isFile ? spans[0].fromMs : this.#newestRunOf(step, spans)
    const older = spans.findLast((span) => span.toMs < toMs)
    const oldestMs = Math.max(older?.toMs ?? 0, this.#reachedMs(step))
    for (const factor of this.#feed.live === 'none' ? wideningFactorsOfFile : wideningFactors) {
      const fromMs = Math.max(oldestMs, alignedStart(step, this.#sessionClass, toMs - widthMs * factor))
      if (fromMs >= toMs) break
      if ((await this.#fetchSpan(step, { fromMs, toMs }, { hasOlder: older !== undefined, hasNewer: spans.length > 0 })) !== null)
        return true
    }
    const tradedMs = await this.#lastDayBefore(step, toMs - widthMs)
    if (tradedMs !== undefined && tradedMs - widthMs > oldestMs) {
      const fromMs = alignedStart(step, this.#sessionClass, tradedMs - widthMs)
      if ((await this.#fetchSpan(step, { fromMs, toMs }, { hasOlder: older !== undefined, hasNewer: spans.length > 0 })) !== null)
        return true
    }
    this.#exhausted.add(step)
    return false
  }

  /** A share may have been suspended for months: the stored days know when it was traded last. */
  async #lastDayBefore(step: HistoryStep, beforeMs: number): Promise<number | undefined> {
    if (step === '1D' || !this.#feed.steps.includes('1D')) return undefined
    const { store, series } = this.#deps
    const key = { series, source: this.#feed.source, step: '1D' } as const
    return (await store.range(key, { fromMs: -Infinity, toMs: beforeMs, limit: 1 }))[0]?.timeMs
  }

  /** Whether candles are missing between two spans of timestamps. */
  #isHole(step: HistoryStep, gap: TimeSpan): boolean {
    return coveredTime(step, this.#sessionClass, { [step]: [gap] }).some((time) => hasTrading(this.#sessionClass, time))
  }

  /** First timestamp of the newest gapless candles. */
  #newestRunOf(step: HistoryStep, spans: readonly TimeSpan[]): number {
    const index = spans.findLastIndex((span, at) => at === 0 || this.#isHole(step, { fromMs: spans[at - 1]?.toMs ?? 0, toMs: span.fromMs }))
    return spans[index]?.fromMs ?? this.#newestMs()
  }

  #newestRunMs(spans: readonly TimeSpan[]): number {
    return coveredSince(this.#sessionClass, spans.at(-1)?.toMs ?? this.#newestMs(), spans)
  }

  /** Since when a timeframe has no gap, and the steps that reach as far. */
  async #extendable(timeframe: Timeframe): Promise<{ sinceMs: number; steps: readonly HistoryStep[] }> {
    const steps = usableSteps(timeframe, this.#sessionClass).filter((step) => this.#feed.steps.includes(step))
    const spans = await Promise.all(steps.map(async (step) => [step, await this.#spansOf(step)] as const))
    const covered = new Map(spans.map(([step, known]) => [step, coveredTime(step, this.#sessionClass, { [step]: known })]))
    const all = [...covered.values()].flat().reduce<TimeSpan[]>(addSpan, [])
    if (all.length === 0) return { sinceMs: Infinity, steps }
    const sinceMs = this.#newestRunMs(all)
    // A finer step extends the chart only if it already starts as early as the others.
    return { sinceMs, steps: steps.filter((step, index) => index === 0 || this.#newestRunMs(covered.get(step) ?? []) <= sinceMs) }
  }
}

async function firstThat<Item>(items: readonly Item[], holds: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await holds(item)) return true
  return false
}

/** Range of one request for older candles of a timeframe. */
function widthOf(step: HistoryStep, timeframe: Timeframe): number {
  const minutes = stepMinutesOf(timeframe) ?? Infinity
  if (minutes < 60 || stepMs[step] >= hourMs) return chunkMs[step]
  return Math.max(chunkMs[step], minutes === Infinity ? longChunkMs.days : longChunkMs.intraday)
}

/** The newest uncovered trading span before an instant, of its session or the last one before. */
function missingBefore(sessionClass: SessionClass, beforeMs: number, covered: readonly TimeSpan[]): TimeSpan | undefined {
  const session = [...sessionsBetween(sessionClass, { fromMs: beforeMs - lookBackMs, toMs: beforeMs })].at(-1)
  if (session === undefined) return undefined
  const span = { fromMs: session.openMs, toMs: Math.min(session.closeMs, beforeMs) }
  return tradingGaps(sessionClass, span, covered).at(-1)
}
