// What a candle covers, and the candle of a fixed number of minutes that an instant of a session belongs to.
import { tradingStretchAt, type Session } from './session.ts'

export interface Bucket {
  /**
   * Stamp of the candle, epoch milliseconds. Below 1D it is where the session's grid puts it; from 1D on it is
   * 00:00 UTC of the session's date, of the week's Monday, or of the first of the month, as charts expect it.
   */
  readonly timeMs: number
  /** First instant whose trades belong to it: not the stamp for a closing auction of its own, nor from 1D on. */
  readonly startMs: number
  /** Exclusive. For 1W and 1M the last session's close. */
  readonly endMs: number
  /** Trading date; for 1W and 1M that of the period's first session. */
  readonly sessionDate: string
}

/**
 * The bucket of `stepMs` milliseconds at an instant inside the session; the buckets of a session tile its trading. The grid
 * begins with the session, and again after a pause. Stamp: `open + floor((t - open) / step) * step`; end: the next stamp, or
 * the end of trading. The closing auction as a whole goes where its print's stamp goes: into the candle that is still
 * running there, or into one of its own.
 */
export function intradayBucket(session: Session, stepMs: number, ms: number): Bucket {
  const { date: sessionDate } = session
  const { startMs: openMs, endMs: closeMs } = tradingStretchAt(session, ms) ?? { startMs: session.openMs, endMs: session.closeMs }
  const stampOf = (instantMs: number) => openMs + Math.floor((instantMs - openMs) / stepMs) * stepMs
  const auction = session.segments.find((segment) => segment.kind === 'closing-auction')
  const timeMs = stampOf(ms)
  if (auction === undefined) return { timeMs, startMs: timeMs, endMs: Math.min(timeMs + stepMs, closeMs), sessionDate }
  const auctionStampMs = stampOf(auction.printMs)
  if (ms >= auction.startMs || timeMs === auctionStampMs) {
    return { timeMs: auctionStampMs, startMs: Math.min(auctionStampMs, auction.startMs), endMs: auction.endMs, sessionDate }
  }
  return { timeMs, startMs: timeMs, endMs: Math.min(timeMs + stepMs, auction.startMs), sessionDate }
}
