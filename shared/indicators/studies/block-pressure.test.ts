// Block Pressure: small windows by hand, and 10,000 bars against a slow reference.
import { expect, test } from 'vitest'
import { blockPressure } from './block-pressure.ts'
import { type StudyContext } from '../lib/study.ts'
import { columnOf, contextOf, expectClose } from '../testing/contexts.ts'
import { randomContext } from '../testing/random-bars.ts'

const none = Number.NaN

function run(context: StudyContext, given: object = {}) {
  const state = blockPressure.create(given, context)
  state.full()
  return { pressure: columnOf(state, 'pressure', context.bars.length), blocks: columnOf(state, 'blocks', context.bars.length) }
}

// Closed at 3/4 of the range (m = 1/2), at the low (m = -1), without a range (m = 0), at the high (m = 1).
const rows = [
  [10, 14, 10, 13, 100],
  [13, 13, 11, 11, 300],
  [11, 11, 11, 11, 50],
  [11, 12, 11, 12, 150],
] as const

test.each([
  ['with volume', true, [none, (100 * (50 - 300)) / 400, (100 * -300) / 350, (100 * 150) / 200], [none, 2, 1, 9]],
  ['every bar the same without', false, [none, -25, -50, 50], [none, 4, 3, 8]],
] as const)('%s', (_, hasVolume, pressure, blocks) => {
  const ours = run(contextOf(rows, { hasVolume }), { length: 2 })
  expectClose(ours.pressure, pressure)
  expect(ours.blocks).toEqual(blocks)
})

test.each([
  ['only buyers', [10, 12, 10, 12, 5], 100, 10],
  ['only sellers', [10, 12, 10, 10, 5], -100, 0],
  ['neither', [10, 12, 10, 11, 5], 0, 5],
  ['nothing traded', [10, 12, 10, 12, 0], none, none],
  ['volume not known', [10, 12, 10, 12], none, none],
  ['close not known', [10, 10, 10, none, 5], none, none],
] as const)('%s', (_, row, pressure, blocks) => {
  expect(run(contextOf([row]), { length: 1 })).toEqual({ pressure: [pressure], blocks: [blocks] })
})

test('a huge volume leaves no trace after it has left the window', () => {
  const calm = Array.from({ length: 60 }, (_, index) => [10, 12, 10, index === 3 ? 12 : 10.5, index === 3 ? 1e17 : 1] as const)
  expectClose(
    run(contextOf(calm)).pressure.slice(24),
    Array.from({ length: 36 }, () => -50),
  )
})

test.each([true, false])('on 10,000 bars it equals the sums over each window (volume: %s)', (hasVolume) => {
  const context = { ...randomContext({ count: 10_000, seed: 19 }), hasVolume }
  const { high, low, close, volume } = context.bars
  const weights = [...volume].map((value) => (hasVolume ? value : 1))
  const flows = weights.map((weight, index) => {
    const [h, l, c] = [high[index] ?? none, low[index] ?? none, close[index] ?? none]
    return h === l ? 0 : ((2 * c - h - l) / (h - l)) * weight
  })
  const sum = (values: readonly number[], end: number) => values.slice(end - 19, end + 1).reduce((total, value) => total + value, 0)
  const expected = flows.map((_, index) => (index < 19 ? none : (100 * sum(flows, index)) / sum(weights, index)))
  const ours = run(context)
  expectClose(ours.pressure, expected)
  expect(ours.blocks.slice(19)).toEqual(expected.slice(19).map((value) => Math.round((10 * (1 + value / 100)) / 2)))
})
