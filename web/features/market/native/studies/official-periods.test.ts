// Pivots from the daily candles: which are asked for and when, and the same levels however much of the chart is loaded.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { ApiError } from '#shared/http/errors.ts'
import { pivotpoint } from '#shared/market/indicators/pivotpoint.ts'
import { studies } from '#shared/market/indicators/registry.ts'
import { findInstrument } from '#shared/market/instruments.ts'
import type { CandleRow } from '#shared/market/live.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { CandleSource, OlderWish } from '../candle-source.ts'
import { chartModel } from '../chart-model.ts'
import { officialFollower } from './follow-official.ts'
import { columnsOf, officialFeed } from './official-periods.ts'
import type { StudyKit } from './study-kit.ts'
import type { StudyPicture } from './study-picture.ts'

const nifty = findInstrument('nifty')
if (nifty === undefined) throw new Error('no instrument')
const dayMs = 86_400_000
const minuteMs = 60_000
const stampOf = (date: string) => Date.parse(`${date}T00:00Z`)
const kit: StudyKit = { studies, officialOf: officialFeed, intrabarsOf: () => undefined, layersOf: () => expect.unreachable() }
const pictureOf = (inputs: Readonly<Record<string, boolean | string | number>> = {}, isHidden = false): StudyPicture => ({
  kit,
  wishes: [{ id: 'pivotpoint', inputs, isHidden }],
})

/** The daily candles of November 2026, whose closes are no trade of the minutes. */
const dates = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23']
const dailyOf = (date: string, index: number): CandleRow => [stampOf(date), 100 + index, 120 + index, 90 + index, 110 + index, null, null]
const days = dates.map(dailyOf)

/** Minutes of the last sessions; their last trade is not the close of the day. */
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

function world(timeframe: Timeframe = '1', answer: (wish: OlderWish) => Promise<readonly CandleRow[]> = () => Promise.resolve(days)) {
  const asked: OlderWish[] = []
  let arrived = 0
  const source: CandleSource = {
    open: () => () => undefined,
    async older(wish) {
      asked.push(wish)
      const rows = await answer(wish)
      return { candles: rows.filter(([timeMs]) => timeMs < wish.toMs), hasOlder: true }
    },
    clockOffsetMs: () => 0,
  }
  const model = chartModel(nifty as NonNullable<typeof nifty>, timeframe, 'candles')
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

/** Price of the pivot of the last period. */
function pivotOf({ model }: ReturnType<typeof world>, inputs: object = {}): number | undefined {
  const state = pivotpoint.create(inputs, model.context)
  state.full()
  const { levels } = state
  return levels === null ? undefined : levels.price.subarray(0, levels.count).at(-11)
}

test('nothing is asked for without pivots, while they are hidden, and where daily-based values are off', async () => {
  for (const picture of [undefined, pictureOf({}, true), pictureOf({ isDailyBased: false }), { kit, wishes: [] }]) {
    const here = world()
    here.model.reset(minutesOf(240), 'nse-index')
    here.follower.follow(picture)
    here.follower.align(true)
    await settle()
    expect([here.asked, here.arrived()]).toEqual([[], 0])
  }
})

test('the pivot of an intraday chart comes from the daily candle before, not from the last minute', async () => {
  const here = world()
  here.model.reset(minutesOf(240), 'nse-index')
  expect(pivotOf(here)).toBeCloseTo((107 + 95 + 100.5) / 3, 9)
  here.follower.follow(pictureOf())
  await settle()
  expect(here.asked).toEqual([{ slug: 'nifty', timeframe: '1D', toMs: stampOf('2026-11-23'), limit: 17 }])
  expect(here.arrived()).toBe(1)
  // The day of Friday, 20 November: high 124, low 94, close 114.
  expect(pivotOf(here)).toBeCloseTo((124 + 94 + 114) / 3, 9)
  expect(pivotOf(here, { isDailyBased: false })).toBeCloseTo((107 + 95 + 100.5) / 3, 9)
})

test.each([
  ['15', {}, 17],
  ['60', {}, 17 * 7],
  ['1D', {}, 17 * 31],
  ['5', { timeframe: 'month', pivotsBack: 3 }, 5 * 31],
  ['5', { pivotsBack: 200 }, 202],
] as const)('on %s with %o so many days are asked for: %d', async (timeframe, inputs, limit) => {
  const here = world(timeframe)
  here.model.reset(minutesOf(240), 'nse-index')
  here.follower.follow(pictureOf(inputs))
  await settle()
  expect(here.asked.map((wish) => wish.limit)).toEqual([limit])
})

test('a new day asks again, bars of the same day do not, and all bars anew do', async () => {
  const here = world()
  here.model.reset(minutesOf(240).slice(0, 200), 'nse-index')
  here.follower.follow(pictureOf())
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

test('without an answer the candles of the chart serve, and after the pivots are gone an answer changes nothing', async () => {
  const failed = world('1', () => Promise.reject(new ApiError(500, { message: 'Broken' })))
  failed.model.reset(minutesOf(240), 'nse-index')
  failed.follower.follow(pictureOf())
  await settle()
  expect([failed.arrived(), pivotOf(failed)]).toEqual([0, (107 + 95 + 100.5) / 3])
  const gone = world()
  gone.model.reset(minutesOf(240), 'nse-index')
  gone.follower.follow(pictureOf())
  gone.follower.follow(undefined)
  await settle()
  expect(gone.arrived()).toBe(0)
})

test('weeks and months are made of days, without the oldest, which may be cut off', () => {
  const rows = ['2026-09-30', '2026-10-01', '2026-10-30', '2026-11-02', '2026-11-06', '2026-11-09'].map(dailyOf)
  const { day, week, month } = columnsOf(rows)
  expect([...(day?.id ?? [])]).toEqual(rows.map(([timeMs]) => timeMs / dayMs))
  expect([...(week?.id ?? [])]).toEqual(['2026-10-26', '2026-11-02', '2026-11-09'].map((date) => stampOf(date) / dayMs))
  expect([week?.open[1], week?.high[1], week?.low[1], week?.close[1]]).toEqual([103, 124, 93, 114])
  expect([month?.length, month?.open[0], month?.high[0], month?.low[0], month?.close[0]]).toEqual([2, 101, 122, 91, 112])
  expect(columnsOf([])).toMatchObject({ day: { length: 0 }, week: { length: 0 }, month: { length: 0 } })
})

test('the levels of a period are the same however much of the chart is loaded', async () => {
  await assertProperty(
    fc.asyncProperty(fc.integer({ min: 1, max: 240 }), fc.integer({ min: 1, max: 240 }), async (one, other) => {
      const prices = await Promise.all(
        [one, other].map(async (count) => {
          const here = world()
          here.model.reset(minutesOf(count), 'nse-index')
          here.follower.follow(pictureOf())
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
