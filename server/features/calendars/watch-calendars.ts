// Applies imported holiday lists in this process: at its start, and within seconds of an import by any process.
import type { Db } from '#server/db/database.ts'
import { applyCalendarLists } from '#shared/trading-hours/exchange-calendar.ts'
import { readCalendarLists } from './repository.ts'

const everyMs = 5_000

export interface CalendarWatchOptions {
  readonly db: Db
  /** Calls once after a delay; returns the function that cancels it. */
  readonly after: (delayMs: number, run: () => Promise<void>) => () => void
  readonly onError: (error: unknown) => void
}

/** Resolves once the lists are applied; returns the function that ends the watch. */
export async function watchCalendars({ db, after, onError }: CalendarWatchOptions): Promise<() => void> {
  const look = calendarReader(db)
  let isOver = false
  let cancel: () => void = () => undefined
  async function again(): Promise<void> {
    await look().catch(onError)
    if (!isOver) cancel = after(everyMs, again)
  }
  await look()
  cancel = after(everyMs, again)
  return () => {
    isOver = true
    cancel()
  }
}

/** Reads the lists and applies them if they have changed since the last call. */
export function calendarReader(db: Db): () => Promise<void> {
  let known = ''
  return async () => {
    const { revision, lists } = await readCalendarLists(db)
    if (revision === known) return
    known = revision
    applyCalendarLists(lists)
  }
}
