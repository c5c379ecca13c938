// Session: one trading date of a session class as instants.

/** From `startMs` (inclusive) to `endMs` (exclusive); epoch milliseconds. */
export interface TimeWindow {
  readonly startMs: number
  readonly endMs: number
}

export interface ContinuousSegment extends TimeWindow {
  readonly kind: 'continuous'
}

/** Orders are collected and executed once, at one price: the day's close. */
export interface AuctionSegment extends TimeWindow {
  readonly kind: 'closing-auction'
  /** Timestamp of the minute in which feeds deliver the single print. */
  readonly printMs: number
}

/** An index may still move during the closing auction of its shares; missing values do not mean a lost connection. */
export interface ClosingValuesSegment extends TimeWindow {
  readonly kind: 'closing-values'
}

export type Segment = ContinuousSegment | AuctionSegment | ClosingValuesSegment

export interface Session {
  /** Trading date, for example `2026-11-23`. If trading opens on the evening before, the date on which it closes. */
  readonly date: string
  readonly openMs: number
  /** Exclusive; the end of the last segment. */
  readonly closeMs: number
  /** In order from `openMs` to `closeMs`; with gaps for pauses, for example on the afternoon of a Globex holiday. */
  readonly segments: readonly Segment[]
  /** Orders may be entered, but no candle is made: informational, like `postClose`. */
  readonly preOpen: TimeWindow | null
  readonly postClose: TimeWindow | null
  /** Name of a special session, for example `Muhurat trading`. */
  readonly note: string | null
  /** False if only the date is certain; its hours are then the usual ones of such a day. */
  readonly areTimesKnown: boolean
  /** True outside the dates covered by the calendar, where every usual weekday counts as a session. */
  readonly isAssumed: boolean
}

/** The continuous stretch around an instant: adjacent segments without a gap; null outside of trading. */
export function tradingStretchAt(session: Session, ms: number): TimeWindow | null {
  const { segments } = session
  const at = segments.findIndex(({ startMs, endMs }) => ms >= startMs && ms < endMs)
  if (at < 0) return null
  let [first, last] = [at, at]
  while (segments[first - 1]?.endMs === segments[first]?.startMs) first -= 1
  while (segments[last]?.endMs === segments[last + 1]?.startMs) last += 1
  return { startMs: segments[first]?.startMs ?? session.openMs, endMs: segments[last]?.endMs ?? session.closeMs }
}

/** Instants at which trading starts: the open, and the end of each pause. */
export function openingsOf({ segments }: Session): number[] {
  return segments.filter(({ startMs }, index) => segments[index - 1]?.endMs !== startMs).map(({ startMs }) => startMs)
}
