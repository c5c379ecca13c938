// One series as a web process sees it: its condition, its last minutes, and its topics, always in step with the hub.
import { adjusterOf, type PriceAdjuster } from '#shared/market/adjustment.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import type { LiveCondition } from '#shared/market/live.ts'
import { snapshotMax } from '#shared/market/live.ts'
import { liveText } from '#shared/text/en/live.ts'
import type { SeriesCondition, SeriesUpdate } from '../gateway/bus.ts'
import { candleTopic, type CandleTopic } from './candle-topic.ts'
import { mender, type Mending } from './mend-truncated.ts'
import { storedReader, type StoredStart } from './stored-reader.ts'
import { recentMinutes } from '../recent-minutes.ts'
import type { SeriesView, TopicListener, TopicName, ViewNeeds } from './series-view-port.ts'

/** Minutes that a topic is made from together with the store. */
const recentMinutesMax = 240

interface Seat {
  readonly name: TopicName
  readonly listeners: Set<TopicListener>
  topic: CandleTopic | undefined
  loading: number
  readonly mending: Mending
}

export function seriesView(needs: ViewNeeds): SeriesView {
  const { series, bus, history, clock, onError } = needs
  const recent = recentMinutes(recentMinutesMax)
  const reader = storedReader({ series, history, recent })
  const seats = new Map<string, Seat>()
  const waiting = new Set<() => void>()
  let epoch = ''
  let seq = 0
  let idleSinceMs = clock.monotonic()
  let base: SeriesCondition | undefined
  let isHubAway = false
  let isClosed = false
  let mustReadAgain = false
  let reading: Promise<void> | undefined
  const release = bus.want(series)
  const mend = mender(clock, onError)

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

  /** Generated prices are never adjusted. */
  const adjusterNow = ({ name: { adjustment } }: Seat): PriceAdjuster | undefined =>
    base === undefined || base.source === 'demo'
      ? undefined
      : adjusterOf({ series, adjustment, sessionClass: base.sessionClass, nowMs: clock.now() })

  /** On an ex-date all earlier candles change. */
  function readjust(): void {
    for (const seat of seats.values())
      if (seat.topic !== undefined && seat.topic.adjustmentKey !== adjusterNow(seat)?.key) {
        seat.topic = undefined
        void load(seat)
      }
  }

  /** Takes a state or an update of another epoch as the new beginning. */
  function begin(state: SeriesUpdate): void {
    if (epoch !== '') reader.recheck()
    epoch = state.epoch
    seq = state.seq
    recent.clear()
    recent.add(state.minutes)
    settleCondition(state.condition)
    for (const seat of seats.values()) {
      seat.topic = undefined
      void load(seat)
    }
  }

  function apply(minutes: readonly Candle[], nextSeq: number): void {
    seq = nextSeq
    recent.add(minutes)
    for (const seat of seats.values()) {
      const { topic } = seat
      if (topic === undefined) continue
      const before = topic.seq
      const changed = topic.apply(minutes, nextSeq)
      if (changed === 'late') void load(seat)
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
    const newestMs = recent.newestMs()
    if (state.epoch !== epoch || (state.seq > seq && newestMs < oldestMs)) return begin(state)
    if (state.seq < seq) return
    settleCondition(state.condition)
    if (state.seq > seq) apply(state.minutes, state.seq)
  }

  function update(next: SeriesUpdate): void {
    readjust()
    const isKnown = next.epoch === epoch
    if (isKnown && next.seq === seq + 1) {
      settleCondition(next.condition)
      apply(next.minutes, next.seq)
    } else if (isKnown && next.seq === seq && next.minutes.length === 0) settleCondition(next.condition)
    else if (!isKnown || next.seq > seq) void read()
    for (const seat of seats.values())
      mend(
        seat,
        () => stored(seat, 1),
        () => load(seat),
      )
  }

  /** The candles before the minutes that are at hand, and these minutes. */
  async function stored({ name }: Seat, limit: number): Promise<StoredStart | undefined> {
    if (base === undefined || base.source === null) return undefined
    return await reader.read({ source: base.source, sessionClass: base.sessionClass, ...name, limit })
  }

  async function load(seat: Seat): Promise<void> {
    seat.loading += 1
    const turn = seat.loading
    const isCurrent = () => !isClosed && seat.loading === turn
    const sessionClass = base?.sessionClass
    const adjuster = adjusterNow(seat)
    try {
      const found = await stored(seat, snapshotMax)
      if (found !== undefined && sessionClass !== undefined) {
        if (!isCurrent()) return
        const topic = candleTopic({ ...found, timeframe: seat.name.timeframe, sessionClass, adjuster }, seq)
        topic.apply(found.minutes, seq)
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
    watch(name, listener) {
      const id = idOf(name)
      const seat = seats.get(id) ?? {
        name,
        listeners: new Set<TopicListener>(),
        topic: undefined,
        loading: 0,
        mending: { dueMs: 0, pauseMs: 0 },
      }
      const isNew = !seats.has(id)
      seats.set(id, seat)
      seat.listeners.add(listener)
      if (isNew && base !== undefined) void load(seat)
      return () => {
        seat.listeners.delete(listener)
        idleSinceMs = clock.monotonic()
      }
    },
    look: (name) => ({ epoch, condition: condition(), topic: seats.get(idOf(name))?.topic }),
    idleSinceMs: () => ([...seats.values()].some((seat) => seat.listeners.size > 0) ? undefined : idleSinceMs),
    forgetIdle() {
      for (const [id, seat] of seats) if (seat.listeners.size === 0) seats.delete(id)
    },
    close() {
      isClosed = true
      stopListening()
      release()
    },
  }
}

function idOf({ timeframe, adjustment }: TopicName): string {
  return `${timeframe} ${adjustment}`
}
