// One trading date of a session class as instants.

/** From `startMs` up to, but without, `endMs`; epoch milliseconds. */
export interface TimeWindow {
  readonly startMs: number
  readonly endMs: number
}

export interface ContinuousSegment extends TimeWindow {
  readonly kind: 'continuous'
}

/** Orders gather and trade once, at one price: the day's close. */
export interface AuctionSegment extends TimeWindow {
  readonly kind: 'closing-auction'
  /** Stamp of the minute that feeds give the single print. */
  readonly printMs: number
}

/** An index may still move while the closing auction of its shares ends; silence is no sign of a cut line. */
export interface ClosingValuesSegment extends TimeWindow {
  readonly kind: 'closing-values'
}

export type Segment = ContinuousSegment | AuctionSegment | ClosingValuesSegment

export interface Session {
  /** Trading date, such as `2026-11-23`. Where trading opens on the evening before, the date on which it closes. */
  readonly date: string
  readonly openMs: number
  /** Exclusive; the end of the last segment. */
  readonly closeMs: number
  /** In order from `openMs` to `closeMs`; with a gap where trading pauses, as on the afternoon of a Globex holiday. */
  readonly segments: readonly Segment[]
  /** Orders may be entered, but no candle is made: for information only, like `postClose`. */
  readonly preOpen: TimeWindow | null
  readonly postClose: TimeWindow | null
  /** What is special about it, such as `Muhurat trading`. */
  readonly note: string | null
  /** False where the date is certain and its hours are the usual ones of such a day. */
  readonly areTimesKnown: boolean
  /** True outside the dates that the calendar covers, where every usual weekday counts as a session. */
  readonly isAssumed: boolean
}

/** The stretch without a pause around an instant: segments that follow each other without a gap; null outside of trading. */
export function tradingStretchAt(session: Session, ms: number): TimeWindow | null {
  const { segments } = session
  const at = segments.findIndex(({ startMs, endMs }) => ms >= startMs && ms < endMs)
  if (at < 0) return null
  let [first, last] = [at, at]
  while (segments[first - 1]?.endMs === segments[first]?.startMs) first -= 1
  while (segments[last]?.endMs === segments[last + 1]?.startMs) last += 1
  return { startMs: segments[first]?.startMs ?? session.openMs, endMs: segments[last]?.endMs ?? session.closeMs }
}

/** Instants at which trading begins: the open, and the end of each pause. */
export function openingsOf({ segments }: Session): number[] {
  return segments.filter(({ startMs }, index) => segments[index - 1]?.endMs !== startMs).map(({ startMs }) => startMs)
}
