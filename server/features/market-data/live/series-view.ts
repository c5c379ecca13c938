// One series in a web process: its condition, last minutes and topics, in sync with the hub.
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { adjusterOf, type PriceAdjuster } from '#shared/candles/price-adjuster.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { snapshotMax, type LiveCondition } from '#shared/market-data/live/contract.ts'
import { liveServerText, liveText } from '#shared/market-data/text/en.ts'
import type { FeedClock } from '../feed.ts'
import type { MarketBus, SeriesCondition, SeriesUpdate } from '../gateway/market-bus.ts'
import type { CandleHistory } from '../history/candle-history.ts'
import type { MarketSources, ShownSource } from '../history/candles-service.ts'
import { MinuteBuffer } from '../minute-buffer.ts'
import { repeat } from '../real-clock.ts'
import { CandleTopic, type TopicName } from './candle-topic.ts'
import { storedReader, type StoredReader, type StoredStart } from './stored-reader.ts'

export interface TopicListener {
  /** All candles changed: initially, and when the source or history has changed. */
  reset(): void
  /** Candles that changed, from number `p` to `q`. */
  changed(candles: readonly Candle[], p: number, q: number): void
  condition(condition: LiveCondition): void
}

export interface TopicState {
  readonly epoch: string
  readonly condition: LiveCondition
  /** Undefined while there is no source, or while loading. */
  readonly topic: CandleTopic | undefined
  /** The store failed; candles that were sent before stay valid as old ones until it answers. */
  readonly isUnreadable: boolean
}

export interface SeriesViewsOptions {
  readonly bus: MarketBus
  readonly history: Pick<CandleHistory, 'candles' | 'recheck'>
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
}

export interface SeriesViewOptions extends SeriesViewsOptions {
  readonly series: string
  /** Timeout of `whenKnown`, and of a load: then the candles are shown as old. */
  readonly timeoutMs: number
}

/** One timeframe and adjustment, with its listeners. */
interface ViewedTopic {
  readonly name: TopicName
  readonly listeners: Set<TopicListener>
  topic: CandleTopic | undefined
  /** Number of loads; an older one that ends later is ignored. */
  loading: number
  /** Consecutive loads that failed or take long. */
  failures: number
  /** Cancels the timeout of a load; set until one has ended. */
  cancelTimeout: (() => void) | undefined
  /** When truncated candles are checked next, on the monotonic clock, and how often they were checked before. */
  checkDueMs: number
  checks: number
}

/** Minutes that a topic is built from together with the store. */
const recentMinutesMax = 240
/** After a failed read of the store. */
const retryLimits = { firstMs: secondMs, maxMs: 5 * secondMs }
/** Between checks whether more of a truncated candle is stored. */
const checkLimits = { firstMs: secondMs, maxMs: 10 * minuteMs }

/** Before the hub's first message. */
const starting = { label: null, sessionClass: 'crypto', isStale: false, reason: liveText.starting } as const

export class SeriesView {
  readonly #options: SeriesViewOptions
  readonly #recent = new MinuteBuffer<Candle>(recentMinutesMax)
  readonly #reader: StoredReader
  readonly #topics = new Map<string, ViewedTopic>()
  readonly #waiting = new Set<() => void>()
  #epoch = ''
  #seq = 0
  #idleSinceMs: number
  #base: SeriesCondition | undefined
  #isHubAway = false
  #isClosed = false
  #isReading = false
  #isReadRequested = false
  readonly #stops: readonly (() => void)[]

  constructor(options: SeriesViewOptions) {
    this.#options = options
    this.#reader = storedReader({ series: options.series, history: options.history, recent: this.#recent })
    this.#idleSinceMs = options.clock.monotonic()
    const release = options.bus.request(options.series)
    const stopListening = options.bus.subscribe(options.series, {
      update: (next) => this.#update(next),
      lost: () => void this.#read(),
      away: (isAway) => {
        this.#isHubAway = isAway
        this.#each((listener) => listener.condition(this.#condition()))
        if (!isAway) void this.#read()
      },
    })
    this.#stops = [stopListening, release]
    void this.#read()
  }

  /** Current source and condition; waits briefly for the hub's first message. */
  async whenKnown(): Promise<{ readonly source: SeriesCondition['source']; readonly condition: LiveCondition }> {
    if (!this.#isSettled()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = this.#options.clock.after(this.#options.timeoutMs, resolve)
      this.#waiting.add(resolve)
      await promise
      this.#waiting.delete(resolve)
      cancel()
    }
    return { source: this.#base?.source ?? null, condition: this.#condition() }
  }

  /** Loads the candles for the first listener; until the returned function is called. */
  subscribe(name: TopicName, listener: TopicListener): () => void {
    const id = idOfTopic(name)
    const isNew = !this.#topics.has(id)
    const viewed = this.#topics.get(id) ?? viewedTopic(name)
    this.#topics.set(id, viewed)
    viewed.listeners.add(listener)
    if (isNew && this.#base !== undefined) void this.#load(viewed)
    return () => {
      viewed.listeners.delete(listener)
      this.#idleSinceMs = this.#options.clock.monotonic()
    }
  }

  topicState(name: TopicName): TopicState {
    const viewed = this.#topics.get(idOfTopic(name))
    return { epoch: this.#epoch, condition: this.#condition(), topic: viewed?.topic, isUnreadable: (viewed?.failures ?? 0) > 0 }
  }

  /** Since when there are no subscribers, on the monotonic clock; undefined while there are. */
  idleSinceMs(): number | undefined {
    return [...this.#topics.values()].some((viewed) => viewed.listeners.size > 0) ? undefined : this.#idleSinceMs
  }

  /** Drops timeframes without subscribers. */
  forgetIdle(): void {
    for (const [id, viewed] of this.#topics) if (viewed.listeners.size === 0) this.#topics.delete(id)
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    for (const viewed of this.#topics.values()) viewed.cancelTimeout?.()
  }

  #isSettled(): boolean {
    return this.#base !== undefined && (this.#base.source !== null || this.#base.reason !== liveText.starting)
  }

  #condition(): LiveCondition {
    const { label, sessionClass, isStale, reason } = this.#base ?? starting
    const isUnreadable = [...this.#topics.values()].some(({ failures }) => failures > 0)
    const problem = this.#isHubAway ? liveServerText.hubAway : isUnreadable ? liveServerText.unreadable : undefined
    return { label, sessionClass, isStale: isStale || problem !== undefined, reason: problem ?? reason }
  }

  #each(notify: (listener: TopicListener, viewed: ViewedTopic) => void): void {
    for (const viewed of this.#topics.values()) for (const listener of viewed.listeners) notify(listener, viewed)
  }

  #settleCondition(next: SeriesCondition): void {
    this.#notifyOf(() => (this.#base = next))
  }

  /** Notifies the listeners if `change` changes the condition. */
  #notifyOf(change: () => void): void {
    const before = JSON.stringify(this.#condition())
    change()
    if (JSON.stringify(this.#condition()) === before) return
    if (this.#isSettled()) for (const resume of this.#waiting) resume()
    this.#each((listener) => listener.condition(this.#condition()))
  }

  /** Generated prices are never adjusted. */
  #adjusterNow({ name: { adjustment } }: ViewedTopic): PriceAdjuster | undefined {
    return this.#base === undefined || this.#base.source === 'demo'
      ? undefined
      : adjusterOf({ series: this.#options.series, adjustment, sessionClass: this.#base.sessionClass, nowMs: this.#options.clock.now() })
  }

  #putRecent(minutes: readonly Candle[]): void {
    for (const minute of minutes) this.#recent.put(minute.timeMs, minute)
    this.#recent.trim()
  }

  /** Starts over from a state or an update of another epoch. */
  #begin(state: SeriesUpdate): void {
    if (this.#epoch !== '') this.#reader.recheck()
    this.#epoch = state.epoch
    this.#seq = state.seq
    this.#recent.clear()
    this.#putRecent(state.minutes)
    this.#settleCondition(state.condition)
    for (const viewed of this.#topics.values()) this.#reload(viewed)
  }

  #apply(minutes: readonly Candle[], nextSeq: number): void {
    this.#seq = nextSeq
    this.#putRecent(minutes)
    for (const viewed of this.#topics.values()) {
      const { topic } = viewed
      if (topic === undefined) continue
      const before = topic.seq
      const changed = topic.apply(minutes, nextSeq)
      if (changed === 'late') void this.#load(viewed)
      else if (changed.length > 0) for (const listener of viewed.listeners) listener.changed(changed, before, nextSeq)
    }
  }

  /** Reads the state again and applies its missed minutes, or starts over. A call during a read repeats it once. */
  async #read(): Promise<void> {
    this.#isReadRequested = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isReadRequested && !this.#isClosed) {
      this.#isReadRequested = false
      try {
        const state = await this.#options.bus.state(this.#options.series)
        if (state !== undefined && !this.#isClosed) this.#catchUp(state)
      } catch (error) {
        this.#options.onError(error)
      }
    }
    this.#isReading = false
  }

  #catchUp(state: SeriesUpdate): void {
    const oldestMs = state.minutes[0]?.timeMs ?? Number.POSITIVE_INFINITY
    if (state.epoch !== this.#epoch || (state.seq > this.#seq && this.#recent.newestMs < oldestMs)) return this.#begin(state)
    if (state.seq < this.#seq) return
    this.#settleCondition(state.condition)
    if (state.seq > this.#seq) this.#apply(state.minutes, state.seq)
  }

  #update(next: SeriesUpdate): void {
    // On an ex-date all earlier candles change.
    for (const viewed of this.#topics.values())
      if (viewed.topic !== undefined && viewed.topic.start.adjuster?.key !== this.#adjusterNow(viewed)?.key) this.#reload(viewed)
    const isKnown = next.epoch === this.#epoch
    if (isKnown && next.seq === this.#seq + 1) {
      this.#settleCondition(next.condition)
      this.#apply(next.minutes, next.seq)
    } else if (isKnown && next.seq === this.#seq && next.minutes.length === 0) this.#settleCondition(next.condition)
    else if (!isKnown || next.seq > this.#seq) void this.#read()
    for (const viewed of this.#topics.values()) this.#checkTruncated(viewed).catch(this.#options.onError)
  }

  /** Reloads candles that were truncated when they were read, as soon as their start is stored. */
  async #checkTruncated(viewed: ViewedTopic): Promise<void> {
    const { clock } = this.#options
    const { topic } = viewed
    if (topic?.isTruncated !== true || clock.monotonic() < viewed.checkDueMs) return
    viewed.checkDueMs = clock.monotonic() + backOffDelayMs(viewed.checks, checkLimits, clock.random())
    viewed.checks += 1
    const found = await this.#stored(viewed, 1)
    if (viewed.topic === topic && (found?.wholeSinceMs ?? Infinity) < topic.start.wholeSinceMs) await this.#load(viewed)
  }

  /** The candles before the minutes in memory, and these minutes. */
  async #stored({ name }: ViewedTopic, limit: number): Promise<StoredStart | undefined> {
    if (this.#base === undefined || this.#base.source === null) return undefined
    return await this.#reader.read({ source: this.#base.source, sessionClass: this.#base.sessionClass, ...name, limit })
  }

  #reload(viewed: ViewedTopic): void {
    viewed.topic = undefined
    void this.#load(viewed)
  }

  async #load(viewed: ViewedTopic): Promise<void> {
    viewed.loading += 1
    const turn = viewed.loading
    // Subscribers have old prices, or none, until a load has ended, however often it starts over.
    viewed.cancelTimeout ??= this.#options.clock.after(this.#options.timeoutMs, () => this.#notifyOf(() => (viewed.failures += 1)))
    const isCurrent = () => !this.#isClosed && viewed.loading === turn && this.#topics.get(idOfTopic(viewed.name)) === viewed
    const sessionClass = this.#base?.sessionClass
    const adjuster = this.#adjusterNow(viewed)
    try {
      const found = await this.#stored(viewed, snapshotMax)
      if (found !== undefined && sessionClass !== undefined) {
        if (!isCurrent()) return
        const topic = new CandleTopic({ ...found, timeframe: viewed.name.timeframe, sessionClass, adjuster }, this.#seq)
        topic.apply(found.minutes, this.#seq)
        viewed.topic = topic
      }
      if (isCurrent()) this.#notifyOf(() => settleLoad(viewed, 0))
    } catch (error) {
      this.#options.onError(error)
      if (isCurrent()) this.#retry(viewed, isCurrent)
    }
    // Nothing to report while the hub looks for a source; subscribers are notified afterwards.
    if (isCurrent() && this.#isSettled()) for (const listener of viewed.listeners) listener.reset()
  }

  #retry(viewed: ViewedTopic, isCurrent: () => boolean): void {
    const { clock } = this.#options
    clock.after(backOffDelayMs(viewed.failures, retryLimits, clock.random()), () => {
      if (isCurrent()) void this.#load(viewed)
    })
    this.#notifyOf(() => settleLoad(viewed, viewed.failures + 1))
  }
}

function viewedTopic(name: TopicName): ViewedTopic {
  return { name, listeners: new Set(), topic: undefined, loading: 0, failures: 0, cancelTimeout: undefined, checkDueMs: 0, checks: 0 }
}

function settleLoad(viewed: ViewedTopic, failures: number): void {
  viewed.cancelTimeout?.()
  viewed.cancelTimeout = undefined
  viewed.failures = failures
}

function idOfTopic({ timeframe, adjustment }: TopicName): string {
  return `${timeframe} ${adjustment}`
}

/** How long a view is kept after its last request. */
const idleTimeoutMs = 30_000
const roundMs = 10_000
/** Timeout of the first state of a series without subscribers. */
const timeoutMs = 4_000

/** The series views of this process: opened on the first request, kept for a while after the last. */
export class SeriesViews implements MarketSources {
  readonly #options: SeriesViewsOptions
  readonly #views = new Map<string, { readonly view: SeriesView; usedMs: number }>()
  readonly #stopRounds: () => void

  constructor(options: SeriesViewsOptions) {
    this.#options = options
    this.#stopRounds = repeat(options.clock, roundMs, () => this.#closeIdle())
  }

  open(series: string): SeriesView {
    const entry = this.#views.get(series) ?? { view: new SeriesView({ ...this.#options, series, timeoutMs }), usedMs: 0 }
    entry.usedMs = this.#options.clock.monotonic()
    this.#views.set(series, entry)
    return entry.view
  }

  /** The conditions of the open series views, the same in every timeframe; opens none. */
  conditions(): ReadonlyMap<string, LiveCondition> {
    return new Map(
      [...this.#views].map(([series, { view }]) => [series, view.topicState({ timeframe: '1', adjustment: 'none' }).condition]),
    )
  }

  async sourceOf(series: string): Promise<ShownSource> {
    const { source, condition } = await this.open(series).whenKnown()
    return { source, label: condition.label, sessionClass: condition.sessionClass, reason: condition.reason }
  }

  close(): Promise<void> {
    this.#stopRounds()
    for (const { view } of this.#views.values()) view.close()
    this.#views.clear()
    return this.#options.bus.close()
  }

  #closeIdle(): void {
    for (const [series, { view, usedMs }] of this.#views) {
      const idleSinceMs = view.idleSinceMs()
      if (idleSinceMs === undefined || this.#options.clock.monotonic() - Math.max(idleSinceMs, usedMs) < idleTimeoutMs) view.forgetIdle()
      else {
        this.#views.delete(series)
        view.close()
      }
    }
  }
}
