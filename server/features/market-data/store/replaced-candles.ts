// Notifies running servers that a command replaced stored candles, through a counter in the database.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { FeedClock } from '../feed.ts'
import { keepRunning } from '../real-clock.ts'
import type { CandleKey } from './candle-store.ts'

export type ReplacedCandles = Pick<CandleKey, 'series' | 'source'>

const everyMs = 5_000

/** @throws OutageError */
export async function noteReplacedCandles(db: Db, { series, source }: ReplacedCandles): Promise<void> {
  await db
    .insertInto('candle_revisions')
    .values({ series, source })
    .onConflict((conflict) => conflict.columns(['series', 'source']).doUpdateSet({ revision: sql<number>`candle_revisions.revision + 1` }))
    .execute()
}

export interface ReplacedWatchOptions {
  readonly db: Db
  readonly clock: FeedClock
  readonly onReplaced: (replaced: ReplacedCandles) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Calls `onReplaced` for candles that are replaced from now on, by any process, until the returned function is called. */
export function watchReplacedCandles({ db, clock, onReplaced, onError }: ReplacedWatchOptions): () => void {
  let known: Map<string, string> | undefined
  let isStopped = false

  async function readRevisions(): Promise<void> {
    const rows = await db.selectFrom('candle_revisions').selectAll().execute()
    known ??= new Map(rows.map(({ series, source, revision }) => [`${series} ${source}`, revision]))
    for (const { series, source, revision } of rows) {
      if (isStopped || known.get(`${series} ${source}`) === revision) continue
      await onReplaced({ series, source: source as ReplacedCandles['source'] })
      known.set(`${series} ${source}`, revision)
    }
  }

  const stop = keepRunning(clock, everyMs, readRevisions, onError)
  return () => {
    isStopped = true
    stop()
  }
}
