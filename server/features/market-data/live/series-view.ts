// One series in a web process: its condition, last minutes and topics, in sync with the hub.
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { secondMs } from '#shared/base/durations.ts'
import { adjusterOf, type PriceAdjuster } from '#shared/candles/price-adjuster.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { snapshotMax, type LiveCondition } from '#shared/market-data/live/contract.ts'
import { liveText } from '#shared/text/en/live.ts'
import type { SeriesCondition, SeriesUpdate } from '../gateway/bus.ts'
import { CandleTopic } from './candle-topic.ts'
import { liveCondition } from './live-condition.ts'
import { mender } from './mend-truncated.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { storedReader, type StoredStart, type StoredReader } from './stored-reader.ts'
import { MinuteBuffer } from '../minute-buffer.ts'
import type { TopicListener, TopicName, ViewOptions, TopicView } from './series-view-port.ts'
import { idOf, newSeat, settle, type ViewSeat } from './view-seat.ts'

/** Minutes that a topic is built from together with the store. */
const recentMinutesMax = 240
/** After a failed read of the store. */
const retryLimits = { firstMs: secondMs, maxMs: 5 * secondMs }

export class SeriesView {
  readonly #options: ViewOptions
  readonly #recent = new MinuteBuffer<Candle>(recentMinutesMax)
  readonly #reader: StoredReader
  readonly #seats = new Map<string, ViewSeat>()
  readonly #waiting = new Set<() => void>()
  #epoch = ''
  #seq = 0
  #idleSinceMs: number
  #base: SeriesCondition | undefined
  #isHubAway = false
  #isClosed = false
  readonly #mend: ReturnType<typeof mender>
  readonly #stops: readonly (() => void)[]

  constructor(options: ViewOptions) {
    this.#options = options
    this.#reader = storedReader({ series: options.series, history: options.history, recent: this.#recent })
    this.#idleSinceMs = options.clock.monotonic()
    const release = options.bus.want(options.series)
    this.#mend = mender(options.clock, options.onError)
    const stopListening = options.bus.listen(options.series, {
      update: (next) => this.#update(next),
      lost: () => this.#read(),
      away: (isAway) => {
        this.#isHubAway = isAway
        this.#each((listener) => listener.condition(this.#condition()))
        if (!isAway) this.#read()
      },
    })
    this.#stops = [stopListening, release]
    this.#read()
  }

  /** Current source and condition; waits briefly for the hub's first message. */
  async known(): Promise<{ readonly source: SeriesCondition['source']; readonly condition: LiveCondition }> {
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

  watch(name: TopicName, listener: TopicListener): () => void {
    const id = idOf(name)
    const isNew = !this.#seats.has(id)
    const seat = this.#seats.get(id) ?? newSeat(name)
    this.#seats.set(id, seat)
    seat.listeners.add(listener)
    if (isNew && this.#base !== undefined) void this.#load(seat)
    return () => {
      seat.listeners.delete(listener)
      this.#idleSinceMs = this.#options.clock.monotonic()
    }
  }

  look(name: TopicName): TopicView {
    const seat = this.#seats.get(idOf(name))
    return { epoch: this.#epoch, condition: this.#condition(), topic: seat?.topic, isUnreadable: (seat?.failures ?? 0) > 0 }
  }

  /** Since when there are no subscribers, on the monotonic clock; undefined while there are. */
  idleSinceMs(): number | undefined {
    return [...this.#seats.values()].some((seat) => seat.listeners.size > 0) ? undefined : this.#idleSinceMs
  }

  /** Drops timeframes without subscribers. */
  forgetIdle(): void {
    for (const [id, seat] of this.#seats) if (seat.listeners.size === 0) this.#seats.delete(id)
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    for (const seat of this.#seats.values()) seat.cancelSlow?.()
  }

  #isSettled(): boolean {
    return this.#base !== undefined && (this.#base.source !== null || this.#base.reason !== liveText.starting)
  }

  #condition(): LiveCondition {
    const isUnreadable = [...this.#seats.values()].some(({ failures }) => failures > 0)
    return liveCondition(this.#base, { isHubAway: this.#isHubAway, isUnreadable })
  }

  #each(notify: (listener: TopicListener, seat: ViewSeat) => void): void {
    for (const seat of this.#seats.values()) for (const listener of seat.listeners) notify(listener, seat)
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
  #adjusterNow({ name: { adjustment } }: ViewSeat): PriceAdjuster | undefined {
    return this.#base === undefined || this.#base.source === 'demo'
      ? undefined
      : adjusterOf({ series: this.#options.series, adjustment, sessionClass: this.#base.sessionClass, nowMs: this.#options.clock.now() })
  }

  #keep(minutes: readonly Candle[]): void {
    for (const minute of minutes) this.#recent.put(minute.timeMs, minute)
    this.#recent.trim()
  }

  /** Starts over from a state or an update of another epoch. */
  #begin(state: SeriesUpdate): void {
    if (this.#epoch !== '') this.#reader.recheck()
    this.#epoch = state.epoch
    this.#seq = state.seq
    this.#recent.clear()
    this.#keep(state.minutes)
    this.#settleCondition(state.condition)
    for (const seat of this.#seats.values()) this.#reload(seat)
  }

  #apply(minutes: readonly Candle[], nextSeq: number): void {
    this.#seq = nextSeq
    this.#keep(minutes)
    for (const seat of this.#seats.values()) {
      const { topic } = seat
      if (topic === undefined) continue
      const before = topic.seq
      const changed = topic.apply(minutes, nextSeq)
      if (changed === 'late') void this.#load(seat)
      else if (changed.length > 0) for (const listener of seat.listeners) listener.changed(changed, before, nextSeq)
    }
  }

  /** Reads the state again; applies its missed minutes, or starts over. */
  readonly #read = oneAtATime(async () => {
    if (this.#isClosed) return
    try {
      const state = await this.#options.bus.state(this.#options.series)
      if (state !== undefined && !this.#isClosed) this.#catchUp(state)
    } catch (error) {
      this.#options.onError(error)
    }
  })

  #catchUp(state: SeriesUpdate): void {
    const oldestMs = state.minutes[0]?.timeMs ?? Number.POSITIVE_INFINITY
    if (state.epoch !== this.#epoch || (state.seq > this.#seq && this.#recent.newestMs < oldestMs)) return this.#begin(state)
    if (state.seq < this.#seq) return
    this.#settleCondition(state.condition)
    if (state.seq > this.#seq) this.#apply(state.minutes, state.seq)
  }

  #update(next: SeriesUpdate): void {
    // On an ex-date all earlier candles change.
    for (const seat of this.#seats.values())
      if (seat.topic !== undefined && seat.topic.adjustmentKey !== this.#adjusterNow(seat)?.key) this.#reload(seat)
    const isKnown = next.epoch === this.#epoch
    if (isKnown && next.seq === this.#seq + 1) {
      this.#settleCondition(next.condition)
      this.#apply(next.minutes, next.seq)
    } else if (isKnown && next.seq === this.#seq && next.minutes.length === 0) this.#settleCondition(next.condition)
    else if (!isKnown || next.seq > this.#seq) this.#read()
    for (const seat of this.#seats.values())
      this.#mend(
        seat,
        () => this.#stored(seat, 1),
        () => this.#load(seat),
      )
  }

  /** The candles before the minutes in memory, and these minutes. */
  async #stored({ name }: ViewSeat, limit: number): Promise<StoredStart | undefined> {
    if (this.#base === undefined || this.#base.source === null) return undefined
    return await this.#reader.read({ source: this.#base.source, sessionClass: this.#base.sessionClass, ...name, limit })
  }

  #reload(seat: ViewSeat): void {
    seat.topic = undefined
    void this.#load(seat)
  }

  async #load(seat: ViewSeat): Promise<void> {
    seat.loading += 1
    const turn = seat.loading
    // Subscribers have old prices, or none, until a load has ended, however often it starts over.
    seat.cancelSlow ??= this.#options.clock.after(this.#options.timeoutMs, () => this.#notifyOf(() => (seat.failures += 1)))
    const isCurrent = () => !this.#isClosed && seat.loading === turn && this.#seats.get(idOf(seat.name)) === seat
    const sessionClass = this.#base?.sessionClass
    const adjuster = this.#adjusterNow(seat)
    try {
      const found = await this.#stored(seat, snapshotMax)
      if (found !== undefined && sessionClass !== undefined) {
        if (!isCurrent()) return
        const topic = new CandleTopic({ ...found, timeframe: seat.name.timeframe, sessionClass, adjuster }, this.#seq)
        topic.apply(found.minutes, this.#seq)
        seat.topic = topic
      }
      if (isCurrent()) this.#notifyOf(() => settle(seat, 0))
    } catch (error) {
      this.#options.onError(error)
      if (isCurrent()) this.#retry(seat, isCurrent)
    }
    // Nothing to report while the hub looks for a source; subscribers are notified afterwards.
    if (isCurrent() && this.#isSettled()) for (const listener of seat.listeners) listener.reset()
  }

  #retry(seat: ViewSeat, isCurrent: () => boolean): void {
    const { clock } = this.#options
    clock.after(backOffDelayMs(seat.failures, retryLimits, clock.random()), () => {
      if (isCurrent()) void this.#load(seat)
    })
    this.#notifyOf(() => settle(seat, seat.failures + 1))
  }
}
