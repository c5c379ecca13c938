// Daily candles of a series, and the weeks and months aggregated from them, for pivots.
import { dayMs } from '#shared/base/durations.ts'
import { candlesMax } from '#shared/market-data/candle-columns.ts'
import type { PeriodKind } from '#shared/indicators/lib/period-kind.ts'
import { pivotpoint, pivotPeriodOf } from '#shared/indicators/studies/pivotpoint.ts'
import { resolveInputs } from '#shared/indicators/lib/study-input.ts'
import type { OfficialColumns, OfficialPeriods } from '#shared/indicators/lib/study.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { requestWithRetry } from '../request-with-retry.ts'
import type { CandleSource } from '#web/features/market-data/candle-source.ts'
import { monthIdOf, weekIdOf } from '../period-ids.ts'

export interface OfficialOptions {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Inputs of the pivots, as the user set them. */
  readonly inputs: unknown
  readonly source: CandleSource
  readonly onData: (official: OfficialColumns) => void
}

export interface OfficialFeed {
  /** Loads the days before this day number unless they are loaded; with `isAll` in any case. */
  want(day: number, isAll: boolean): void
  stop(): void
}

/** Most days in a period, times one period more than shown, because the oldest may be incomplete. */
const daysOf: Readonly<Record<PeriodKind, number>> = { day: 1, week: 7, month: 31 }

/** Undefined when daily-based values are off. */
export function officialFeed({ slug, timeframe, inputs, source, onData }: OfficialOptions): OfficialFeed | undefined {
  const given = resolveInputs(pivotpoint, inputs)
  if (given['isDailyBased'] !== true) return undefined
  const kind = given['timeframe'] === 'auto' ? pivotPeriodOf(timeframe) : (given['timeframe'] as PeriodKind)
  const limit = Math.min(candlesMax, (Number(given['pivotsBack']) + 2) * daysOf[kind])
  let wantedDay = Number.NaN
  let isStopped = false
  let generation = 0

  async function load(day: number): Promise<void> {
    generation += 1
    const asked = generation
    const page = await requestWithRetry(
      () => source.older({ slug, timeframe: '1D', toMs: day * dayMs, limit }),
      () => !isStopped && asked === generation,
    )
    if (!isStopped && asked === generation) onData(columnsOf(page.candles))
  }

  return {
    want(day, isAll) {
      if (day === wantedDay && !isAll) return
      wantedDay = day
      // Without an answer the pivots use the chart's candles, and the next day retries.
      load(day).catch(() => undefined)
    },
    stop: () => void (isStopped = true),
  }
}

/** Days by day number, and the weeks and months they form; the oldest week and month may be incomplete and are omitted. */
export function columnsOf(days: readonly CandleRow[]): OfficialColumns {
  const dayNumber = ([timeMs]: CandleRow) => Math.floor(timeMs / dayMs)
  return {
    day: periodsOf(days, dayNumber),
    week: withoutOldest(periodsOf(days, (row) => weekIdOf(dayNumber(row)))),
    month: withoutOldest(periodsOf(days, (row) => monthIdOf(dayNumber(row)))),
  }
}

function periodsOf(days: readonly CandleRow[], idOf: (row: CandleRow) => number): OfficialPeriods {
  const groups = [...Map.groupBy(days, idOf)]
  const column = (value: (rows: readonly CandleRow[]) => number) => Float64Array.from(groups, ([, rows]) => value(rows))
  return {
    length: groups.length,
    id: Float64Array.from(groups, ([id]) => id),
    open: column((rows) => rows[0]?.[1] ?? Number.NaN),
    high: column((rows) => Math.max(...rows.map((row) => row[2]))),
    low: column((rows) => Math.min(...rows.map((row) => row[3]))),
    close: column((rows) => rows.at(-1)?.[4] ?? Number.NaN),
  }
}

function withoutOldest({ length, id, open, high, low, close }: OfficialPeriods): OfficialPeriods {
  const [ids, opens, highs, lows, closes] = [id, open, high, low, close].map((column) => column.subarray(1)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  return { length: Math.max(0, length - 1), id: ids, open: opens, high: highs, low: lows, close: closes }
}
