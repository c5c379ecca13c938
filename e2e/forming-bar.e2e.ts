// The forming bar: after ticks the chart looks as if it had just been opened.
import { expect, type Page } from '@playwright/test'
import type { CandleRow } from '../shared/market-data/live/contract.ts'
import { candleStyles } from '../web/features/chart/native/chart-options.ts'
import { keeperOf, lookedAt, lookedAtTopic, show, type Look } from './harness/chart-looks.ts'
import { legend } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { differenceFrom, takeScreenshot } from './harness/screenshots.ts'
import { scriptTicks, type ScriptedTicks } from './harness/scripted-ticks.ts'
import { freezeClock } from './harness/frozen-server.ts'
import { expectEventually, sizes, test } from './harness/test.ts'

const groups: readonly (readonly [name: string, looks: readonly Look[]])[] = [
  ['every style', candleStyles.filter((style) => style !== 'renko').map((style) => ({ name: style, options: { style } }))],
  [
    'studies of every kind',
    [
      { name: 'lines in panes', studies: ['volumeDelta', 'bollinger', 'rsi', 'macd'] },
      // Two on the price scale: more are collapsed on a phone.
      { name: 'lines on the price', studies: ['supertrend', 'vwap'] },
      { name: 'corners', studies: ['zigZag', 'ema'] },
      { name: 'levels', studies: ['pivotpoint', 'renkoSRvolume'] },
      { name: 'coloured candles', studies: ['blockPressure', 'pricePercentageShadedCandel', 'atr'] },
    ],
  ],
]

for (const [sizeName, size] of sizes) {
  for (const [group, looks] of groups) {
    test(
      `after ticks a chart with ${group} looks as one that is opened then, at ${sizeName}`,
      { tag: '@slow' },
      async ({ open, frozenServer }) => {
        const person = await addPerson('premium', frozenServer)
        const keep = await keeperOf(person)
        await keep(looks[0] as Look)
        let ticks: ScriptedTicks | undefined
        const before = async (page: Page) => {
          await freezeClock(page)
          ticks = await scriptTicks(page, lookedAtTopic)
        }
        const { page } = await open(lookedAt, { as: person, engine: 'tezi', size, before })
        const different: string[] = []
        for (const look of looks) {
          ticks?.settle(undefined)
          await keep(look)
          await show(page, look)
          const rows = ticksAfter(ticks?.last() as CandleRow)
          for (const row of rows) {
            const before = await legend(page).textContent()
            ticks?.tick(row)
            await expectEventually(() => legend(page).textContent()).not.toBe(before)
          }
          const text = await legend(page).textContent()
          const ticked = await takeScreenshot(page.getByTestId('native-chart'))
          ticks?.settle(rows.at(-1))
          await show(page, look)
          await expectEventually(() => legend(page).textContent()).toBe(text)
          const pixels = await differenceFrom(page.getByTestId('native-chart'), ticked)
          if (pixels > 0) different.push(`${look.name}: ${pixels} pixels`)
        }
        expect(different).toEqual([])
      },
    )
  }
}

/** Down and up inside the candle, and slightly outside of it; with increasing volume. */
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
