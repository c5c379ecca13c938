// Renko SR Volume (Chart 5): support and resistance where Renko bricks turned, weighted by volume.
import { atrWindows, automaticBrick, brickMax } from './automatic-brick.ts'
import { incrementalState } from './incremental.ts'
import { integerInput, type InputValues } from './inputs.ts'
import { type Provenance } from './provenance.ts'
import { inputText, plotText } from '#shared/text/en/studies.ts'
import { defineStudy, type StudyContext } from './study.ts'
import { trueRange } from './true-range.ts'
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
} from './turning-levels.ts'

const inputs = {
  brick: { kind: 'number', label: inputText.brick, default: 0, min: 0, max: brickMax, step: 1, isInteger: false },
  atrLength: integerInput(inputText.brickLength, 14, [1, 1000]),
  levelCount: integerInput(inputText.levelCount, 6, [1, 20]),
} as const

/** Closed bars that the levels are made of: a fixed number, so that they do not depend on how much history is loaded. */
const windowBars = 1_500
/** Most bars of a current day, which is one of minutes around the clock. */
const dayBarsMax = 1_440

/**
 * Our definition. Bricks come from the closes of the last 1,500 closed bars (see turning-levels.ts) and lie on multiples of the
 * brick; each change of colour leaves a level at the edge that turned, with the volume of the swing that ended there; the
 * strongest `levelCount` are kept (see level-store.ts). The automatic brick is the ATR(n) of the last closed bar before the current
 * day (from 1D on before the current month), rounded to the tick and at least one. So everyone gets the same levels on every load.
 * Without volume the true range takes its place.
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
  // The close before the next bar of the walk, and whether `shown` is the same as `closed`.
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
      walked = walkCalm(closed, walked, to)
      if (walked === to) break
      if (!read(walked)) continue
      walkClose(closed, step, rules)
      previousClose[0] = step.price
    }
  }
  /** Passes the bars that change nothing but the volume that waits; most do, and this loop is all they cost. Returns where it stopped. */
  const walkCalm = (walk: BrickWalk, from: number, to: number) => {
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
  /** Most ticks change no level, so that the shown ones need no copy. */
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
