// Buffers the updates of each minute from one source's stream and history, and what has not been emitted yet.
import type { Candle } from '#shared/candles/candle.ts'
import { areSameCandles, correctsNothing, withKnownTakers } from '#shared/candles/candle-issue.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { MinuteBuffer } from '../minute-buffer.ts'
import { closingClock } from './bar-close-estimator.ts'
import { rememberedMinutes } from './timeouts.ts'
import type { StatedMinute } from './types.ts'

interface Entry {
  readonly candle: Candle
  readonly isFinal: boolean
  readonly isClosed: boolean
  readonly statedMs: number
  notified: StatedMinute | undefined
}

/** An empty buffer for one source of one series. */
export class StatedMinutes {
  readonly #entries = new MinuteBuffer<Entry>(rememberedMinutes)
  readonly #open = new Set<number>()
  readonly #clock = closingClock()
  #newestMs: number | undefined
  #forgottenMs = Number.NEGATIVE_INFINITY
  #doubted: { fromMs: number; toMs: number } | undefined

  /** The stream updated a minute, finally or so far. Returns whether that is news. */
  receive(candle: Candle, isFinal: boolean, nowMs: number): boolean {
    const { timeMs } = candle
    // A duplicate of an evicted minute looks like an update.
    if (timeMs <= this.#forgottenMs) return false
    const known = this.#entries.get(timeMs)
    if (this.#newestMs === undefined || timeMs > this.#newestMs) {
      this.#newestMs = timeMs
      this.#clock.begun(timeMs, nowMs)
    }
    if (known !== undefined && !isFinal && (known.isFinal || isOlderState(candle, known.candle))) return false
    if (known?.isClosed === true && !known.isFinal && !isFinal && timeMs === this.#newestMs) this.#clock.surprised(timeMs, nowMs)
    this.#put(candle, isFinal, nowMs)
    return known === undefined || (isFinal && !known.isFinal) || !areSameCandles(candle, known.candle)
  }

  /** History, requested at an instant, returned final minutes. */
  recall(candles: readonly Candle[], askedMs: number): void {
    for (const candle of candles) {
      const known = this.#entries.get(candle.timeMs)
      // A final update from the stream while the request was in flight is newer.
      if (known?.isFinal !== true || known.statedMs <= askedMs) this.#put(candle, true, askedMs)
    }
  }

  /** Marks minutes (first and last timestamp) as possibly partial in the stream: the clock does not close them. */
  doubt(fromMs: number, toMs: number): void {
    this.#doubted = { fromMs: Math.min(fromMs, this.#doubted?.fromMs ?? fromMs), toMs: Math.max(toMs, this.#doubted?.toMs ?? toMs) }
  }

  trust(): void {
    this.#doubted = undefined
  }

  /** Timestamps of possibly partial minutes that only the stream has updated. */
  doubtful(): readonly number[] {
    return [...this.#open].filter((timeMs) => this.#isDoubted(timeMs))
  }

  /** Closes ended minutes by the clock. */
  closeBefore(nowMs: number): void {
    for (const timeMs of this.#open) {
      const entry = this.#entries.get(timeMs)
      if (entry === undefined || this.#isDoubted(timeMs) || !this.#clock.isOver(timeMs, nowMs)) continue
      this.#open.delete(timeMs)
      this.#entries.put(timeMs, { ...entry, isClosed: true })
    }
  }

  /** Every minute before is ended and closed, by the clock and in the output. */
  closedUntil(nowMs: number): number {
    let untilMs = Math.floor(nowMs / minuteMs) * minuteMs
    while (!this.#clock.isOver(untilMs - minuteMs, nowMs)) untilMs -= minuteMs
    return Math.min(untilMs, ...this.#open)
  }

  /** New and changed minutes since the last call, ascending. */
  drain(): StatedMinute[] {
    const news: StatedMinute[] = []
    for (const entry of this.#entries.drain()) {
      const { candle, isClosed, notified } = entry
      if (notified !== undefined && notified.isClosed === isClosed && isToldAlready(candle, notified)) continue
      entry.notified = { candle, isClosed }
      news.push(entry.notified)
    }
    this.#forgetOld()
    return news
  }

  /** Newest timestamp from the stream. */
  newestMs(): number | undefined {
    return this.#newestMs
  }

  /** Close of the newest known minute before an instant. */
  closeAt(ms: number): number | undefined {
    return this.#entries.values().findLast(({ candle }) => candle.timeMs < ms)?.candle.close
  }

  #isDoubted(timeMs: number) {
    return this.#doubted !== undefined && timeMs >= this.#doubted.fromMs && timeMs <= this.#doubted.toMs
  }

  #put(candle: Candle, isFinal: boolean, statedMs: number): void {
    const { timeMs } = candle
    const known = this.#entries.get(timeMs)
    const isClosed = isFinal || known?.isClosed === true
    // History may lack the taker side, which the stream's final update has.
    this.#entries.put(timeMs, { candle: withKnownTakers(candle, known?.candle), isFinal, isClosed, statedMs, notified: known?.notified })
    if (isClosed) this.#open.delete(timeMs)
    else this.#open.add(timeMs)
  }

  #forgetOld(): void {
    for (const timeMs of this.#entries.trim()) {
      this.#open.delete(timeMs)
      this.#forgottenMs = Math.max(this.#forgottenMs, timeMs)
    }
  }
}

/** A closed minute is emitted again only as a correction. */
function isToldAlready(candle: Candle, notified: StatedMinute): boolean {
  return notified.isClosed ? correctsNothing(candle, notified.candle) : areSameCandles(candle, notified.candle)
}

/**
 * Whether an update of a forming minute is older than the known one, as when an old and a new connection overlap: less
 * volume had been traded, or, with equal volume, its range is narrower.
 */
function isOlderState(candle: Candle, known: Candle): boolean {
  if (candle.volume !== null && known.volume !== null && candle.volume !== known.volume) return candle.volume < known.volume
  return candle.high < known.high || candle.low > known.low
}
