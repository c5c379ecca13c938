// Missing candles are marked on the timeframes that are built from them.
import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { missingTimes } from './missing-candles.ts'

const missing = [
  { fromMs: 9 * minuteMs, stepMs: minuteMs, source: 'Kraken' },
  { fromMs: 3 * minuteMs, stepMs: minuteMs, source: 'Kraken' },
  { fromMs: 2 * hourMs, stepMs: hourMs, source: 'Kraken' },
  { fromMs: 5 * dayMs, stepMs: dayMs, source: 'Kraken' },
  { fromMs: 6 * dayMs, stepMs: dayMs, source: 'Binance' },
]

test.each([
  ['1', [3 * minuteMs, 9 * minuteMs]],
  ['30', [3 * minuteMs, 9 * minuteMs]],
  ['60', [2 * hourMs]],
  ['240', [2 * hourMs]],
  ['1D', [5 * dayMs]],
  ['1W', [5 * dayMs]],
] as const)('on %s', (timeframe, times) => {
  expect(missingTimes(missing, 'Kraken', timeframe)).toEqual(times)
})
