// Pivot Points: a worked example of every type, source periods, and 10,000 bars against a slow reference.
import { describe, expect, test } from 'vitest'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { pivotNames, pivotTypes, type PivotType } from '../lib/write-pivot-levels.ts'
import { pivotPeriodOf, pivotpoint } from './pivotpoint.ts'
import { type OfficialPeriods, type PeriodColumns, type StudyContext } from '../lib/study.ts'
import { contextOf, expectClose } from '../testing/contexts.ts'
import { randomContext } from '../testing/random-bars.ts'

const none = Number.NaN
type Level = { name: string; price: number; from: number; to: number }

function levelsOf(context: StudyContext, given: object = {}): Level[] {
  const state = pivotpoint.create(given, context)
  state.full()
  const { levels } = state
  if (levels === null) throw new Error('no levels')
  return Array.from({ length: levels.count }, (_, at) => ({
    name: pivotNames[levels.code[at] ?? -1] ?? 'none',
    price: levels.price[at] ?? none,
    from: levels.fromIndex[at] ?? none,
    to: levels.toIndex[at] ?? none,
  }))
}

const prices = (levels: readonly Level[]) => Object.fromEntries(levels.map(({ name, price }) => [name, price]))

function periods(dayId: readonly number[], rest: Partial<PeriodColumns> = {}): PeriodColumns {
  const same = Float64Array.from(dayId)
  return { dayId: same, weekId: same, monthId: same, isFirstWhole: true, ...rest }
}

// Yesterday opened at 101, reached 110 and 100 and closed at 108; today opened at 109.
const rows = [
  [101, 105, 100, 104],
  [104, 110, 103, 108],
  [109, 109.5, 108.5, 109],
  [109, 111, 108, 110],
] as const
const example = contextOf(rows, { periods: periods([1, 1, 2, 2]) })

describe('H 110, L 100, C 108, O 101 and today open 109', () => {
  const range = 10
  const fullRows: Record<PivotType, Record<string, number>> = {
    traditional: { P: 106, R1: 112, S1: 102, R2: 116, S2: 96, R3: 122, S3: 92, R4: 128, S4: 88, R5: 134, S5: 84 },
    fibonacci: { P: 106, R1: 109.82, S1: 102.18, R2: 112.18, S2: 99.82, R3: 116, S3: 96 },
    woodie: { P: 107, R1: 114, S1: 104, R2: 117, S2: 97, R3: 124, S3: 94, R4: 134, S4: 84 },
    classic: { P: 106, R1: 112, S1: 102, R2: 116, S2: 96, R3: 126, S3: 86, R4: 136, S4: 76 },
    dm: { P: 107, R1: 114, S1: 104 },
    camarilla: {
      P: 106,
      R1: 108 + (1.1 * range) / 12,
      S1: 108 - (1.1 * range) / 12,
      R2: 108 + (1.1 * range) / 6,
      S2: 108 - (1.1 * range) / 6,
      R3: 110.75,
      S3: 105.25,
      R4: 113.5,
      S4: 102.5,
      R5: 118.8,
      S5: 97.2,
    },
  }
  test.each(pivotTypes)('%s', (type) => {
    const actual = prices(levelsOf(example, { type }))
    expect(Object.keys(actual)).toEqual(Object.keys(fullRows[type]))
    expectClose(Object.values(actual), Object.values(fullRows[type]))
  })

  test.each([
    ['fell', 101, 99, (2 * 98 + 110 + 99) / 4],
    ['closed where it opened', 101, 101, (110 + 98 + 2 * 101) / 4],
  ])('DM of a day that %s', (_, open, close, pivot) => {
    const context = contextOf(
      [
        [open, 110, 98, close],
        [100, 100, 100, 100],
      ],
      { periods: periods([1, 2]) },
    )
    expectClose([prices(levelsOf(context, { type: 'dm' }))['P'] ?? none], [pivot])
  })
})

describe('periods', () => {
  test('last from their own first bar to their latest one', () => {
    const all = levelsOf(contextOf([...rows, rows[3]], { periods: periods([1, 1, 2, 2, 3]) }), { type: 'dm' })
    expect(all.map(({ from, to }) => [from, to])).toEqual([
      [2, 3],
      [2, 3],
      [2, 3],
      [4, 4],
      [4, 4],
      [4, 4],
    ])
  })

  test('an incomplete first period gives no levels', () => {
    const cut = periods([1, 1, 2, 3], { isFirstWhole: false })
    expect(new Set(levelsOf(contextOf(rows, { periods: cut })).map(({ from }) => from))).toEqual(new Set([3]))
  })

  test('older periods are dropped', () => {
    const dayId = Array.from({ length: 30 }, (_, index) => index)
    const context = contextOf(
      dayId.map(() => rows[0]),
      { periods: periods(dayId) },
    )
    const starts = (given: object) => [...new Set(levelsOf(context, given).map(({ from }) => from))]
    expect(starts({ pivotsBack: 3, type: 'dm' })).toEqual([27, 28, 29])
    expect(starts({})).toEqual(dayId.slice(15))
  })

  test('follow the chart: a day up to 15m, a week below a day, else a month; or the selected one', () => {
    const expected = ['day', 'day', 'day', 'day', 'week', 'week', 'week', 'week', 'month', 'month', 'month']
    expect(knownTimeframes.map((timeframe) => pivotPeriodOf(timeframe))).toEqual(expected)
    const split = { ...periods([1, 1, 1, 1]), weekId: Float64Array.of(1, 2, 2, 2) }
    expect(levelsOf(contextOf(rows, { periods: split }))).toEqual([])
    expect(levelsOf(contextOf(rows, { periods: split, timeframe: '60' }))[0]?.from).toBe(1)
    expect(levelsOf(contextOf(rows, { periods: split }), { timeframe: 'week' })[0]?.from).toBe(1)
  })
})

describe("the exchange's own bars", () => {
  const column = (...values: number[]) => Float64Array.from(values)
  const official: OfficialPeriods = {
    length: 2,
    id: column(0, 1),
    open: column(1, 101),
    high: column(1, 110),
    low: column(1, 100),
    close: column(1, 109.5),
  }
  const given = { type: 'traditional' }
  const pivotOf = (day: OfficialPeriods, settings: object, rest: Partial<PeriodColumns> = {}) =>
    prices(
      levelsOf(contextOf(rows, { periods: periods([1, 1, 2, 2], { official: { day }, ...rest }) }), { ...given, ...settings }).slice(-11),
    )['P']

  test('take precedence, with the close of the auction, unless daily-based values are off', () => {
    expect(pivotOf(official, {})).toBeCloseTo(319.5 / 3, 9)
    expect(pivotOf(official, { isDailyBased: false })).toBe(106)
  })

  test('are skipped if the previous one is not available yet', () => {
    expect(pivotOf({ ...official, length: 1 }, {})).toBe(106)
    expect(pivotOf({ ...official, length: 0 }, {})).toBe(106)
  })

  test('are used for the first period on the chart and for one after an incomplete one', () => {
    const rest = { isFirstWhole: false }
    expect(pivotOf(official, {}, rest)).toBeCloseTo(319.5 / 3, 9)
    const periodsHere = periods([1, 1, 2, 2], { official: { day: official }, ...rest })
    expect(levelsOf(contextOf(rows, { periods: periodsHere }), given)[0]).toMatchObject({ name: 'P', price: 1, from: 0, to: 1 })
  })
})

test.each(pivotTypes)('%s on 10,000 bars equals grouping the bars by day', (type) => {
  const context = { ...randomContext({ count: 10_000, seed: 17 }), timeframe: '5' } as const
  const groups = Map.groupBy(context.bars.close.keys(), (index) => context.periods.dayId[index] ?? none)
  const days = [...groups.values()]
  const expected = days.slice(-15).map((day, at) => {
    const before = days[days.length - 15 + at - 1] ?? []
    const h = Math.max(...before.map((index) => context.bars.high[index] ?? none))
    const l = Math.min(...before.map((index) => context.bars.low[index] ?? none))
    const c = context.bars.close[before.at(-1) ?? -1] ?? none
    const o = context.bars.open[before[0] ?? -1] ?? none
    const x = c === o ? h + l + 2 * c : c > o ? 2 * h + l + c : 2 * l + h + c
    if (type === 'dm') return x / 4
    return type === 'woodie' ? (h + l + 2 * (context.bars.open[day[0] ?? -1] ?? none)) / 4 : (h + l + c) / 3
  })
  const ours = levelsOf(context, { type }).filter(({ name }) => name === 'P')
  expectClose(
    ours.map(({ price }) => price),
    expected,
  )
})
