// Zig Zag (Chart 3): the larger swings of the price as a line.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { stepMinutesOf } from '#shared/candles/timeframe.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type ChartKind, type InputValues } from '../lib/study-input.ts'
import { SwingList } from '../lib/swing-list.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { findPivot, findProjection } from '../lib/find-pivot.ts'

/** Deviation for a day, and the volatility of session classes relative to crypto. */
const dailyDeviationPercent = 5
const liveliness: Readonly<Record<SessionClass, number>> = {
  crypto: 1,
  'nse-equity': 0.6,
  'nse-index': 0.4,
  'bse-index': 0.4,
  cme: 0.4,
  comex: 0.4,
  metals: 0.4,
  fx: 0.15,
}

/** The default: 5 % from 1D on; below, scaled by the square root of the bar's part of a day and by session class, in hundredths. */
export function deviationFor({ timeframe, sessionClass }: ChartKind): number {
  const stepMinutes = stepMinutesOf(timeframe)
  if (stepMinutes === undefined) return dailyDeviationPercent
  const percent = dailyDeviationPercent * Math.sqrt((stepMinutes * minuteMs) / dayMs) * liveliness[sessionClass]
  return Math.max(0.01, Math.round(percent * 100) / 100)
}

const inputs = {
  deviationPercent: {
    kind: 'number',
    label: inputText.deviationPercent,
    default: dailyDeviationPercent,
    defaultFor: deviationFor,
    min: 0.00001,
    max: 100,
    step: 0.5,
    isInteger: false,
  },
  legs: integerInput(inputText.legs, 10, [2, 100]),
} as const

/**
 * With n = floor(legs / 2) a bar is a pivot high if its high is above the n highs before it and not below the n
 * after it; lows alike. The first pivot starts the line; an opposite one at least `deviationPercent` of the last
 * price away adds a corner; a more extreme one of the same side moves the last corner; others are ignored.
 * The last corner may be projected: see find-pivot.ts. At most 500 legs are kept.
 */
export const zigZag = defineStudy({
  id: 'zigZag',
  provenances: ['prices'],
  inputs,
  pane: 'price',
  plots: [{ kind: 'points', role: 'zig-zag', labels: plotText.pointLabels }],
  create: createState,
})

function createState({ deviationPercent, legs }: InputValues<typeof inputs>, context: StudyContext) {
  const reach = Math.floor(legs / 2)
  const swings = new SwingList(context, { deviationPercent, reach })
  const highs = { reach, side: 1 }
  const lows = { reach, side: -1 }
  const window = { reach, last: 0 }
  const span = { from: 0, to: 0 }
  const run = (from: number, to: number, isClosed: boolean) => {
    swings.restore()
    const { high, low } = context.bars
    const end = to - reach
    let counted = from
    // Not Math.max and Math.min, so that these stay small integers, which need no allocation.
    let first = swings.findLively(from < 2 * reach ? reach : from - reach, end)
    while (first < end) {
      span.from = first
      span.to = end - first > reach + 1 ? first + reach + 1 : end
      const top = findPivot(high, span, highs)
      const bottom = findPivot(low, span, lows)
      if ((top >= 0 || bottom >= 0) && span.to > counted) {
        swings.count(counted, span.to)
        counted = span.to
      }
      if (bottom >= 0 && bottom < top) swings.confirm(bottom, low, -1)
      if (top >= 0) swings.confirm(top, high, 1)
      if (bottom >= top && bottom >= 0) swings.confirm(bottom, low, -1)
      first = swings.findLively(span.to, end)
    }
    swings.count(counted, to)
    if (isClosed) return swings.save()
    window.last = to - 1
    findProjection(context.bars, window, swings)
  }
  return incrementalState(context, { points: swings.points, reset: () => swings.reset(), run, provenance: () => 'prices' })
}
