// Default brick size of Renko SR Volume: the same for every user and on every load.
import { dayMs } from '#shared/base/durations.ts'
import { stepMinutesOf } from '#shared/candles/timeframe.ts'
import type { StudyContext } from './study.ts'
import { trueRange } from './true-range.ts'

/** Bars for the ATR, in multiples of its length: earlier bars weigh less than a ten-thousandth. */
export const atrWindows = 10
export const brickMax = 1e9

/**
 * Brick size for the forming bar's day in whole ticks: ATR (Wilder) of the bar before that day, over at most ten times its length. If no
 * earlier day has enough bars, it is the ATR of the first closed bars; 0 while there are too few.
 */
export function automaticBrick(context: StudyContext, forming: number, atrLength: number): number {
  const { bars, tickSize } = context
  const end = startOfPeriod(context, forming)
  const isFresh = end < atrLength
  const last = isFresh ? Math.min(atrLength, forming) : end
  let previousClose = Number.NaN
  let average = 0
  let count = 0
  for (let index = isFresh ? 0 : Math.max(0, end - atrWindows * atrLength); index < last; index += 1) {
    const close = bars.close[index] as number
    const range = trueRange(bars.high[index] as number, bars.low[index] as number, previousClose)
    if (Number.isNaN(range + close)) continue
    previousClose = close
    if (count < atrLength) count += 1
    average += (range - average) / count
  }
  return last < atrLength || count === 0 ? 0 : Math.min(brickMax, tickSize * Math.max(1, Math.round(average / tickSize)))
}

/** First bar of a bar's day; from 1D on, of its month. */
function startOfPeriod({ bars, periods, timeframe }: StudyContext, at: number): number {
  const ids = stepMinutesOf(timeframe) === undefined ? periods?.monthId : periods?.dayId
  const idOf = (index: number) => ids?.[index] ?? Math.floor((bars.timeMs[index] as number) / dayMs)
  const id = idOf(at)
  let first = at
  while (first > 0 && idOf(first - 1) === id) first -= 1
  return first
}
