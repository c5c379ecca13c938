// Renko SR Volume (Chart 5): support and resistance where Renko bricks reversed, weighted by volume.
import { atrWindows, automaticBrick, brickMax } from '../lib/automatic-brick.ts'
import { incrementalState } from '../lib/incremental-state.ts'
import { integerInput, type InputValues } from '../lib/study-input.ts'
import { type Provenance } from '../lib/provenance.ts'
import { inputText, plotText } from '#shared/indicators/text/en.ts'
import { defineStudy, type StudyContext } from '../lib/study.ts'
import { trueRange } from '../lib/true-range.ts'
import {
  calmAbove,
  calmBelow,
  carry,
  clearWalk,
  copyWalk,
  createBrickWalk,
  finishLevels,
  isCalm,
  walkClose,
  type BrickWalk,
} from '../lib/brick-walk.ts'

const inputs = {
  brick: { kind: 'number', label: inputText.brick, default: 0, min: 0, max: brickMax, step: 1, isInteger: false },
  atrLength: integerInput(inputText.brickLength, 14, [1, 1000]),
  levelCount: integerInput(inputText.levelCount, 6, [1, 20]),
} as const

/** Number of closed bars used: fixed, so that the levels do not depend on how much history is loaded. */
const windowBars = 1_500
/** Maximum bars of a current day: 24 hours of minutes. */
const dayBarsMax = 1_440

/**
 * Our definition. Bricks are built from the closes of the last 1,500 closed bars (see brick-walk.ts) and lie on multiples of the
 * brick size; each colour change leaves a level at the edge that reversed, with the volume of the swing that ended there; the
 * strongest `levelCount` are kept (see store-level.ts). The automatic brick is the ATR(n) of the last closed bar before the current
 * day (from 1D on before the current month), rounded to the tick and at least one. So all users get the same levels on every load.
 * Without volume the true range is used.
 */
export const renkoSRvolume = defineStudy({
  id: 'renkoSRvolume',
  provenances: ['volume', 'no-volume-true-range'],
  inputs,
  pane: 'price',
  historyBars: (given) => 1 + Math.max(windowBars, dayBarsMax + atrWindows * given.atrLength),
  plots: [{ kind: 'levels', names: [plotText.resistance, plotText.support], roles: ['resistance', 'support'], isWeighted: true }],
  create: createState,
})

function createState({ brick, atrLength, levelCount }: InputValues<typeof inputs>, context: StudyContext) {
  const closed = createBrickWalk(levelCount)
  const shown = createBrickWalk(levelCount)
  const rules = { brick, levelCount }
  const step = { index: 0, price: 0, weight: 0 }
  // The close before the walk's next bar, and whether `shown` equals `closed`.
  const previousClose = new Float64Array(1)
  let isShownClosed = false

  const reset = () => {
    clearWalk(closed)
    clearWalk(shown)
    previousClose[0] = Number.NaN
    rules.brick = brick
    isShownClosed = false
  }
  const read = (index: number) => {
    const { high, low, close, volume } = context.bars
    const weight = context.hasVolume
      ? (volume[index] as number)
      : trueRange(high[index] as number, low[index] as number, previousClose[0] as number)
    step.index = index
    step.price = close[index] as number
    step.weight = Number.isNaN(weight) ? 0 : weight
    return !Number.isNaN(step.price)
  }
  const run = (from: number, to: number, isClosed: boolean) => {
    if (!isClosed) {
      if (rules.brick > 0) showForming(from)
      return
    }
    // The window moves with every bar.
    reset()
    if (brick === 0) rules.brick = automaticBrick(context, to, atrLength)
    if (rules.brick === 0) return
    for (let walked = Math.max(0, to - windowBars); walked < to; walked += 1) {
      walked = walkCalm(context, closed, previousClose, walked, to)
      if (walked === to) break
      if (!read(walked)) continue
      walkClose(closed, step, rules)
      previousClose[0] = step.price
    }
  }
  /** Most ticks change no level, so the shown ones need no copy. */
  const showForming = (index: number) => {
    const isChange = read(index) && !isCalm(closed, step.price)
    if (!isChange && isShownClosed) return
    copyWalk(closed, shown)
    if (isChange) walkClose(shown, step, rules)
    isShownClosed = !isChange
    finishLevels(shown.levels, index)
  }
  const provenance = (): Provenance => (context.hasVolume ? 'volume' : 'no-volume-true-range')
  return incrementalState(context, { levels: shown.levels, reset, run, provenance })
}

/** Skips bars that only change the pending volume; most do, and this loop is their whole cost. Returns where it stopped. */
function walkCalm(context: StudyContext, walk: BrickWalk, previousClose: Float64Array, from: number, to: number): number {
  const { high, low, close, volume } = context.bars
  const below = calmBelow(walk)
  const above = calmAbove(walk)
  const { hasVolume } = context
  let before = previousClose[0] as number
  let total = 0
  let index = from
  for (; index < to; index += 1) {
    const price = close[index] as number
    if (!(price < below && price > above)) break
    const weight = hasVolume ? (volume[index] as number) : trueRange(high[index] as number, low[index] as number, before)
    if (!Number.isNaN(weight)) total += weight
    before = price
  }
  previousClose[0] = before
  carry(walk, total)
  return index
}
