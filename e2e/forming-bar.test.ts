// The forming bar, which ticks paint alone: after any of them the chart looks as if it had been opened then.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { CandleRow } from '../shared/market/live.ts'
import { candleStyles } from '../web/features/market/native/chart-options.ts'
import { keeperOf, lookedAt, lookedAtTopic, show, type Look } from './harness/looks.ts'
import { legend } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { differenceFrom, take } from './harness/pictures.ts'
import { scriptTicks, type ScriptedTicks } from './harness/scripted-ticks.ts'
import { standStill, startStillWorld, type StillWorld } from './harness/still-world.ts'
import { desktop, phone, test } from './harness/test.ts'

const looks: readonly Look[] = [
  ...candleStyles.filter((style) => style !== 'renko').map((style) => ({ name: style, options: { style } })),
  { name: 'lines in panes', studies: ['volumeDelta', 'bollinger', 'rsi', 'macd'] },
  // Two on the price: more are folded away on a phone.
  { name: 'lines on the price', studies: ['supertrend', 'vwap'] },
  { name: 'corners', studies: ['zigZag', 'ema'] },
  { name: 'levels', studies: ['pivotpoint', 'renkoSRvolume'] },
  { name: 'coloured candles', studies: ['blockPressure', 'pricePercentageShadedCandel', 'atr'] },
]

let world: StillWorld

beforeAll(async () => {
  world = await startStillWorld()
})
afterAll(() => world.stop())

test.for([
  ['1440', desktop],
  ['390', phone],
] as const)('a chart that has had ticks looks as one that is opened after them, at %s pixels', async ([, size], { open }) => {
  const person = await addPerson('premium', world.databaseUrl)
  const keep = await keeperOf(person, world.origin)
  await keep(looks[0] as Look)
  let ticks: ScriptedTicks | undefined
  const before = async (page: Page) => {
    await standStill(page)
    ticks = await scriptTicks(page, lookedAtTopic)
  }
  const { page } = await open(lookedAt, { as: person, origin: world.origin, size, before })
  const otherwise: string[] = []
  for (const look of looks) {
    ticks?.settle(undefined)
    await keep(look)
    await show(page, look)
    const rows = ticksAfter(ticks?.last() as CandleRow)
    for (const row of rows) {
      const before = await legend(page).textContent()
      ticks?.tick(row)
      await expect.poll(() => legend(page).textContent()).not.toBe(before)
    }
    const told = await legend(page).textContent()
    const ticked = await take(page.getByTestId('native-chart'))
    ticks?.settle(rows.at(-1))
    await show(page, look)
    await expect.poll(() => legend(page).textContent()).toBe(told)
    const differing = await differenceFrom(page.getByTestId('native-chart'), ticked)
    if (differing > 0) otherwise.push(`${look.name}: ${differing} pixels`)
  }
  expect(otherwise).toEqual([])
})

/** Down and up inside the candle, and a little out of it; more is traded each time. */
function ticksAfter([timeMs, open, high, low, , volume, bought]: CandleRow): readonly CandleRow[] {
  const range = high - low
  const at = (part: number, count: number): CandleRow => {
    const close = Math.round((low + part * range) * 100) / 100
    return [
      timeMs,
      open,
      Math.max(high, close),
      Math.min(low, close),
      close,
      (volume ?? 0) * (1 + count / 50),
      (bought ?? 0) * (1 + count / 25),
    ]
  }
  return [at(0.1, 1), at(0.8, 2), at(1.5, 3), at(1.1, 4)]
}
