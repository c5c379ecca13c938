// Batching of changes between two frames, with scripted frames.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FrameScheduler, type Changed } from './frame-scheduler.ts'

let frames: (() => void)[] = []

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  vi.stubGlobal('cancelAnimationFrame', (id: number) => void (frames[id - 1] = () => undefined))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Changes painted one frame after these requests. */
function painted(act: (painter: FrameScheduler) => void): Changed[] {
  const paints: Changed[] = []
  frames = []
  act(new FrameScheduler((from) => paints.push(from)))
  for (const frame of frames) frame()
  return paints
}

test.each([
  [[5, 3, 9], 3],
  [[5, 'legend'], 5],
  [['overlay', 5], 5],
  [['overlay', 'legend'], 'overlay'],
  [['legend', 'overlay'], 'overlay'],
  [[5, 'all', 2], 'all'],
  [['legend', 'legend'], 'legend'],
] as const)('%j is painted once, as %s', (asked, from) => {
  expect(
    painted((painter) => {
      for (const one of asked) painter.ask(one)
    }),
  ).toEqual([from])
})

test('prepended bars shift the pending index, so that the right bars are drawn', () => {
  const ask5Then = (count: number) => painted((painter) => (painter.ask(5), painter.shift(count)))
  expect([ask5Then(2_000), ask5Then(-2), ask5Then(-9)]).toEqual([[2_005], [3], [0]])
  expect(painted((painter) => (painter.ask('all'), painter.shift(7)))).toEqual(['all'])
})

test('a flush paints pending changes at once and cancels the frame; it does nothing without pending changes', () => {
  expect(painted((painter) => (painter.flush(), painter.ask(4), painter.flush(), painter.flush()))).toEqual([4])
})

test('nothing is painted after stop', () => {
  expect(painted((painter) => (painter.ask(4), painter.stop()))).toEqual([])
})
