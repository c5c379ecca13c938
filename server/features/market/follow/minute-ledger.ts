// What one source has said about each minute, from its stream and its history, and what of it has not been told on yet.
import type { Candle } from '#shared/market/candles/candle.ts'
import { areSameCandles, correctsNothing, withKnownTakers } from '#shared/market/candles/check-candle.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { closingClock } from './closing-clock.ts'
import { rememberedMinutes } from './follow-limits.ts'
import type { StatedMinute } from './follow-port.ts'

export interface MinuteLedger {
  /** The stream stated a minute, finally or so far. */
  hear(candle: Candle, isFinal: boolean, nowMs: number): void
  /** History, asked at an instant, stated minutes finally. */
  recall(candles: readonly Candle[], askedMs: number): void
  /** What the stream says about these minutes, first and last stamp, may be a part only: the clock does not close them. */
  doubt(fromMs: number, toMs: number): void
  trust(): void
  /** Stamps of minutes in doubt of which only the stream has spoken. */
  doubtful(): readonly number[]
  /** Closes what is over by the clock. */
  closeBefore(nowMs: number): void
  /** Every minute before is over and closed, by the clock and by what was told. */
  closedUntil(nowMs: number): number
  /** What is new or has changed since the last call, ascending. */
  drain(): StatedMinute[]
  /** Newest stamp that the stream stated. */
  newestMs(): number | undefined
  /** Close of the newest minute that is known before an instant. */
  closeAt(ms: number): number | undefined
}

interface Entry {
  candle: Candle
  isFinal: boolean
  isClosed: boolean
  statedMs: number
  told: StatedMinute | undefined
}

/** An empty ledger for one source of one series. */
export function minuteLedger(): MinuteLedger {
  const entries = new Map<number, Entry>()
  const open = new Set<number>()
  const dirty = new Set<number>()
  const clock = closingClock()
  let newestMs: number | undefined
  let forgottenMs = Number.NEGATIVE_INFINITY
  let doubted: { fromMs: number; toMs: number } | undefined

  const isDoubted = (timeMs: number) => doubted !== undefined && timeMs >= doubted.fromMs && timeMs <= doubted.toMs

  function put(candle: Candle, isFinal: boolean, statedMs: number): void {
    const { timeMs } = candle
    const known = entries.get(timeMs)
    const isClosed = isFinal || known?.isClosed === true
    // History may not know who took, which a stream that ended the same has told.
    entries.set(timeMs, { candle: withKnownTakers(candle, known?.candle), isFinal, isClosed, statedMs, told: known?.told })
    if (isClosed) open.delete(timeMs)
    else open.add(timeMs)
    dirty.add(timeMs)
  }

  function forgetOld(): void {
    if (entries.size <= rememberedMinutes * 1.2) return
    const stamps = [...entries.keys()].toSorted((one, other) => one - other)
    for (const timeMs of stamps.slice(0, stamps.length - rememberedMinutes)) {
      entries.delete(timeMs)
      open.delete(timeMs)
      forgottenMs = timeMs
    }
  }

  return {
    hear(candle, isFinal, nowMs) {
      const { timeMs } = candle
      // A repetition of what is forgotten can not be told from news.
      if (timeMs <= forgottenMs) return
      const known = entries.get(timeMs)
      if (newestMs === undefined || timeMs > newestMs) {
        newestMs = timeMs
        clock.begun(timeMs, nowMs)
      }
      if (known !== undefined && !isFinal && (known.isFinal || isOlderState(candle, known.candle))) return
      if (known?.isClosed === true && !known.isFinal && !isFinal && timeMs === newestMs) clock.surprised(timeMs, nowMs)
      put(candle, isFinal, nowMs)
    },
    recall(candles, askedMs) {
      for (const candle of candles) {
        const known = entries.get(candle.timeMs)
        // What the stream stated finally while the answer was on its way is newer.
        if (known?.isFinal !== true || known.statedMs <= askedMs) put(candle, true, askedMs)
      }
    },
    doubt(fromMs, toMs) {
      doubted = { fromMs: Math.min(fromMs, doubted?.fromMs ?? fromMs), toMs: Math.max(toMs, doubted?.toMs ?? toMs) }
    },
    trust() {
      doubted = undefined
    },
    doubtful: () => [...open].filter(isDoubted),
    closeBefore(nowMs) {
      for (const timeMs of open) {
        const entry = entries.get(timeMs)
        if (entry === undefined || isDoubted(timeMs) || !clock.isOver(timeMs, nowMs)) continue
        entry.isClosed = true
        open.delete(timeMs)
        dirty.add(timeMs)
      }
    },
    closedUntil(nowMs) {
      let untilMs = Math.floor(nowMs / minuteMs) * minuteMs
      while (!clock.isOver(untilMs - minuteMs, nowMs)) untilMs -= minuteMs
      return Math.min(untilMs, ...open)
    },
    drain() {
      const news: StatedMinute[] = []
      for (const timeMs of [...dirty].toSorted((one, other) => one - other)) {
        const entry = entries.get(timeMs)
        if (entry === undefined) continue
        const { candle, isClosed, told } = entry
        if (told !== undefined && told.isClosed === isClosed && isToldAlready(candle, told)) continue
        entry.told = { candle, isClosed }
        news.push(entry.told)
      }
      dirty.clear()
      forgetOld()
      return news
    },
    newestMs: () => newestMs,
    closeAt(ms) {
      const before = [...entries.values()].filter(({ candle }) => candle.timeMs < ms)
      return before.reduce<Candle | undefined>((last, { candle }) => (last && last.timeMs > candle.timeMs ? last : candle), undefined)
        ?.close
    },
  }
}

/** What is over is told again only to correct it. */
function isToldAlready(candle: Candle, told: StatedMinute): boolean {
  return told.isClosed ? correctsNothing(candle, told.candle) : areSameCandles(candle, told.candle)
}

/**
 * Whether a state of a forming minute is older than the one that is known, as when an old and a new connection overlap: less
 * volume was traded by then, or, where that does not tell, its range is narrower.
 */
function isOlderState(candle: Candle, known: Candle): boolean {
  if (candle.volume !== null && known.volume !== null && candle.volume !== known.volume) return candle.volume < known.volume
  return candle.high < known.high || candle.low > known.low
}
