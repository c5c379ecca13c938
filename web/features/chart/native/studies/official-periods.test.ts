// Pivots from daily candles: what is requested and when, and stable levels however much of the chart is loaded.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { ApiError } from '#shared/http/api-error.ts'
import { pivotpoint } from '#shared/indicators/studies/pivotpoint.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { CandleSource, BackfillRequest } from '#web/features/market-data/candle-source.ts'
import { ChartModel } from '../chart-model.ts'
import { officialFollower } from './follow-official.ts'
import { columnsOf } from './official-periods.ts'
import type { StudyConfig } from './study-config.ts'

const nifty = findInstrument('nifty')
if (nifty === undefined) throw new Error('no instrument')
const dayMs = 86_400_000
const minuteMs = 60_000
const stampOf = (date: string) => Date.parse(`${date}T00:00Z`)
const configsOf = (inputs: Readonly<Record<string, boolean | string | number>> = {}, isHidden = false): readonly StudyConfig[] => [
  { id: 'pivotpoint', inputs, isHidden },
]

/** Daily candles of November 2026, whose closes differ from the minutes. */
const dates = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23']
const dailyOf = (date: string, index: number): CandleRow => [stampOf(date), 100 + index, 120 + index, 90 + index, 110 + index, null, null]
const days = dates.map(dailyOf)

/** Minutes of the last sessions; their last trade is not the daily close. */
const minutesOf = (count: number): CandleRow[] =>
  dates
    .flatMap((date) => {
      const { openMs = 0 } = calendarOf('nse-index').sessionOn(date) ?? {}
      return Array.from({ length: 40 }, (_, at): CandleRow => [
        openMs + at * minuteMs,
        100,
        101 + (at % 7),
        99 - (at % 5),
        100.5,
        null,
        null,
      ])
    })
    .slice(-count)

function world(
  timeframe: Timeframe = '1',
  answer: (request: BackfillRequest) => Promise<readonly CandleRow[]> = () => Promise.resolve(days),
) {
  const asked: BackfillRequest[] = []
  let arrived = 0
  const source: CandleSource = {
    open: () => () => undefined,
    async older(request) {
      asked.push(request)
      const rows = await answer(request)
      return { candles: rows.filter(([timeMs]) => timeMs < request.toMs), hasOlder: true }
    },
    clockOffsetMs: () => 0,
  }
  const model = new ChartModel(nifty as NonNullable<typeof nifty>, timeframe, 'candles')
  const follower = officialFollower({
    instrument: nifty as NonNullable<typeof nifty>,
    timeframe,
    source,
    model,
    onData: () => (arrived += 1),
  })
  return { asked, model, follower, arrived: () => arrived }
}

const settle = () => new Promise<void>((resolve) => void setTimeout(resolve, 0))

/** Price of the last period's pivot. */
function pivotOf({ model }: ReturnType<typeof world>, inputs: object = {}): number | undefined {
  const state = pivotpoint.create(inputs, model.context)
  state.full()
  const { levels } = state
  return levels === null ? undefined : levels.price.subarray(0, levels.count).at(-11)
}

test('nothing is requested without pivots, while they are hidden, or with daily-based values off', async () => {
  for (const configs of [configsOf({}, true), configsOf({ isDailyBased: false }), []]) {
    const here = world()
    here.model.reset(minutesOf(240), 'nse-index')
    here.follower.follow(configs)
    here.follower.align(true)
    await settle()
    expect([here.asked, here.arrived()]).toEqual([[], 0])
  }
})

test('the pivot of an intraday chart comes from the previous daily candle, not from the last minute', async () => {
  const here = world()
  here.model.reset(minutesOf(240), 'nse-index')
  expect(pivotOf(here)).toBeCloseTo((107 + 95 + 100.5) / 3, 9)
  here.follower.follow(configsOf())
  await settle()
  expect(here.asked).toEqual([{ slug: 'nifty', timeframe: '1D', toMs: stampOf('2026-11-23'), limit: 17 }])
  expect(here.arrived()).toBe(1)
  // Friday, 20 November: high 124, low 94, close 114.
  expect(pivotOf(here)).toBeCloseTo((124 + 94 + 114) / 3, 9)
  expect(pivotOf(here, { isDailyBased: false })).toBeCloseTo((107 + 95 + 100.5) / 3, 9)
})

test.each([
  ['15', {}, 17],
  ['60', {}, 17 * 7],
  ['1D', {}, 17 * 31],
  ['5', { timeframe: 'month', pivotsBack: 3 }, 5 * 31],
  ['5', { pivotsBack: 200 }, 202],
] as const)('on %s with %o this many days are requested: %d', async (timeframe, inputs, limit) => {
  const here = world(timeframe)
  here.model.reset(minutesOf(240), 'nse-index')
  here.follower.follow(configsOf(inputs))
  await settle()
  expect(here.asked.map((request) => request.limit)).toEqual([limit])
})

test('a new day triggers a request, bars of the same day do not, and replacing all bars does', async () => {
  const here = world()
  here.model.reset(minutesOf(240).slice(0, 200), 'nse-index')
  here.follower.follow(configsOf())
  here.follower.align(false)
  await settle()
  expect(here.asked.map(({ toMs }) => toMs)).toEqual([stampOf('2026-11-20')])
  here.model.merge(minutesOf(40))
  here.follower.align(false)
  here.follower.align(false)
  await settle()
  expect(here.asked.map(({ toMs }) => toMs)).toEqual(['2026-11-20', '2026-11-23'].map(stampOf))
  here.follower.align(true)
  await settle()
  expect(here.asked).toHaveLength(3)
})

test("without an answer the chart's candles are used, and a late answer after the pivots are gone is ignored", async () => {
  const failed = world('1', () => Promise.reject(new ApiError(500, { message: 'Broken' })))
  failed.model.reset(minutesOf(240), 'nse-index')
  failed.follower.follow(configsOf())
  await settle()
  expect([failed.arrived(), pivotOf(failed)]).toEqual([0, (107 + 95 + 100.5) / 3])
  const gone = world()
  gone.model.reset(minutesOf(240), 'nse-index')
  gone.follower.follow(configsOf())
  gone.follower.follow([])
  await settle()
  expect(gone.arrived()).toBe(0)
})

test('weeks and months are aggregated from days, without the oldest, which may be incomplete', () => {
  const rows = ['2026-09-30', '2026-10-01', '2026-10-30', '2026-11-02', '2026-11-06', '2026-11-09'].map(dailyOf)
  const { day, week, month } = columnsOf(rows)
  expect([...(day?.id ?? [])]).toEqual(rows.map(([timeMs]) => timeMs / dayMs))
  expect([...(week?.id ?? [])]).toEqual(['2026-10-26', '2026-11-02', '2026-11-09'].map((date) => stampOf(date) / dayMs))
  expect([week?.open[1], week?.high[1], week?.low[1], week?.close[1]]).toEqual([103, 124, 93, 114])
  expect([month?.length, month?.open[0], month?.high[0], month?.low[0], month?.close[0]]).toEqual([2, 101, 122, 91, 112])
  expect(columnsOf([])).toMatchObject({ day: { length: 0 }, week: { length: 0 }, month: { length: 0 } })
})

test('the levels of a period do not depend on how much of the chart is loaded', async () => {
  await assertProperty(
    fc.asyncProperty(fc.integer({ min: 1, max: 240 }), fc.integer({ min: 1, max: 240 }), async (one, other) => {
      const prices = await Promise.all(
        [one, other].map(async (count) => {
          const here = world()
          here.model.reset(minutesOf(count), 'nse-index')
          here.follower.follow(configsOf())
          await settle()
          return pivotOf(here)
        }),
      )
      expect(prices[0]).toBeCloseTo((124 + 94 + 114) / 3, 9)
      expect(prices[1]).toBe(prices[0])
    }),
    { numRuns: 30 },
  )
})
