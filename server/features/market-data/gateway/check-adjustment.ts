// Compares stored candles with their source after each ex-date: rows stored with a wrong adjustment are replaced.
import type { Db } from '#server/db/database.ts'
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { Feed, FeedClock, HistoryStep } from '../feed.ts'
import { nameOfKey, type CandleKey, type CandleStore } from '../store/candle-store.ts'
import { splitDatesOf } from './unadjusted-feed.ts'

/** Which corporate actions were checked for a key. */
export interface AdjustmentChecks {
  checkedFor(key: CandleKey): Promise<string | undefined>
  /** @throws OutageError */
  setChecked(key: CandleKey, actions: string): Promise<void>
}

export interface AdjustmentCheckOptions {
  readonly series: string
  readonly feed: Feed
  readonly symbol: string
  readonly store: CandleStore
  readonly checks: AdjustmentChecks
  readonly clock: Pick<FeedClock, 'now'>
  readonly signal: AbortSignal
}

/** By then the source has candles on both sides of the ex-date. */
const settleMs = dayMs
const sliceMs: Readonly<Record<HistoryStep, number>> = {
  '1m': 30 * dayMs,
  '5m': 60 * dayMs,
  '15m': 100 * dayMs,
  '30m': 200 * dayMs,
  '1h': 400 * dayMs,
  '4h': 400 * dayMs,
  '1D': 2_000 * dayMs,
}
/** Sources correct closes by less; the smallest bonus changes them by more. */
const differenceMin = Math.log(1.03)

/**
 * Compares all stored candles before the last ex-date with the source, once per table of actions. Resolves to the number
 * of replaced candles; candles that the source no longer has are unchanged.
 * @throws FeedError, OutageError
 */
export async function checkAdjustment(options: AdjustmentCheckOptions): Promise<number> {
  const { series, feed, checks, clock } = options
  if (feed.splitHistory === undefined) return 0
  const dates = splitDatesOf(series, clock.now() - settleMs)
  const last = dates.at(-1)
  if (last === undefined) return 0
  const actions = dates.map(({ exMs, factor }) => `${new Date(exMs).toISOString().slice(0, 10)} ${factor}`).join()
  let repaired = 0
  for (const step of feed.steps) {
    const key = { series, source: feed.source, step }
    if ((await checks.checkedFor(key)) === actions) continue
    repaired += await checkStep(options, key, last.exMs)
    await checks.setChecked(key, actions)
  }
  return repaired
}

async function checkStep({ feed, symbol, store, signal }: AdjustmentCheckOptions, key: CandleKey, untilMs: number): Promise<number> {
  const bounds = await store.bounds(key)
  let repaired = 0
  for (let fromMs = bounds?.firstMs ?? untilMs; fromMs < untilMs; fromMs += sliceMs[key.step]) {
    const span = { fromMs, toMs: Math.min(untilMs, fromMs + sliceMs[key.step]) }
    const stored = new Map((await store.range(key, span)).map((candle) => [candle.timeMs, candle]))
    if (stored.size === 0) continue
    const wrong = (await feed.history({ symbol, step: key.step, ...span, signal })).filter((candle) =>
      isOtherPrice(candle, stored.get(candle.timeMs)),
    )
    if (wrong.length > 0) await store.append(key, wrong, [])
    repaired += wrong.length
  }
  return repaired
}

/** A price that was rounded after division must not replace the traded one. */
function isOtherPrice(candle: Candle, stored: Candle | undefined): boolean {
  return stored !== undefined && Math.abs(Math.log(stored.close / candle.close)) > differenceMin
}

/** In-memory: compares again after each start. */
export function memoryChecks(): AdjustmentChecks {
  const checked = new Map<string, string>()
  return {
    checkedFor: (key) => Promise.resolve(checked.get(nameOfKey(key))),
    setChecked: (key, actions) => Promise.resolve(void checked.set(nameOfKey(key), actions)),
  }
}

/** In the database; `now` (epoch milliseconds) dates the rows. */
export function databaseChecks({ db, now }: { readonly db: Db; readonly now: () => number }): AdjustmentChecks {
  return {
    async checkedFor({ series, source, step }) {
      const row = await db
        .selectFrom('adjustment_checks')
        .select('actions')
        .where('series', '=', series)
        .where('source', '=', source)
        .where('step', '=', step)
        .executeTakeFirst()
      return row?.actions
    },
    async setChecked({ series, source, step }, actions) {
      const change = { actions, checked_at: new Date(now()) }
      await db
        .insertInto('adjustment_checks')
        .values({ series, source, step, ...change })
        .onConflict((conflict) => conflict.columns(['series', 'source', 'step']).doUpdateSet(change))
        .execute()
    },
  }
}
