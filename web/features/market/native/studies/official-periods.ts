// The daily candles of a series, and the weeks and months made of them, as pivots read them.
import { dayMs } from '#shared/base/durations.ts'
import { candlesMax } from '#shared/market/contract.ts'
import type { PeriodKind } from '#shared/market/indicators/period-bars.ts'
import { pivotpoint, pivotPeriodOf } from '#shared/market/indicators/pivotpoint.ts'
import { resolveInputs } from '#shared/market/indicators/inputs.ts'
import type { OfficialColumns, OfficialPeriods } from '#shared/market/indicators/study.ts'
import type { CandleRow } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { askPatiently } from '../ask-patiently.ts'
import type { CandleSource } from '../candle-source.ts'
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
  /** Loads the days before this one, a day number, unless they are there; anew where `isAll`. */
  want(day: number, isAll: boolean): void
  stop(): void
}

/** Most days of a period, and one period more than is shown, because the oldest may be cut off. */
const daysOf: Readonly<Record<PeriodKind, number>> = { day: 1, week: 7, month: 31 }

/** Undefined where daily-based values are off. */
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
    const page = await askPatiently(
      () => source.older({ slug, timeframe: '1D', toMs: day * dayMs, limit }),
      () => !isStopped && asked === generation,
    )
    if (!isStopped && asked === generation) onData(columnsOf(page.candles))
  }

  return {
    want(day, isAll) {
      if (day === wantedDay && !isAll) return
      wantedDay = day
      // Without an answer the pivots keep to the candles of the chart, and the next day asks again.
      load(day).catch(() => undefined)
    },
    stop: () => void (isStopped = true),
  }
}

/** Days by their number, and the weeks and months that they make; the oldest week and month may be cut off and are left out. */
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
