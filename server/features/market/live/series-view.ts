// One series as a web process sees it: its condition, its last minutes, and its topics, always in step with the hub.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import { snapshotMax } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { liveText } from '#shared/text/en/live.ts'
import type { FeedClock, SourceName } from '../feed.ts'
import type { MarketBus, SeriesCondition, SeriesUpdate } from '../gateway/bus.ts'
import type { CandleHistory } from '../history/candle-history.ts'
import { candleTopic, type CandleTopic } from './candle-topic.ts'

/** Minutes that a topic can be made from together with the store. */
const recentMax = 240

export interface TopicListener {
  /** All anew: at first, and whenever the source or the past has changed. */
  reset(): void
  /** Candles that changed, from number `p` to `q`. */
  changed(candles: readonly Candle[], p: number, q: number): void
  condition(condition: LiveCondition): void
}

export interface TopicView {
  readonly epoch: string
  readonly condition: LiveCondition
  /** Undefined while there is no source, or while it loads. */
  readonly topic: CandleTopic | undefined
}

export interface SeriesView {
  /** Present source and condition; waits for the first word of the hub, but not long. */
  known(): Promise<{ readonly source: SourceName | null; readonly condition: LiveCondition }>
  watch(timeframe: Timeframe, listener: TopicListener): () => void
  look(timeframe: Timeframe): TopicView
  /** Since when nobody watches, epoch milliseconds; undefined while somebody does. */
  idleSinceMs(): number | undefined
  /** Stops keeping timeframes that nobody watches. */
  forgetIdle(): void
  close(): void
}

export interface ViewNeeds {
  readonly series: string
  readonly bus: MarketBus
  readonly history: CandleHistory
  readonly clock: FeedClock
  readonly onError: (error: unknown) => void
  /** How long `known` waits for a source. */
  readonly patienceMs: number
}

interface Seat {
  readonly listeners: Set<TopicListener>
  topic: CandleTopic | undefined
  loading: number
}

export function seriesView(needs: ViewNeeds): SeriesView {
  const { series, bus, history, clock, onError } = needs
  const recent = new Map<number, Candle>()
  const seats = new Map<Timeframe, Seat>()
  const waiting = new Set<() => void>()
  let epoch = ''
  let seq = 0
  let idleSinceMs = clock.now()
  let base: SeriesCondition | undefined
  let isHubAway = false
  let isClosed = false
  let mustReadAgain = false
  let reading: Promise<void> | undefined
  const release = bus.want(series)

  const isSettled = (): boolean => base !== undefined && (base.source !== null || base.reason !== liveText.starting)

  const condition = (): LiveCondition => {
    if (base === undefined)
      return { label: null, sessionClass: 'crypto', isStale: isHubAway, reason: isHubAway ? liveText.hubAway : liveText.starting }
    const { label, sessionClass, isStale, reason } = base
    return { label, sessionClass, isStale: isStale || isHubAway, reason: isHubAway ? liveText.hubAway : reason }
  }

  function each(tell: (listener: TopicListener, seat: Seat) => void): void {
    for (const seat of seats.values()) for (const listener of seat.listeners) tell(listener, seat)
  }

  function settleCondition(next: SeriesCondition): void {
    const before = JSON.stringify(condition())
    base = next
    if (JSON.stringify(condition()) === before) return
    for (const resume of waiting) resume()
    each((listener) => listener.condition(condition()))
  }

  function keep(minutes: readonly Candle[]): void {
    for (const minute of minutes) recent.set(minute.timeMs, minute)
    if (recent.size <= recentMax) return
    const stamps = [...recent.keys()].toSorted((one, other) => one - other)
    for (const timeMs of stamps.slice(0, stamps.length - recentMax)) recent.delete(timeMs)
  }

  const recentMinutes = (): Candle[] => [...recent.values()].toSorted((one, other) => one.timeMs - other.timeMs)

  /** Takes a state or an update of another epoch as the new beginning. */
  function begin(state: SeriesUpdate): void {
    epoch = state.epoch
    seq = state.seq
    recent.clear()
    keep(state.minutes)
    settleCondition(state.condition)
    for (const [timeframe, seat] of seats) {
      seat.topic = undefined
      void load(timeframe, seat)
    }
  }

  function apply(minutes: readonly Candle[], nextSeq: number): void {
    seq = nextSeq
    keep(minutes)
    for (const [timeframe, seat] of seats) {
      const { topic } = seat
      if (topic === undefined) continue
      const before = topic.seq
      const changed = topic.apply(minutes, nextSeq)
      if (changed === 'late') void load(timeframe, seat)
      else if (changed.length > 0) for (const listener of seat.listeners) listener.changed(changed, before, nextSeq)
    }
  }

  /** Reads the state again; what is missing comes from its minutes, or everything begins anew. */
  function read(): Promise<void> {
    if (reading !== undefined) {
      mustReadAgain = true
      return reading
    }
    mustReadAgain = false
    reading = bus
      .state(series)
      .then((state) => {
        if (state !== undefined && !isClosed) catchUp(state)
      })
      .catch(onError)
      .finally(() => {
        reading = undefined
        if (mustReadAgain && !isClosed) void read()
      })
    return reading
  }

  function catchUp(state: SeriesUpdate): void {
    const oldestMs = state.minutes[0]?.timeMs ?? Number.POSITIVE_INFINITY
    const newestMs = Math.max(...recent.keys())
    if (state.epoch !== epoch || (state.seq > seq && newestMs < oldestMs)) return begin(state)
    if (state.seq < seq) return
    settleCondition(state.condition)
    if (state.seq > seq) apply(state.minutes, state.seq)
  }

  function update(next: SeriesUpdate): void {
    const isKnown = next.epoch === epoch
    if (isKnown && next.seq === seq + 1) {
      settleCondition(next.condition)
      apply(next.minutes, next.seq)
    } else if (isKnown && next.seq === seq && next.minutes.length === 0) settleCondition(next.condition)
    else if (!isKnown || next.seq > seq) void read()
  }

  async function load(timeframe: Timeframe, seat: Seat): Promise<void> {
    seat.loading += 1
    const turn = seat.loading
    const source = base?.source ?? null
    const isCurrent = () => !isClosed && seat.loading === turn
    try {
      if (source !== null && base !== undefined) {
        const { sessionClass } = base
        const untilMs = recentMinutes()[0]?.timeMs ?? clock.now()
        const found = await history.candles({
          series,
          source,
          sessionClass,
          timeframe,
          toMs: Number.MAX_SAFE_INTEGER,
          asOfMs: untilMs,
          limit: snapshotMax,
        })
        if (!isCurrent()) return
        const topic = candleTopic({ ...found, timeframe, sessionClass, untilMs }, seq)
        topic.apply(recentMinutes(), seq)
        seat.topic = topic
      }
    } catch (error) {
      onError(error)
    }
    // While the hub still looks for a source there is nothing to say; whoever waits is told in the end.
    if (isCurrent() && isSettled()) for (const listener of seat.listeners) listener.reset()
  }

  const stopListening = bus.listen(series, {
    update,
    lost: () => void read(),
    away(isAway) {
      isHubAway = isAway
      each((listener) => listener.condition(condition()))
      if (!isAway) void read()
    },
  })
  void read()

  return {
    async known() {
      if (!isSettled())
        await new Promise<void>((resolve) => {
          const leave = (): void => {
            cancel()
            waiting.delete(check)
            resolve()
          }
          const check = (): void => {
            if (isSettled()) leave()
          }
          const cancel = clock.after(needs.patienceMs, leave)
          waiting.add(check)
        })
      return { source: base?.source ?? null, condition: condition() }
    },
    watch(timeframe, listener) {
      const seat = seats.get(timeframe) ?? { listeners: new Set<TopicListener>(), topic: undefined, loading: 0 }
      const isNew = !seats.has(timeframe)
      seats.set(timeframe, seat)
      seat.listeners.add(listener)
      if (isNew && base !== undefined) void load(timeframe, seat)
      return () => {
        seat.listeners.delete(listener)
        idleSinceMs = clock.now()
      }
    },
    look: (timeframe) => ({ epoch, condition: condition(), topic: seats.get(timeframe)?.topic }),
    idleSinceMs: () => ([...seats.values()].some((seat) => seat.listeners.size > 0) ? undefined : idleSinceMs),
    forgetIdle() {
      for (const [timeframe, seat] of seats) if (seat.listeners.size === 0) seats.delete(timeframe)
    },
    close() {
      isClosed = true
      stopListening()
      release()
    },
  }
}
