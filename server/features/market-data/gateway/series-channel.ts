// One followed series in the hub: its last minutes, sequence numbers and condition, and the storage of closed candles.
import { minuteMs } from '#shared/base/durations.ts'
import { subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { liveText } from '#shared/market-data/text/en.ts'
import { feedErrorText, type FeedClock, type FeedLog, type RejectedRow, type SourceName } from '../feed.ts'
import type { FollowedMinute } from '../failover/source-minutes.ts'
import { SeriesFollower } from '../failover/series-follower.ts'
import type { CandleStore } from '../store/candle-store.ts'
import type { RejectedMessages } from '../store/rejected-messages.ts'
import type { RejectedRows } from '../store/rejected-rows.ts'
import type { AdjustmentChecks } from './check-adjustment.ts'
import type { HubBus, SeriesCondition, SeriesState } from './market-bus.ts'
import { alignedStart } from '../coverage.ts'
import { depthMs, HistoryFiller } from './history-filler.ts'
import { historyUpkeep } from './history-upkeep.ts'
import { RecentMinutes } from './recent-minutes.ts'
import { conditionOf, staleAfterMsOf, type SeriesPlan, type SeriesSource } from './series-plan.ts'
import { storeWriter, type StoreWriter } from './store-writer.ts'

/** Conflation: the minimum interval between live updates of a series. */
const conflationMs = 250
/** Delay until live charts reload after a gap was filled. */
const replacedWithinMs = 15_000

export interface SeriesChannelOptions {
  readonly series: string
  readonly plan: SeriesPlan
  readonly bus: HubBus
  readonly store: CandleStore
  readonly checks: AdjustmentChecks
  readonly rejectedRows: RejectedRows
  /** Counts live messages that cannot be used. */
  readonly rejectedMessages?: RejectedMessages | undefined
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Creates epochs; unique per process and call. */
  readonly newEpoch: () => string
}

export class SeriesChannel {
  readonly #options: SeriesChannelOptions
  readonly #writer: StoreWriter
  readonly #recent: RecentMinutes
  readonly #extending = new Map<Timeframe, Promise<boolean>>()
  readonly #stopped = new AbortController()
  #active: { readonly candidate: SeriesSource; readonly filler: HistoryFiller | undefined } | undefined
  #hasBegun = false
  #receivedMs: number | undefined
  #condition: SeriesCondition
  #publishedMs = Number.NEGATIVE_INFINITY
  #cancelFlush: (() => void) | undefined
  #cancelRefresh: () => void = () => undefined
  #cancelReplaced: (() => void) | undefined
  /** Prices wait until earlier minutes are stored: a chart that loads now reads them from the store. */
  #storing: Promise<void> | undefined
  readonly #follower: SeriesFollower

  constructor(options: SeriesChannelOptions) {
    this.#options = options
    this.#writer = storeWriter({ store: options.store, clock: options.clock, log: options.log })
    this.#condition = conditionOf(options.plan, undefined, options.plan.candidates.length === 0 ? options.plan.skipped : liveText.starting)
    this.#recent = new RecentMinutes(options.newEpoch)
    this.#follower = new SeriesFollower(
      {
        series: options.series,
        sessionClass: options.plan.sessionClass,
        candidates: options.plan.candidates.map((candidate) => ({
          ...candidate,
          staleAfterMs: staleAfterMsOf(candidate.feed),
        })),
        clock: options.clock,
        log: options.log,
        backfillMinutes:
          (options.clock.now() - alignedStart('1m', options.plan.sessionClass, options.clock.now() - depthMs['1m'])) / minuteMs,
        onRejected: (source, issue) => options.rejectedMessages?.add({ series: options.series, source, issue, count: 1 }),
        onResponse: (source, requested, rejected) => void this.#noteRejected(source, requested, rejected),
        storedUntilMs: async (source) => (await options.store.coverage({ series: options.series, source }))['1m']?.at(-1)?.toMs,
      },
      {
        source: (chosen, blame) => {
          const reason = options.plan.candidates.length === 0 ? options.plan.skipped : blame
          const candidate = chosen === null ? undefined : options.plan.candidates[chosen.index]
          if (candidate === this.#active?.candidate && this.#hasBegun) this.#change({ reason })
          else this.#begin(candidate, reason)
          this.#hasBegun = true
        },
        minutes: (updates, covered) => this.#take(updates, covered),
        gap: (untilMs) => this.#gap(untilMs),
        stale: (isStale) => this.#change({ isStale }),
      },
    )
    this.repeat()
  }

  condition(): SeriesCondition {
    return this.#condition
  }

  /** Milliseconds since the current source's last update. */
  ageMs(): number | undefined {
    return this.#receivedMs === undefined ? undefined : this.#options.clock.monotonic() - this.#receivedMs
  }

  /** Publishes the state again, without a new number. */
  repeat(): void {
    this.#options.bus.publish(this.#stateOf(this.#recent.buffer.values()), this.#stateOf([]))
  }

  /** Backfills older candles of a timeframe; resolves to whether there were any. */
  extend(timeframe: Timeframe, beforeMs: number): Promise<boolean> {
    const filler = this.#active?.filler
    if (filler === undefined) return Promise.resolve(false)
    const running = this.#extending.get(timeframe)
    if (running !== undefined) return running
    const extending = filler
      .extend(timeframe, beforeMs)
      .catch((error: unknown) => {
        this.#options.log('older history is missing', { series: this.#options.series, timeframe, reason: feedErrorText(error) })
        return false
      })
      .finally(() => this.#extending.delete(timeframe))
    this.#extending.set(timeframe, extending)
    return extending
  }

  /**
   * Makes live charts read stored candles again within 15 seconds: gaps are often filled in sequence, and each restart
   * sends every chart a snapshot.
   */
  replacedSoon(): void {
    this.#cancelReplaced ??= this.#options.clock.after(replacedWithinMs, () => this.#replaced())
  }

  async close(): Promise<void> {
    this.#follower.stop()
    this.#stopped.abort()
    this.#cancelFlush?.()
    this.#cancelReplaced?.()
    this.#cancelRefresh()
    await this.#writer.close()
  }

  #stateOf(minutes: readonly Candle[]): SeriesState {
    return { series: this.#options.series, epoch: this.#recent.epoch, seq: this.#recent.seq, minutes, condition: this.#condition }
  }

  #flush(): void {
    this.#cancelFlush = undefined
    const changed = this.#recent.changes()
    if (changed.length === 0) return this.repeat()
    this.#publishedMs = this.#options.clock.monotonic()
    this.#options.bus.publish(this.#stateOf(this.#recent.buffer.values()), this.#stateOf(changed))
  }

  #flushSoon(): void {
    if (this.#storing !== undefined) return
    const waitMs = Math.max(0, this.#publishedMs + conflationMs - this.#options.clock.monotonic())
    this.#cancelFlush ??= this.#options.clock.after(waitMs, () => this.#flush())
  }

  #change(next: Partial<SeriesCondition>): void {
    this.#condition = { ...this.#condition, ...next }
    this.repeat()
  }

  #begin(candidate: SeriesSource | undefined, reason: string | null): void {
    const filler =
      candidate === undefined || candidate.feed.source === 'demo'
        ? undefined
        : new HistoryFiller({
            series: this.#options.series,
            candidate,
            store: this.#options.store,
            rejectedRows: this.#options.rejectedRows,
            writer: this.#writer,
            clock: this.#options.clock,
            signal: this.#stopped.signal,
            onHoleFilled: () => this.replacedSoon(),
          })
    this.#active = candidate === undefined ? undefined : { candidate, filler }
    this.#cancelRefresh()
    this.#receivedMs = undefined
    this.#recent.restart()
    this.#condition = conditionOf(this.#options.plan, candidate, reason)
    // Its first minutes follow immediately, in the same update.
    this.#flushSoon()
    if (candidate !== undefined && filler !== undefined)
      this.#cancelRefresh = historyUpkeep({
        ...this.#options,
        candidate,
        filler,
        signal: this.#stopped.signal,
        onReplaced: () => void this.#replaced(),
      })
  }

  #take(updates: readonly FollowedMinute[], covered: readonly TimeSpan[]): void {
    const source = this.#active?.candidate.feed.source
    if (source === undefined) return
    if (updates.length > 0) this.#receivedMs = this.#options.clock.monotonic()
    const closed = updates.filter(({ isClosed }) => isClosed).map(({ candle }) => candle)
    if (source !== 'demo') this.#writer.add({ series: this.#options.series, source, step: '1m' }, closed, covered)
    const isLong = this.#recent.take(
      source,
      updates.map(({ candle }) => candle),
    )
    if (isLong && source !== 'demo') this.#storeFirst()
    this.#flushSoon()
  }

  /** Notes the rejected rows of a response about minutes; the recent ones start after those that stay unknown. */
  async #noteRejected(source: SourceName, requested: TimeSpan, rejected: readonly RejectedRow[]): Promise<void> {
    if (source === 'demo') return
    const { series, rejectedRows, log } = this.#options
    if (rejected.length > 0) log('rows of history refused', { series, source, rows: rejected.length, issue: rejected[0]?.issue })
    let unknown: readonly TimeSpan[] = rejected.map(({ span }) => span)
    try {
      const key = { series, source, step: '1m' } as const
      const settled = await rejectedRows.note(key, requested, rejected)
      this.#writer.add(key, [], settled)
      unknown = subtractSpans(unknown, settled)
    } catch (error) {
      // The span stays a hole, which is requested again.
      log('refused rows are not noted', { series, source, reason: feedErrorText(error) })
    }
    if (this.#recent.skipUntil(source, unknown.at(-1)?.toMs, source === this.#active?.candidate.feed.source)) this.#storeFirst()
  }

  #storeFirst(): void {
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    this.#storing = this.#writer.flush().finally(() => {
      this.#storing = undefined
      if (!this.#stopped.signal.aborted) this.#flushSoon()
    })
  }

  /** A gap before the following minutes, or its end: charts start over in both cases. */
  #gap(untilMs: number | undefined): void {
    this.#recent.restart(untilMs)
    this.#storeFirst()
  }

  /** Live charts reload when stored candles were replaced. */
  async #replaced(): Promise<void> {
    this.#cancelReplaced?.()
    this.#cancelReplaced = undefined
    await this.#rereadMinutes()
    if (this.#stopped.signal.aborted) return
    this.#recent.renewEpoch()
    this.repeat()
  }
  /** Corrects the recent minutes by the stored ones; never rejects: without the store they stay as they are. */
  async #rereadMinutes(): Promise<void> {
    const { series, store, log } = this.#options
    const source = this.#active?.candidate.feed.source
    if (source === undefined || source === 'demo') return
    const recent = this.#recent.buffer
    try {
      // It may still have recent minutes.
      await this.#writer.flush()
      const known = new Map(recent.values().map((minute) => [minute.timeMs, minute]))
      const [firstMs = Infinity] = known.keys()
      const stored = await store.range({ series, source, step: '1m' }, { fromMs: firstMs, toMs: Infinity })
      // Another source may have taken over meanwhile.
      if (![...known].some(([timeMs, minute]) => recent.get(timeMs) === minute)) return
      // A minute that changed meanwhile is newer than the stored one.
      for (const minute of stored) if (recent.get(minute.timeMs) === known.get(minute.timeMs)) recent.put(minute.timeMs, minute)
      recent.trim()
    } catch (error) {
      log('minutes are not read again', { series, source, reason: feedErrorText(error) })
    }
  }
}
