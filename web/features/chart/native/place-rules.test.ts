// What a chart shows after a change of timeframe or instrument.
import { describe, expect, test } from 'vitest'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { nextRange, type NextSeries, type SeenPlace } from './place-rules.ts'

const minuteMs = 60_000
/** A full day, so that bars of every length end with it. */
const newestMs = 10_080 * minuteMs
/** A plot of 1,200 px: 100 bars at the widest, 600 at the narrowest. */
const widthPx = 1_200

/** 1,000 bars of `stepMinutes`, the last of which holds the newest minute. */
function series(timeframe: Timeframe, stepMinutes: number, slug = 'btc-usdt'): NextSeries {
  const stepMs = stepMinutes * minuteMs
  const lastMs = Math.floor(newestMs / stepMs) * stepMs
  return { slug, timeframe, newest: 999, widthPx, indexOf: (timeMs) => 999 + (timeMs - lastMs) / stepMs }
}

const seen = { slug: 'btc-usdt', timeframe: '1', bars: 200 } as const
/** 190 minutes and room for ten. */
const atNewest: SeenPlace = {
  ...seen,
  fromMs: newestMs - 190 * minuteMs,
  toMs: newestMs + 10 * minuteMs,
  newest: { timeMs: newestMs, gap: 10 },
}
const older: SeenPlace = { ...seen, fromMs: newestMs - 900 * minuteMs, toMs: newestMs - 700 * minuteMs, newest: undefined }
const hours: SeenPlace = { ...older, timeframe: '60', fromMs: newestMs - 12_600 * minuteMs, toMs: newestMs - 600 * minuteMs }

describe('a view', () => {
  test.each([
    ['of the newest bar, on the same series, is the same', atNewest, series('1', 1), 200, 10],
    [
      'of the newest bar keeps its span of time',
      { ...atNewest, bars: 800, fromMs: newestMs - 760 * minuteMs, newest: { timeMs: newestMs, gap: 40 } },
      series('5', 5),
      160,
      8,
    ],
    ['of the newest bar does not get bars that are too wide', atNewest, series('60', 60), 100, 5],
    [
      'of the newest bar does not get bars that are too narrow',
      { ...atNewest, timeframe: '60', fromMs: newestMs - 11_400 * minuteMs },
      series('1', 1),
      600,
      30,
    ],
    ['of the newest bar keeps its number of bars on another instrument', atNewest, series('1', 1, 'eth-usdt'), 200, 10],
    [
      'that the user zoomed in keeps its number of bars on another instrument',
      { ...atNewest, bars: 20, newest: { timeMs: newestMs, gap: 1 } },
      series('1', 1, 'eth-usdt'),
      20,
      1,
    ],
    ['of older bars keeps its right edge and span of time', hours, series('30', 30), 400, -20],
    ['of older bars keeps its right edge where its span would be too wide', older, series('15', 15), 100, -700 / 15],
    ['of older bars keeps its right edge and its bars on another instrument', older, series('1', 1, 'eth-usdt'), 200, -700],
    [
      'of bars that another market does not have yet ends after its newest',
      { ...older, toMs: newestMs + 300 * minuteMs },
      series('1', 1, 'nifty'),
      200,
      6,
    ],
  ] as const)('%s', (_name, place, next, bars, gap) => {
    const range = nextRange(place, next) ?? expect.fail()
    expect(range.to - range.from).toBeCloseTo(bars, 6)
    expect(range.to - next.newest).toBeCloseTo(gap, 6)
  })

  test('of bars before the first one of the next series is not shown', () => {
    const range = nextRange({ ...older, toMs: newestMs - 2_000 * minuteMs }, series('1', 1, 'eth-usdt'))
    expect(range).toBeUndefined()
  })

  test('keeps its bars where the plot is not laid out yet', () => {
    const range = nextRange(atNewest, { ...series('60', 60), widthPx: 0 }) ?? expect.fail()
    expect(range.to - range.from).toBeCloseTo(200, 6)
  })
})
