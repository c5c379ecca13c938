// Candle bucket, and the bucket of a fixed number of minutes at an instant of a session.
import { tradingStretchAt, type Session } from '#shared/trading-hours/session.ts'

export interface Bucket {
  /**
   * Timestamp of the candle, epoch milliseconds. Below 1D on the session's grid; from 1D on
   * 00:00 UTC of the session's date, the week's Monday, or the first of the month, as chart libraries expect.
   */
  readonly timeMs: number
  /** First instant whose trades belong to it: differs from the timestamp for a separate closing auction, and from 1D on. */
  readonly startMs: number
  /** Exclusive. For 1W and 1M the last session's close. */
  readonly endMs: number
  /** Trading date; for 1W and 1M that of the period's first session. */
  readonly sessionDate: string
}

/**
 * The bucket of `stepMs` milliseconds at an instant inside the session; the buckets of a session tile its trading. The grid
 * starts with the session, and again after a pause. Timestamp: `open + floor((t - open) / step) * step`; end: the next timestamp, or
 * the end of trading. The whole closing auction belongs to the candle with its print's timestamp: the one still
 * running there, or a separate one.
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
