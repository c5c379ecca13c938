// How patient the follower is, as numbers; each is a promise to who looks at a chart or a courtesy to a source.
import { dayMs, minuteMs, secondMs } from '#shared/base/durations.ts'

/** What a source may take to become live before the next one is tried. */
export const liveWithinMs = 8 * secondMs
/** A source that failed so often before it was ever live is given up sooner. */
export const hopelessDowns = 2
/** What missing candles may take while prices are held back for them; afterwards a gap that is filled later is the lesser evil. */
export const fillWithinMs = 20 * secondMs
/** What one request for history may take; a source that counts requests may have to wait for its turn. */
export const requestWithinMs = 2 * minuteMs
/** A cut that is over by then is worth no word and no other source. */
export const cutToleratedMs = 5 * secondMs
/** When a cut line's prices are called stale: with the second between two looks, people read it within five seconds. */
export const staleWhenCutMs = 3.5 * secondMs
/** Silence means a broken source only much later than it means stale prices: quiet markets exist. */
export const silenceToleratedMs = (staleAfterMs: number): number => Math.max(minuteMs, 12 * staleAfterMs)
/** A source that was used so long without trouble begins its back-off anew. */
export const provenAfterMs = minuteMs
export const backOffLimits = { firstMs: secondMs, maxMs: minuteMs } as const

/** The last statement of a minute may come so long after its end before the clock closes it. */
export const closeGraceMs = 2 * secondMs
/** Sources need a moment until their history has the minute that just ended. */
export const settleMs = 5 * secondMs
/** Before the newest minute heard, so many are asked for again after a cut: a line can be dead for a while before anybody notices. */
export const overlapMs = 2 * minuteMs
/** Before the minute in which a source became live, so many are asked for once more when it has settled. */
export const secondLookMs = 4 * minuteMs
/** Stored minutes that end longer ago are not continued in one go. */
export const longestFillMs = 60 * dayMs
/** Stretch of one request for history. */
export const requestSpanMs = 3 * dayMs
/** Minutes that are remembered to tell a repetition from a correction. */
export const rememberedMinutes = 1_500
