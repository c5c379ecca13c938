// Keeps stored history up to date while a source is used: the newest candles every hour, then gaps between older ones.
import { OutageError } from '#server/outages/outage-error.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { feedErrorText, type FeedClock, type FeedLog } from '../feed.ts'
import { checkAdjustment, type AdjustmentCheckOptions } from './check-adjustment.ts'
import type { HistoryFiller } from './history-filler.ts'
import type { SeriesSource } from './series-plan.ts'

const refreshMs = hourMs
/** Delay between two requests for gaps. */
const repairEveryMs = 5_000
/** The database usually recovers within seconds, so do not wait for the next hour. */
const outageRetryMs = 5_000

export interface HistoryUpkeepOptions extends Omit<AdjustmentCheckOptions, 'feed' | 'symbol' | 'clock'> {
  readonly candidate: SeriesSource
  readonly filler: HistoryFiller
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Candles that charts may have read were replaced. */
  onReplaced(): void
}

/** Starts immediately and runs until the returned function is called. */
export function historyUpkeep(options: HistoryUpkeepOptions): () => void {
  const { series, candidate, filler, clock, log, signal } = options
  const { feed, symbol, label } = candidate
  const { source } = feed
  // Current minutes are stored by the follower, which does not run if only old ones may be shown.
  const isOld = label.delayMinutes * minuteMs >= dayMs
  let isOver = false
  let cancel: () => void = () => undefined

  /** Resolves to the result of the work, or undefined if it fails. */
  async function attempt<Result>(
    step: string,
    work: () => Promise<Result>,
  ): Promise<{ readonly result?: Result; readonly isOutage: boolean }> {
    try {
      return { result: await work(), isOutage: false }
    } catch (error) {
      if (!signal.aborted) log('history is missing', { series, source, step, reason: feedErrorText(error) })
      return { isOutage: error instanceof OutageError }
    }
  }

  function later(delayMs: number, work: () => Promise<void>): void {
    if (!isOver && !signal.aborted) cancel = clock.after(delayMs, work)
  }

  async function refresh(): Promise<void> {
    let isOutage = false
    for (const step of filler.steps)
      if (step !== '1m' || isOld) isOutage = (await attempt(step, () => filler.refresh(step))).isOutage || isOutage
    const { result: hasFilled = false } = await attempt('last session', () => filler.fillLastSession())
    if (hasFilled && !isOver) options.onReplaced()
    const { result: repaired = 0 } = await attempt('adjustment', () => checkAdjustment({ ...options, feed, symbol }))
    if (repaired > 0) {
      log('candles before a split were replaced', { series, source, repaired })
      if (!isOver) options.onReplaced()
    }
    later(repairEveryMs, () => repair(isOutage ? outageRetryMs : refreshMs))
  }

  async function repair(thenMs: number): Promise<void> {
    const { result: wasMissing = false } = await attempt('holes', () => filler.repair())
    later(wasMissing ? repairEveryMs : thenMs, wasMissing ? () => repair(thenMs) : refresh)
  }

  void refresh()
  return () => {
    isOver = true
    cancel()
  }
}
