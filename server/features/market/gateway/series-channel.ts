// One followed series in the hub: its last minutes, its numbers, its condition, and the way of closed candles into the store.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { liveText } from '#shared/text/en/live.ts'
import { FeedError, type FeedClock, type FeedLog, type HistoryStep } from '../feed.ts'
import { followSeries } from '../follow/series-follower.ts'
import type { CandleStore } from '../store/candle-store.ts'
import type { HubBus, SeriesCondition, SeriesState } from './bus.ts'
import type { Candidate, SeriesPlan } from './series-plan.ts'
import { storeWriter } from './store-writer.ts'

/** Updates of one series are at least so far apart. */
const conflateMs = 250
/** Minutes that a late listener gets; closed ones are stored long before they leave. */
const recentMinutesMax = 180
/** What a source is asked for when somebody first looks at a series. */
const depthMs: Readonly<Record<HistoryStep, number>> = { '1m': 5 * dayMs, '1h': 365 * dayMs, '1D': 5 * 365 * dayMs }
/** What one wish for older candles brings. */
const chunkMs: Readonly<Record<HistoryStep, number>> = { '1m': 4 * dayMs, '1h': 180 * dayMs, '1D': 5 * 365 * dayMs }
const refreshMs = hourMs
/** A source that pushes says something every two seconds; one that is asked, every minute. A look each second makes it five. */
const staleAfterMs = { minutes: 4_000, trades: 15_000, poll: 150_000, none: Number.POSITIVE_INFINITY } as const
/** Speaks of minutes, but only when somebody trades. */
const staleAfterMsOfKraken = minuteMs

export interface ChannelNeeds {
  readonly series: string
  readonly plan: SeriesPlan
  readonly bus: HubBus
  readonly store: CandleStore
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly newEpoch: () => string
}

export interface SeriesChannel {
  condition(): SeriesCondition
  /** Says the state once more, without a new number. */
  repeat(): void
  /** Stores older candles of a step; resolves to whether any came. */
  extend(step: HistoryStep, beforeMs: number): Promise<boolean>
  close(): Promise<void>
}

export function seriesChannel(needs: ChannelNeeds): SeriesChannel {
  const { series, plan, bus, store, clock, log } = needs
  const writer = storeWriter({ store, clock, log })
  const recent = new Map<number, Candle>()
  const dirty = new Set<number>()
  const exhausted = new Set<HistoryStep>()
  const extending = new Map<HistoryStep, Promise<boolean>>()
  const stopped = new AbortController()
  let active: Candidate | undefined
  let hasBegun = false
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

  const stateOf = (minutes: readonly Candle[]): SeriesState => ({ series, epoch, seq, minutes, condition })
  const recentMinutes = (): Candle[] => [...recent.values()].toSorted((one, other) => one.timeMs - other.timeMs)

  function repeat(): void {
    bus.publish(stateOf(recentMinutes()), stateOf([]))
  }

  function flush(): void {
    cancelFlush = undefined
    if (dirty.size === 0) return repeat()
    const changed = [...dirty].toSorted((one, other) => one - other).flatMap((timeMs) => recent.get(timeMs) ?? [])
    dirty.clear()
    seq += 1
    publishedMs = clock.now()
    bus.publish(stateOf(recentMinutes()), stateOf(changed))
  }

  function flushSoon(): void {
    cancelFlush ??= clock.after(Math.max(0, publishedMs + conflateMs - clock.now()), flush)
  }

  function change(next: Partial<SeriesCondition>): void {
    condition = { ...condition, ...next }
    repeat()
  }

  function begin(candidate: Candidate | undefined, reason: string | null): void {
    active = candidate
    cancelRefresh()
    epoch = needs.newEpoch()
    seq = 0
    recent.clear()
    dirty.clear()
    exhausted.clear()
    condition = {
      source: candidate?.feed.source ?? null,
      label: candidate?.label ?? null,
      sessionClass: candidate?.sessionClass ?? plan.sessionClass,
      isStale: false,
      reason,
    }
    // Its first minutes follow at once, and belong into the same news.
    flushSoon()
    if (candidate !== undefined) void refresh(candidate)
  }

  function take(updates: readonly { readonly candle: Candle; readonly isClosed: boolean }[]): void {
    const source = active?.feed.source
    if (source === undefined) return
    const closed = updates.filter(({ isClosed }) => isClosed).map(({ candle }) => candle)
    if (source !== 'demo' && closed.length > 0) writer.add({ series, source, step: '1m' }, closed)
    for (const { candle } of updates) {
      recent.set(candle.timeMs, candle)
      dirty.add(candle.timeMs)
    }
    if (recent.size > recentMinutesMax) forgetOldest()
    flushSoon()
  }

  function forgetOldest(): void {
    const stamps = [...recent.keys()].toSorted((one, other) => one - other)
    for (const timeMs of stamps.slice(0, stamps.length - recentMinutesMax)) {
      recent.delete(timeMs)
      dirty.delete(timeMs)
    }
  }

  /** The newest that the candidate's licence lets out. */
  const newestMs = ({ label }: Candidate): number => clock.now() - label.delayMinutes * minuteMs

  /** Fetches the hours and days since the last that are stored, now and every hour. */
  async function refresh(candidate: Candidate): Promise<void> {
    const { feed, symbol } = candidate
    if (feed.source === 'demo') return
    const untilMs = newestMs(candidate)
    // Minutes of the present are the follower's; where only old ones may be shown it never hears of them.
    const steps: readonly HistoryStep[] = untilMs < clock.now() - dayMs ? ['1D', '1h', '1m'] : ['1D', '1h']
    for (const step of steps) {
      if (!feed.steps.includes(step)) continue
      const key = { series, source: feed.source, step }
      try {
        const stored = await store.bounds(key)
        const fromMs = stored === undefined ? untilMs - depthMs[step] : stored.lastMs + 1
        await writer.write(key, await feed.history({ symbol, step, fromMs, toMs: untilMs, signal: stopped.signal }))
      } catch (error) {
        if (!stopped.signal.aborted) log('history is missing', { series, source: feed.source, step, reason: reasonOf(error) })
      }
    }
    if (active === candidate && !stopped.signal.aborted) cancelRefresh = clock.after(refreshMs, () => void refresh(candidate))
  }

  async function fetchOlder(candidate: Candidate, step: HistoryStep, beforeMs: number): Promise<boolean> {
    const { feed, symbol } = candidate
    const toMs = Math.min(beforeMs, newestMs(candidate))
    const candles = await feed.history({ symbol, step, fromMs: toMs - chunkMs[step], toMs, signal: stopped.signal })
    if (candles.length === 0) exhausted.add(step)
    else await writer.write({ series, source: feed.source, step }, candles)
    return candles.length > 0
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
      backfillMinutes: depthMs['1m'] / minuteMs,
      lastStoredMs: async (source) => (await store.bounds({ series, source, step: '1m' }))?.lastMs,
    },
    {
      source(chosen, blame) {
        const reason = plan.candidates.length === 0 ? plan.skipped : blame
        const candidate = chosen === null ? undefined : plan.candidates[chosen.index]
        if (candidate === active && hasBegun) change({ reason })
        else begin(candidate, reason)
        hasBegun = true
      },
      minutes: take,
      stale: (isStale) => change({ isStale }),
    },
  )
  repeat()

  return {
    condition: () => condition,
    repeat,
    extend(step, beforeMs) {
      const candidate = active
      if (candidate === undefined || candidate.feed.source === 'demo' || exhausted.has(step) || !candidate.feed.steps.includes(step))
        return Promise.resolve(false)
      const running = extending.get(step)
      if (running !== undefined) return running
      const asked = fetchOlder(candidate, step, beforeMs)
        .catch((error: unknown) => {
          log('older history is missing', { series, source: candidate.feed.source, step, reason: reasonOf(error) })
          return false
        })
        .finally(() => extending.delete(step))
      extending.set(step, asked)
      return asked
    },
    async close() {
      stopFollowing()
      stopped.abort()
      cancelFlush?.()
      cancelRefresh()
      await writer.close()
    },
  }
}

function reasonOf(error: unknown): string {
  return error instanceof FeedError ? `${error.kind}: ${error.message}` : String(error)
}
