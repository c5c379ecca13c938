// Counts what sources sent and what cannot be used, by series and source: in memory first, written once a minute.
import { sql } from 'kysely'
import { minuteMs } from '#shared/base/durations.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import type { Db } from '#server/db/database.ts'
import type { FeedClock, SourceName } from '../feed.ts'

export interface RejectedCount {
  readonly series: string
  readonly source: SourceName
  /** What is wrong with the last of them. */
  readonly issue: CandleIssue
  readonly count: number
}

export interface RejectedMessages {
  /** Written within a minute; never throws. */
  add(rejected: RejectedCount): void
}

interface Deps {
  readonly db: Db
  readonly clock: Pick<FeedClock, 'now' | 'after'>
  readonly onError: (error: unknown) => void
  /** Whether the sources are users' own brokers. */
  readonly isOwn: boolean
}

/** Time between writes, and after a failed one. */
const gatherMs = minuteMs

/** The counts of a database; several processes add to the same ones. */
export function databaseRejectedMessages({ db, clock, onError, isOwn }: Deps) {
  // One entry for each series and source: both are known names.
  const waiting = new Map<string, RejectedCount & { readonly atMs: number }>()
  let cancel: (() => void) | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    // In one order, so that processes do not wait for each other's rows in a circle.
    const batch = [...waiting].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry)
    waiting.clear()
    if (batch.length === 0) return
    try {
      await db
        .insertInto('rejected_messages')
        .values(
          batch.map(({ series, source, issue, count, atMs }) => ({
            series,
            source,
            is_own: isOwn,
            count: String(count),
            issue,
            rejected_at: new Date(atMs),
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['series', 'source', 'is_own']).doUpdateSet({
            count: sql`rejected_messages.count + excluded.count`,
            issue: sql`excluded.issue`,
            rejected_at: sql`greatest(rejected_messages.rejected_at, excluded.rejected_at)`,
          }),
        )
        .execute()
    } catch (error) {
      for (const entry of batch) count(entry, entry.atMs)
      onError(error)
    }
  }

  function soon(): void {
    cancel ??= clock.after(gatherMs, () => {
      cancel = undefined
      writing = writing.then(write)
    })
  }

  function count(rejected: RejectedCount, atMs: number): void {
    const name = `${rejected.series} ${rejected.source}`
    const known = waiting.get(name)
    const newest = known !== undefined && known.atMs > atMs ? known : { ...rejected, atMs }
    waiting.set(name, { ...newest, count: rejected.count + (known?.count ?? 0) })
    soon()
  }

  return {
    add: (rejected: RejectedCount): void => count(rejected, clock.now()),
    /** Writes what is left. */
    async close(): Promise<void> {
      cancel?.()
      await writing
      await write()
      cancel?.()
    },
  }
}
