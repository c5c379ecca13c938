// Keeps the stored history of one series and source whole: the newest candles, older ones on demand, and holes of former times.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { addSpan, intersectSpans, type TimeSpan } from '#shared/base/time-spans.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import { dateOf, dayOf } from '#shared/market/sessions/days.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { coveredSince, hasTrading, sessionsBetween } from '#shared/market/sessions/trading-time.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { stepMs, type FeedClock, type HistoryStep } from '../feed.ts'
import { candleEdge, coveredTime, stepEndMs, stepsOfClass, usableSteps } from '../history-steps.ts'
import type { CandleStore } from '../store/candle-store.ts'
import { coveredRuns } from '../store/covered-runs.ts'
import type { Candidate } from './series-plan.ts'
import { lastSessionFiller } from './last-session.ts'
import type { StoreWriter } from './store-writer.ts'

/** What a source is asked for when a series is first looked at. */
export const depthMs: Readonly<Record<HistoryStep, number>> = {
  '1m': 5 * dayMs,
  '5m': 15 * dayMs,
  '15m': 40 * dayMs,
  '30m': 60 * dayMs,
  '1h': 365 * dayMs,
  '4h': 2 * 365 * dayMs,
  '1D': 5 * 365 * dayMs,
}
/** What one request for older candles brings. */
const chunkMs: Readonly<Record<HistoryStep, number>> = {
  '1m': 4 * dayMs,
  '5m': 20 * dayMs,
  '15m': 60 * dayMs,
  '30m': 90 * dayMs,
  '1h': 180 * dayMs,
  '4h': 720 * dayMs,
  '1D': 5 * 365 * dayMs,
}
/** Where long candles have to be made of short ones, more of these is needed for a page. */
const longChunkMs = { intraday: 30 * dayMs, days: 92 * dayMs }
/** A stretch without candles may be a long closure, so more is asked for before a source counts as exhausted. */
const wideningFactors = [1, 4]
/** A file costs nothing to ask, and may have ended years ago. */
const wideningFactorsOfFile = [1, 4, 16, 64, 256, 1_024, 4_096]
/** Stretches of one request for older candles, at most. */
const stretchesMax = 4
const settleMs = 2 * minuteMs

export interface HistoryFillerDeps {
  readonly series: string
  readonly candidate: Candidate
  readonly store: CandleStore
  readonly writer: Pick<StoreWriter, 'write'>
  readonly clock: FeedClock
  readonly signal: AbortSignal
  /** Candles came between stored ones: what was read before has a hole. */
  readonly onHoleFilled?: () => void
}

export interface HistoryFiller {
  /** Steps that `refresh` keeps up to date, coarsest first. */
  readonly steps: readonly HistoryStep[]
  /** Stores what is newer than what is stored of a step. */
  refresh(step: HistoryStep): Promise<void>
  /** Stores candles before those that a timeframe has now, back to `beforeMs` if possible; resolves to whether any stretch came. */
  extend(timeframe: Timeframe, beforeMs: number): Promise<boolean>
  /** Stores minutes of the newest session that `history` of the source has no longer; resolves to whether any came. */
  fillLastSession(): Promise<boolean>
  /** Asks for one stretch that is missing between stored ones; resolves to whether there was one. */
  repair(): Promise<boolean>
}

/** Whether candles before and after a span are stored. */
interface Neighbours {
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export function historyFiller(deps: HistoryFillerDeps): HistoryFiller {
  const { series, candidate, store, writer, clock, signal, onHoleFilled } = deps
  const fillLastSession = lastSessionFiller(deps)
  const { feed, symbol, sessionClass, label } = candidate
  const { source } = feed
  /** A gap in a file is nothing that a provider has promised to be quiet. */
  const isFile = source === 'csv'
  const classSteps = stepsOfClass(sessionClass).filter((step) => feed.steps.includes(step))
  const exhausted = new Set<HistoryStep>()
  const running = new Map<HistoryStep, Promise<boolean>>()
  /** Holes that were asked for, which are asked for no more even if they are not closed by what came. */
  const asked = new Set<string>()
  const nameOf = (step: HistoryStep, { fromMs, toMs }: TimeSpan): string => `${step} ${fromMs} ${toMs}`
  /** The newest that the candidate's licence lets out. */
  const newestMs = (): number => clock.now() - label.delayMinutes * minuteMs
  const spansOf = async (step: HistoryStep): Promise<readonly TimeSpan[]> => (await store.coverage({ series, source }))[step] ?? []
  const reachedMs = (step: HistoryStep): number => clock.now() - (feed.reachMs?.[step] ?? Infinity)

  /** Asks for a span and stores what came; resolves to the span that is covered now, null for none. */
  async function fetchSpan(step: HistoryStep, { fromMs, toMs }: TimeSpan, { hasOlder, hasNewer }: Neighbours): Promise<TimeSpan | null> {
    if (fromMs >= toMs) return null
    const firstMs = firstStamp(step, sessionClass, Math.max(fromMs, reachedMs(step)))
    const settledMs = settledUntil(step, sessionClass, newestMs() - (feed.settleMs ?? settleMs))
    const candles = await feed.history({ symbol, step, fromMs, toMs, signal })
    const [first, last] = [candles[0], candles.at(-1)]
    // Before its very first candle a source has no quiet times, but nothing.
    const beginMs = hasOlder ? firstMs : Math.max(firstMs, first?.timeMs ?? Infinity)
    const lastEndMs =
      last === undefined ? -Infinity : step === '1D' ? last.timeMs + dayMs : candleEdge(step, sessionClass, last.timeMs + 1, 'up')
    // A source without a stream, such as a file, may have more later.
    const quietEndMs = feed.live === 'none' ? -Infinity : Math.min(toMs, settledMs)
    const endMs = hasNewer ? toMs : Math.max(quietEndMs, lastEndMs)
    const covered = beginMs < endMs ? { fromMs: beginMs, toMs: endMs } : null
    const key = { series, source, step }
    const runs = covered === null ? [] : isFile ? intersectSpans(coveredRuns(step, sessionClass, candles), [covered]) : [covered]
    await writer.write(key, candles, runs[0] ?? null)
    for (const run of runs.slice(1)) await writer.write(key, [], run)
    if (runs.length > 0 && hasOlder && hasNewer) onHoleFilled?.()
    return runs[0] ?? null
  }

  async function refresh(step: HistoryStep): Promise<void> {
    const spans = await spansOf(step)
    const untilMs = newestMs()
    const fromMs = spans.at(-1)?.toMs ?? alignedStart(step, sessionClass, untilMs - depthMs[step])
    if (settledUntil(step, sessionClass, untilMs) <= fromMs) return
    await fetchSpan(step, { fromMs: Math.max(fromMs, reachedMs(step)), toMs: untilMs }, { hasOlder: spans.length > 0, hasNewer: false })
  }

  /** Whether a stretch came before the newest that is stored without a hole. */
  function extendStep(step: HistoryStep, widthMs: number): Promise<boolean> {
    const asked = running.get(step) ?? extendOnce(step, widthMs).finally(() => running.delete(step))
    running.set(step, asked)
    return asked
  }

  async function extendOnce(step: HistoryStep, widthMs: number): Promise<boolean> {
    const spans = await spansOf(step)
    // What is missing between rows of a file does not come by asking again.
    const toMs = spans[0] === undefined ? newestMs() : isFile ? spans[0].fromMs : newestRunOf(step, spans)
    const older = spans.findLast((span) => span.toMs < toMs)
    const oldestMs = Math.max(older?.toMs ?? 0, reachedMs(step))
    for (const factor of feed.live === 'none' ? wideningFactorsOfFile : wideningFactors) {
      const fromMs = Math.max(oldestMs, alignedStart(step, sessionClass, toMs - widthMs * factor))
      if (fromMs >= toMs) break
      if ((await fetchSpan(step, { fromMs, toMs }, { hasOlder: older !== undefined, hasNewer: spans.length > 0 })) !== null) return true
    }
    exhausted.add(step)
    return false
  }

  /** Whether candles are missing between two spans of stamps. */
  function isHole(step: HistoryStep, gap: TimeSpan): boolean {
    return coveredTime(step, sessionClass, { [step]: [gap] }).some((time) => hasTrading(sessionClass, time))
  }

  /** First stamp of the newest candles without a hole. */
  function newestRunOf(step: HistoryStep, spans: readonly TimeSpan[]): number {
    const index = spans.findLastIndex((span, at) => at === 0 || isHole(step, { fromMs: spans[at - 1]?.toMs ?? 0, toMs: span.fromMs }))
    return spans[index]?.fromMs ?? newestMs()
  }

  const newestRunMs = (spans: readonly TimeSpan[]): number => coveredSince(sessionClass, spans.at(-1)?.toMs ?? newestMs(), spans)

  /** Since when a timeframe has no hole, and the steps that reach as far. */
  async function extendable(timeframe: Timeframe): Promise<{ sinceMs: number; steps: readonly HistoryStep[] }> {
    const coverage = await store.coverage({ series, source })
    const steps = usableSteps(timeframe, sessionClass).filter((step) => feed.steps.includes(step))
    const covered = new Map(steps.map((step) => [step, coveredTime(step, sessionClass, coverage)]))
    const all = [...covered.values()].flat().reduce<TimeSpan[]>(addSpan, [])
    if (all.length === 0) return { sinceMs: Infinity, steps }
    const sinceMs = newestRunMs(all)
    // A finer step makes the chart longer only where it already begins as early as the others.
    return { sinceMs, steps: steps.filter((step, index) => index === 0 || newestRunMs(covered.get(step) ?? []) <= sinceMs) }
  }

  async function extend(timeframe: Timeframe, beforeMs: number): Promise<boolean> {
    let hasCome = false
    for (let stretch = 0; stretch < stretchesMax; stretch += 1) {
      const { sinceMs, steps } = await extendable(timeframe)
      if (hasCome && sinceMs < beforeMs) return true
      const came = await firstThat(
        steps.filter((step) => !exhausted.has(step)),
        (step) => extendStep(step, widthOf(step, timeframe)),
      )
      if (!came) return hasCome || (steps.includes('1m') && (await fillLastSession()))
      hasCome = true
    }
    return hasCome
  }

  async function repair(): Promise<boolean> {
    for (const step of classSteps) {
      const spans = await spansOf(step)
      const holes = spans.slice(1).map((span, index) => ({ fromMs: spans[index]?.toMs ?? 0, toMs: span.fromMs }))
      const isOpen = (hole: TimeSpan): boolean =>
        !asked.has(nameOf(step, hole)) && hole.toMs > reachedMs(step) + stepMs[step] && isHole(step, hole)
      const newest = holes.findLast(isOpen)
      if (newest === undefined) continue
      // Holes beside each other are asked for at once.
      const fromMs = holes.find((hole) => hole.toMs > newest.toMs - chunkMs[step] && isOpen(hole))?.fromMs ?? newest.fromMs
      await fetchSpan(
        step,
        { fromMs: Math.max(fromMs, newest.toMs - chunkMs[step], reachedMs(step)), toMs: newest.toMs },
        { hasOlder: true, hasNewer: true },
      )
      for (const hole of holes) if (hole.fromMs >= fromMs && hole.toMs <= newest.toMs) asked.add(nameOf(step, hole))
      asked.add(nameOf(step, newest))
      return true
    }
    return false
  }

  return { steps: classSteps, refresh, extend, fillLastSession, repair }
}

async function firstThat<Item>(items: readonly Item[], holds: (item: Item) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await holds(item)) return true
  return false
}

function widthOf(step: HistoryStep, timeframe: Timeframe): number {
  const minutes = stepMinutesOf(timeframe) ?? Infinity
  if (minutes < 60 || stepMs[step] >= hourMs) return chunkMs[step]
  return Math.max(chunkMs[step], minutes === Infinity ? longChunkMs.days : longChunkMs.intraday)
}

/** Start of a session, or for long candles of a month, at an instant or before, so that no candle begins in the middle. */
export function alignedStart(step: HistoryStep, sessionClass: SessionClass, ms: number): number {
  const day = Math.max(0, Math.floor(ms / dayMs))
  if (stepMs[step] < hourMs) return calendarOf(sessionClass).sessionAt(ms)?.openMs ?? ms
  const monthDay = dayOf(`${dateOf(day).slice(0, 7)}-01`)
  if (step === '1D') return monthDay * dayMs
  const month = { fromMs: monthDay * dayMs, toMs: (monthDay + 31) * dayMs }
  for (const session of sessionsBetween(sessionClass, month)) if (session.date >= dateOf(monthDay)) return Math.min(ms, session.openMs)
  return month.fromMs
}

/** First stamp at an instant or later. Days are stamped with their date, which may lie inside their session. */
function firstStamp(step: HistoryStep, sessionClass: SessionClass, ms: number): number {
  return step === '1D' ? Math.ceil(ms / dayMs) * dayMs : candleEdge(step, sessionClass, ms, 'up')
}

/** Up to which stamp the candles of a step are over for sure at an instant. */
function settledUntil(step: HistoryStep, sessionClass: SessionClass, ms: number): number {
  if (step !== '1D') return candleEdge(step, sessionClass, ms, 'down')
  for (let day = Math.floor(ms / dayMs) + 1; day >= 0; day -= 1)
    if (calendarOf(sessionClass).sessionOn(dateOf(day)) !== null && stepEndMs('1D', day * dayMs, sessionClass) <= ms)
      return (day + 1) * dayMs
  return 0
}
