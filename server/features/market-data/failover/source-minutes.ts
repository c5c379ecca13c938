// Buffers the updates of each minute from one source's stream and history, and what has not been emitted yet.
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { areSameCandles, correctsNothing, withKnownTakers } from '#shared/candles/candle-issue.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { MinuteBuffer } from '../minute-buffer.ts'

/** Maximum delay of a minute's last update before the clock closes it. */
const closeGraceMs = 2 * secondMs
const lagMaxMs = 90_000
const startDelaysMax = 5
/** Minutes cached to distinguish duplicates from corrections. */
export const rememberedMinutes = 1_500

export interface FollowedMinute {
  readonly candle: Candle
  /** Whether the minute is closed. It is emitted again only with other values, as a correction. */
  readonly isClosed: boolean
}

interface Entry {
  readonly candle: Candle
  readonly isFinal: boolean
  readonly isClosed: boolean
  readonly updatedMs: number
  emitted: FollowedMinute | undefined
}

/** An empty buffer for one source of one series. */
export class SourceMinutes {
  readonly #entries = new MinuteBuffer<Entry>(rememberedMinutes)
  readonly #open = new Set<number>()
  readonly #closes = new BarCloseEstimator()
  #newestMs: number | undefined
  #evictedMs = Number.NEGATIVE_INFINITY
  #suspect: { fromMs: number; toMs: number } | undefined

  /** The stream updated a minute, finally or so far; a late update of a final minute is dropped. Returns whether it changed anything. */
  receive(candle: Candle, isFinal: boolean, nowMs: number): boolean {
    const { timeMs } = candle
    // A duplicate of an evicted minute looks like an update.
    if (timeMs <= this.#evictedMs) return false
    const known = this.#entries.get(timeMs)
    if (this.#newestMs === undefined || timeMs > this.#newestMs) {
      this.#newestMs = timeMs
      this.#closes.started(timeMs, nowMs)
    }
    if (known !== undefined && !isFinal && (known.isFinal || isOlderState(candle, known.candle))) return false
    if (known?.isClosed === true && !known.isFinal && !isFinal && timeMs === this.#newestMs) this.#closes.updatedLate(timeMs, nowMs)
    this.#put(candle, isFinal, nowMs)
    return known === undefined || (isFinal && !known.isFinal) || !areSameCandles(candle, known.candle)
  }

  /** History, requested at an instant, returned final minutes. */
  addHistory(candles: readonly Candle[], requestedMs: number): void {
    for (const candle of candles) {
      const known = this.#entries.get(candle.timeMs)
      // A final update from the stream while the request was in flight is newer.
      if (known?.isFinal !== true || known.updatedMs <= requestedMs) this.#put(candle, true, requestedMs)
    }
  }

  /** Marks minutes (first and last timestamp) as possibly partial in the stream: the clock does not close them. */
  suspect(fromMs: number, toMs: number): void {
    this.#suspect = { fromMs: Math.min(fromMs, this.#suspect?.fromMs ?? fromMs), toMs: Math.max(toMs, this.#suspect?.toMs ?? toMs) }
  }

  /** All minutes may be closed again. */
  accept(): void {
    this.#suspect = undefined
  }

  /** Timestamps of possibly partial minutes that only the stream has updated. */
  suspects(): readonly number[] {
    return [...this.#open].filter((timeMs) => this.#isSuspect(timeMs))
  }

  /** Closes ended minutes by the clock. */
  closeBefore(nowMs: number): void {
    for (const timeMs of this.#open) {
      const entry = this.#entries.get(timeMs)
      if (entry === undefined || this.#isSuspect(timeMs) || !this.#closes.isOver(timeMs, nowMs)) continue
      this.#open.delete(timeMs)
      this.#entries.put(timeMs, { ...entry, isClosed: true })
    }
  }

  /** Every minute before is ended and closed, by the clock and in the output. */
  closedUntil(nowMs: number): number {
    let untilMs = Math.floor(nowMs / minuteMs) * minuteMs
    while (!this.#closes.isOver(untilMs - minuteMs, nowMs)) untilMs -= minuteMs
    return Math.min(untilMs, ...this.#open)
  }

  /** New and changed minutes since the last call, ascending. */
  drain(): FollowedMinute[] {
    const minutes: FollowedMinute[] = []
    for (const entry of this.#entries.drain()) {
      const { candle, isClosed, emitted } = entry
      if (emitted !== undefined && emitted.isClosed === isClosed && isEmitted(candle, emitted)) continue
      entry.emitted = { candle, isClosed }
      minutes.push(entry.emitted)
    }
    this.#evictOld()
    return minutes
  }

  /** Newest timestamp from the stream. */
  newestMs(): number | undefined {
    return this.#newestMs
  }

  /** Close of the newest known minute before an instant. */
  closeAt(ms: number): number | undefined {
    return this.#entries.values().findLast(({ candle }) => candle.timeMs < ms)?.candle.close
  }

  #isSuspect(timeMs: number) {
    return this.#suspect !== undefined && timeMs >= this.#suspect.fromMs && timeMs <= this.#suspect.toMs
  }

  #put(candle: Candle, isFinal: boolean, updatedMs: number): void {
    const { timeMs } = candle
    const known = this.#entries.get(timeMs)
    const isClosed = isFinal || known?.isClosed === true
    // History may lack the taker side, which the stream's final update has.
    this.#entries.put(timeMs, { candle: withKnownTakers(candle, known?.candle), isFinal, isClosed, updatedMs, emitted: known?.emitted })
    if (isClosed) this.#open.delete(timeMs)
    else this.#open.add(timeMs)
  }

  #evictOld(): void {
    for (const timeMs of this.#entries.trim()) {
      this.#open.delete(timeMs)
      this.#evictedMs = Math.max(this.#evictedMs, timeMs)
    }
  }
}

/**
 * Estimates when a minute can be closed by our clock if the source's clock may be behind. An update after the close shows
 * that it is, or that the source was slow once; the delay of the next minutes bounds it from above, so a single slow
 * moment is dropped and a wrong clock is not.
 */
export class BarCloseEstimator {
  #lagMs = 0
  #startDelaysMs: readonly number[] = []

  /** The first update of a minute newer than all before. */
  started(timeMs: number, nowMs: number): void {
    this.#startDelaysMs = [...this.#startDelaysMs, Math.max(0, nowMs - timeMs)].slice(-startDelaysMax)
    this.#lagMs = Math.min(this.#lagMs, ...this.#startDelaysMs)
  }

  /** An update of the newest minute after our clock had closed it. */
  updatedLate(timeMs: number, nowMs: number): void {
    this.#lagMs = Math.min(lagMaxMs, Math.max(this.#lagMs, nowMs - timeMs - minuteMs))
  }

  isOver(timeMs: number, nowMs: number): boolean {
    return nowMs >= timeMs + minuteMs + closeGraceMs + this.#lagMs
  }
}

/** A closed minute is emitted again only as a correction. */
function isEmitted(candle: Candle, emitted: FollowedMinute): boolean {
  return emitted.isClosed ? correctsNothing(candle, emitted.candle) : areSameCandles(candle, emitted.candle)
}

/**
 * Whether an update of a forming minute is older than the known one, as when an old and a new connection overlap: less
 * volume had been traded, or, with equal volume, its range is narrower.
 */
function isOlderState(candle: Candle, known: Candle): boolean {
  if (candle.volume !== null && known.volume !== null && candle.volume !== known.volume) return candle.volume < known.volume
  return candle.high < known.high || candle.low > known.low
}
