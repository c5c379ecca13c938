// Timeouts and limits of the source failover.
import { dayMs, minuteMs, secondMs } from '#shared/base/durations.ts'

/** Time for a source to become live before the next one is tried. */
export const liveWithinMs = 8 * secondMs
/** Failed attempts after which a source that was never live is given up sooner. */
export const hopelessDowns = 2
/** Maximum time that prices wait for missing candles; after it the gap is filled later. */
export const fillWithinMs = 20 * secondMs
/** Timeout of one history request, which may have to wait for a rate limit. */
export const requestWithinMs = 2 * minuteMs
/** A shorter cut is neither reported nor a reason to switch sources. */
export const cutToleratedMs = 5 * secondMs
/** When prices of a cut connection are stale: with checks twice a second, the chart shows it within five. */
export const staleWhenCutMs = 3.5 * secondMs
/** Silence long enough to mean a broken source, much longer than for stale prices, because markets can be quiet. */
export const silenceToleratedMs = (staleAfterMs: number): number => Math.max(minuteMs, 12 * staleAfterMs)
/** Time without trouble after which a source's back-off is reset. */
export const provenAfterMs = minuteMs
export const backOffLimits = { firstMs: secondMs, maxMs: minuteMs } as const

/** Maximum delay of a minute's last update before the clock closes it. */
export const closeGraceMs = 2 * secondMs
/** Delay until sources have the newest minute in their history. */
export const settleMs = 5 * secondMs
/** Overlap requested before the newest minute after a cut: a connection can be dead for a while before it is detected. */
export const overlapMs = 2 * minuteMs
/** Minutes before a source became live that are requested once more when they are final. */
export const secondLookMs = 4 * minuteMs
/** A message about an older minute is not believed to be about it. */
export const doubtMaxMs = 15 * minuteMs
/** A stream whose messages are older is behind; clocks that are wrong by less are accepted. */
export const messageLagMaxMs = 5 * minuteMs
/** Older stored minutes are not continued in one go. */
export const longestFillMs = 60 * dayMs
/** Chunk of one history request. */
export const requestSpanMs = 3 * dayMs
/** Minutes kept to distinguish duplicates from corrections. */
export const rememberedMinutes = 1_500
