// Where the history of a source starts that is not stored yet.
import { minuteMs } from '#shared/base/durations.ts'
import type { FeedClock, FeedLog } from '../feed.ts'
import { longestFillMs, secondLookMs } from './timeouts.ts'

export interface FillStart {
  readonly fromMs: number
  /** Whether everything before is stored; otherwise the first received minute is the first known one. */
  readonly hasOlder: boolean
}

/** `storedUntilMs` is undefined if nothing is stored: then so many minutes are requested. */
function fillStart(nowMs: number, storedUntilMs: number | undefined, backfillMinutes: number): FillStart {
  // The newest stored minutes may have been fetched before the source had finalised them.
  const wantedMs = storedUntilMs === undefined ? nowMs - backfillMinutes * minuteMs : storedUntilMs - secondLookMs
  const fromMs = Math.max(wantedMs, nowMs - longestFillMs)
  return { fromMs: Math.floor(fromMs / minuteMs) * minuteMs, hasOlder: storedUntilMs !== undefined }
}

export interface StoredHistory {
  readonly clock: Pick<FeedClock, 'now'>
  readonly log: FeedLog
  readonly backfillMinutes: number
  readonly storedUntilMs: () => Promise<number | undefined>
}

/** The same with what is stored, if the database says. */
export async function storedFillStart({ clock, log, backfillMinutes, storedUntilMs }: StoredHistory): Promise<FillStart> {
  const untilMs = await storedUntilMs().catch((error: unknown) => {
    log('newest stored candle unknown', { reason: String(error) })
    return undefined
  })
  return fillStart(clock.now(), untilMs, backfillMinutes)
}
