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

export type Segment = ContinuousSegment | AuctionSegment

export interface Session {
  /** Trading date, such as `2026-11-23`. Where trading opens on the evening before, the date on which it closes. */
  readonly date: string
  readonly openMs: number
  /** Exclusive; the end of the last segment. */
  readonly closeMs: number
  /** In order and without gaps from `openMs` to `closeMs`. */
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
