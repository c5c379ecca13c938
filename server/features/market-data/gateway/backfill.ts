// Keeps the stored history of one series and source complete: the newest candles, older ones on demand, and old gaps.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { addSpan, intersectSpans, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { coveredSince, hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { stepMs, type Feed, type FeedClock, type HistoryStep, type RejectedRow } from '../feed.ts'
import { alignedStart, candleEdge, coveredTime, firstStamp, settledUntil, stepsOfClass, usableSteps } from '../history-steps.ts'
import type { CandleStore } from '../store/candle-store.ts'
import { coveredRuns } from '../store/covered-runs.ts'
import { isDue, type RejectedRows, type RejectedSpan } from '../store/rejected-rows.ts'
import { chunkMs, depthMs, stretchesMax, wideningFactors, wideningFactorsOfFile, widthOf } from './history-ranges.ts'
import type { Candidate } from './source-plan.ts'
import { lastSessionFiller } from './last-session.ts'
import type { StoreWriter } from './store-writer.ts'

const settleMs = 2 * minuteMs

export interface HistoryFillerDeps {
  readonly series: string
  readonly candidate: Candidate
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

export class HistoryFiller {
  readonly #deps: HistoryFillerDeps
  /** Stores minutes of the newest session that the source's `history` no longer has; resolves to whether there were any. */
  readonly fillLastSession: () => Promise<boolean>
  readonly #feed: Feed
  readonly #sessionClass: SessionClass
  /** A gap in a file does not prove a quiet market. */
  readonly #isFile: boolean
  /** Steps that `refresh` keeps up to date, coarsest first. */
  readonly steps: readonly HistoryStep[]
  readonly #exhausted = new Set<HistoryStep>()
  readonly #running = new Map<HistoryStep, Promise<boolean>>()
  /** Requested gaps, which are not requested again even if they are still open. */
  readonly #asked = new Set<string>()

  constructor(deps: HistoryFillerDeps) {
    this.#deps = deps
    this.fillLastSession = lastSessionFiller(deps)
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
    let hasCome = false
    for (let stretch = 0; stretch < stretchesMax; stretch += 1) {
      const { sinceMs, steps } = await this.#extendable(timeframe)
      if (hasCome && sinceMs < beforeMs) return true
      const came = await firstThat(
        steps.filter((step) => !this.#exhausted.has(step)),
        (step) => this.#extendStep(step, widthOf(step, timeframe)),
      )
      if (!came) return hasCome || (steps.includes('1m') && (await this.fillLastSession()))
      hasCome = true
    }
    return hasCome
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
        (!this.#asked.has(this.#nameOf(step, hole)) || intersectSpans([hole], due).length > 0) &&
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
      for (const hole of holes) if (hole.fromMs >= fromMs && hole.toMs <= newest.toMs) this.#asked.add(this.#nameOf(step, hole))
      this.#asked.add(this.#nameOf(step, newest))
      return true
    }
    return false
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
    const key = { series: this.#deps.series, source: this.#feed.source, step }
    const all = covered === null ? [] : [covered]
    const known = this.#isFile ? intersectSpans(coveredRuns(step, this.#sessionClass, candles), all) : all
    const holes = rejected.map(({ span }) => span)
    const runs = subtractSpans(known, holes)
    await this.#deps.writer.write(key, candles, runs)
    const settled = await this.#deps.rejectedRows.note(key, { fromMs, toMs }, rejected)
    if (settled.length > 0) await this.#deps.writer.write(key, [], settled)
    if (runs.length + settled.length > 0 && hasOlder && hasNewer) this.#deps.onHoleFilled?.()
    return runs[0] ?? holes[0] ?? null
  }

  /** Whether a range before the newest gapless candles was loaded. */
  #extendStep(step: HistoryStep, widthMs: number): Promise<boolean> {
    const asked = this.#running.get(step) ?? this.#extendOnce(step, widthMs).finally(() => this.#running.delete(step))
    this.#running.set(step, asked)
    return asked
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
