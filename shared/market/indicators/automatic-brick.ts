// The brick of Renko SR Volume where the user has set none: the same for everyone and on every load.
import { dayMs } from '../../base/durations.ts'
import { stepMinutesOf } from '../timeframe-step.ts'
import type { StudyContext } from './study.ts'
import { trueRange } from './true-range.ts'

/** Bars of the ATR, in multiples of its length: what lies before them weighs less than a ten-thousandth. */
export const atrWindows = 10
export const brickMax = 1e9

/**
 * Brick for the day of the forming bar in whole ticks: ATR (Wilder) of the bar before it, of at most ten times its length. Where no day
 * before has enough bars it is the ATR of the first closed bars; 0 while there are too few.
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

/** First bar of the day of a bar; from 1D on of its month. */
function startOfPeriod({ bars, periods, timeframe }: StudyContext, at: number): number {
  const ids = stepMinutesOf(timeframe) === undefined ? periods?.monthId : periods?.dayId
  const idOf = (index: number) => ids?.[index] ?? Math.floor((bars.timeMs[index] as number) / dayMs)
  const id = idOf(at)
  let first = at
  while (first > 0 && idOf(first - 1) === id) first -= 1
  return first
}
