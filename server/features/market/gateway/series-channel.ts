// One followed series in the hub: its last minutes, its numbers, its condition, and the way of closed candles into the store.
import { minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { liveText } from '#shared/text/en/live.ts'
import { feedErrorText, type FeedClock, type FeedLog } from '../feed.ts'
import type { StatedMinute } from '../follow/follow-port.ts'
import { followSeries } from '../follow/series-follower.ts'
import { recentMinutes } from '../recent-minutes.ts'
import type { CandleStore } from '../store/candle-store.ts'
import type { AdjustmentChecks } from './adjustment-check.ts'
import type { HubBus, SeriesCondition, SeriesState } from './bus.ts'
import { alignedStart, depthMs, historyFiller, type HistoryFiller } from './history-filler.ts'
import { historyUpkeep } from './history-upkeep.ts'
import type { Candidate, SeriesPlan } from './series-plan.ts'
import { storeWriter } from './store-writer.ts'

/** Updates of one series are at least so far apart. */
const conflateMs = 250
/** Live charts read a filled hole after this long. */
const replacedWithinMs = 15_000
/** Minutes that a late listener gets; closed ones are stored long before they leave. */
const recentMinutesMax = 180
/** A source that pushes says something every two seconds; one that is asked, every minute. A look each second makes it five. */
const staleAfterMs = { minutes: 4_000, trades: 15_000, poll: 150_000, none: Number.POSITIVE_INFINITY } as const
/** Speaks of minutes, but only when somebody trades. */
const staleAfterMsOfKraken = minuteMs

export interface ChannelNeeds {
  readonly series: string
  readonly plan: SeriesPlan
  readonly bus: HubBus
  readonly store: CandleStore
  readonly checks: AdjustmentChecks
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly newEpoch: () => string
}

export interface SeriesChannel {
  condition(): SeriesCondition
  /** Since the present source last said something new, in milliseconds. */
  ageMs(): number | undefined
  /** Says the state once more, without a new number. */
  repeat(): void
  /** Stores older candles of a timeframe; resolves to whether any came. */
  extend(timeframe: Timeframe, beforeMs: number): Promise<boolean>
  close(): Promise<void>
}

export function seriesChannel(needs: ChannelNeeds): SeriesChannel {
  const { series, plan, bus, store, clock, log } = needs
  const writer = storeWriter({ store, clock, log })
  const recent = recentMinutes(recentMinutesMax)
  const dirty = new Set<number>()
  const extending = new Map<Timeframe, Promise<boolean>>()
  const stopped = new AbortController()
  let active: { readonly candidate: Candidate; readonly filler: HistoryFiller | undefined } | undefined
  let hasBegun = false
  let heardMs: number | undefined
  let condition: SeriesCondition = {
    source: null,
    label: null,
    sessionClass: plan.sessionClass,
    isStale: false,
    reason: plan.candidates.length === 0 ? plan.skipped : liveText.starting,
  }
  let epoch = needs.newEpoch()
  let seq = 0
  let publishedMs = Number.NEGATIVE_INFINITY
  let cancelFlush: (() => void) | undefined
  let cancelRefresh: () => void = () => undefined
  let cancelReplaced: (() => void) | undefined
  /** Minutes before this instant are missing for now, and do not belong to the recent ones. */
  let gapMs: number | undefined
  /** Prices wait until what came before them is stored: a chart that loads now reads it from there. */
  let storing: Promise<void> | undefined

  const stateOf = (minutes: readonly Candle[]): SeriesState => ({ series, epoch, seq, minutes, condition })

  function repeat(): void {
    bus.publish(stateOf(recent.list()), stateOf([]))
  }

  function flush(): void {
    cancelFlush = undefined
    if (dirty.size === 0) return repeat()
    const changed = [...dirty].toSorted((one, other) => one - other).flatMap((timeMs) => recent.get(timeMs) ?? [])
    dirty.clear()
    seq += 1
    publishedMs = clock.monotonic()
    bus.publish(stateOf(recent.list()), stateOf(changed))
  }

  function flushSoon(): void {
    if (storing !== undefined) return
    cancelFlush ??= clock.after(Math.max(0, publishedMs + conflateMs - clock.monotonic()), flush)
  }

  function change(next: Partial<SeriesCondition>): void {
    condition = { ...condition, ...next }
    repeat()
  }

  function begin(candidate: Candidate | undefined, reason: string | null): void {
    const filler =
      candidate === undefined || candidate.feed.source === 'demo'
        ? undefined
        : historyFiller({ series, candidate, store, writer, clock, signal: stopped.signal, onHoleFilled: replacedSoon })
    active = candidate === undefined ? undefined : { candidate, filler }
    cancelRefresh()
    gapMs = undefined
    heardMs = undefined
    restart()
    condition = {
      source: candidate?.feed.source ?? null,
      label: candidate?.label ?? null,
      sessionClass: candidate?.sessionClass ?? plan.sessionClass,
      isStale: false,
      reason,
    }
    // Its first minutes follow at once, and belong into the same news.
    flushSoon()
    if (candidate !== undefined && filler !== undefined)
      cancelRefresh = historyUpkeep({ ...needs, candidate, filler, signal: stopped.signal, onReplaced: replaced })
  }

  /** What was told until now is replaced by what follows. */
  function restart(): void {
    epoch = needs.newEpoch()
    seq = 0
    recent.clear()
    dirty.clear()
  }

  function take(updates: readonly StatedMinute[], covered: readonly TimeSpan[]): void {
    const source = active?.candidate.feed.source
    if (source === undefined) return
    if (updates.length > 0) heardMs = clock.monotonic()
    const closed = updates.filter(({ isClosed }) => isClosed).map(({ candle }) => candle)
    if (source !== 'demo') writer.add({ series, source, step: '1m' }, closed, covered)
    const kept = updates.flatMap(({ candle }) => (gapMs !== undefined && candle.timeMs < gapMs ? [] : [candle]))
    for (const { timeMs } of kept) dirty.add(timeMs)
    if (recent.add(kept)) {
      for (const timeMs of dirty) if (recent.get(timeMs) === undefined) dirty.delete(timeMs)
      if (source !== 'demo' && updates.length > recentMinutesMax) storeFirst()
    }
    flushSoon()
  }

  function storeFirst(): void {
    cancelFlush?.()
    cancelFlush = undefined
    storing = writer.flush().finally(() => {
      storing = undefined
      if (!stopped.signal.aborted) flushSoon()
    })
  }

  /** A hole before what follows, or the end of one: either way charts begin anew. */
  function gap(untilMs: number | undefined): void {
    gapMs = untilMs
    restart()
    storeFirst()
  }

  /** Holes are often filled one after the other, and each new beginning costs every chart a snapshot. */
  function replacedSoon(): void {
    cancelReplaced ??= clock.after(replacedWithinMs, replaced)
  }

  /** Live charts read everything again when stored candles were replaced. */
  function replaced(): void {
    cancelReplaced?.()
    cancelReplaced = undefined
    epoch = needs.newEpoch()
    seq = 0
    repeat()
  }

  const stopFollowing = followSeries(
    {
      series,
      sessionClass: plan.sessionClass,
      candidates: plan.candidates.map((candidate) => ({
        ...candidate,
        staleAfterMs: candidate.feed.source === 'kraken' ? staleAfterMsOfKraken : staleAfterMs[candidate.feed.live],
      })),
      clock,
      log,
      backfillMinutes: (clock.now() - alignedStart('1m', plan.sessionClass, clock.now() - depthMs['1m'])) / minuteMs,
      storedUntilMs: async (source) => (await store.coverage({ series, source }))['1m']?.at(-1)?.toMs,
    },
    {
      source(chosen, blame) {
        const reason = plan.candidates.length === 0 ? plan.skipped : blame
        const candidate = chosen === null ? undefined : plan.candidates[chosen.index]
        if (candidate === active?.candidate && hasBegun) change({ reason })
        else begin(candidate, reason)
        hasBegun = true
      },
      minutes: take,
      gap,
      stale: (isStale) => change({ isStale }),
    },
  )
  repeat()

  return {
    condition: () => condition,
    ageMs: () => (heardMs === undefined ? undefined : clock.monotonic() - heardMs),
    repeat,
    extend(timeframe, beforeMs) {
      const filler = active?.filler
      if (filler === undefined) return Promise.resolve(false)
      const running = extending.get(timeframe)
      if (running !== undefined) return running
      const asked = filler
        .extend(timeframe, beforeMs)
        .catch((error: unknown) => {
          log('older history is missing', { series, timeframe, reason: feedErrorText(error) })
          return false
        })
        .finally(() => extending.delete(timeframe))
      extending.set(timeframe, asked)
      return asked
    },
    async close() {
      stopFollowing()
      stopped.abort()
      cancelFlush?.()
      cancelReplaced?.()
      cancelRefresh()
      await writer.close()
    },
  }
}
