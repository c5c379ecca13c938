// What is gathered between two frames, played with frames of our own.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { oncePerFrame, type Changed } from './once-per-frame.ts'

let frames: (() => void)[] = []

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  vi.stubGlobal('cancelAnimationFrame', (id: number) => void (frames[id - 1] = () => undefined))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Paints of what was asked, after one frame. */
function painted(act: (painter: ReturnType<typeof oncePerFrame>) => void): Changed[] {
  const paints: Changed[] = []
  frames = []
  act(oncePerFrame((from) => paints.push(from)))
  for (const frame of frames) frame()
  return paints
}

test.each([
  [[5, 3, 9], 3],
  [[5, 'none'], 5],
  [['none', 5], 5],
  [[5, 'all', 2], 'all'],
  [['none', 'none'], 'none'],
] as const)('%j is painted once, as %s', (asked, from) => {
  expect(
    painted(({ ask }) => {
      for (const one of asked) ask(one)
    }),
  ).toEqual([from])
})

test('bars that come before the others move what waits, so that no bar of another place is drawn', () => {
  const ask5Then = (count: number) => painted(({ ask, shift }) => (ask(5), shift(count)))
  expect([ask5Then(2_000), ask5Then(-2), ask5Then(-9)]).toEqual([[2_005], [3], [0]])
  expect(painted(({ ask, shift }) => (ask('all'), shift(7)))).toEqual(['all'])
})

test('a flush paints at once what waits and leaves nothing for the frame; without anything it does nothing', () => {
  expect(painted(({ ask, flush }) => (flush(), ask(4), flush(), flush()))).toEqual([4])
})

test('nothing is painted after the stop', () => {
  expect(painted(({ ask, stop }) => (ask(4), stop()))).toEqual([])
})
