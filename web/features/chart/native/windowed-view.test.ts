// How a tick reaches the chart: on the overlays alone where that is enough, else through the library.
import type { IChartApi } from 'lightweight-charts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { axisTimes } from './axis-times.ts'
import { barStore, plainBars } from './bar-store.ts'
import { WindowedView } from './windowed-view.ts'

const minuteMs = 60_000
const row = (minute: number, close = 10): CandleRow => [minute * minuteMs, 10, 20, 5, close, 1, null]
const rows = (count: number) => Array.from({ length: count }, (_, minute) => row(minute))

beforeEach(() => void vi.stubGlobal('requestAnimationFrame', () => 1))
afterEach(() => void vi.unstubAllGlobals())

/** A chart of these bars at the newest ones; `calls` are those of its layers. */
function viewOf(count: number) {
  const made = freshViewOf(count)
  made.view.renew()
  made.calls.length = 0
  return made
}

/** The same before the first draw. */
function freshViewOf(count: number) {
  const store = barStore()
  store.reset(rows(count))
  const calls: string[] = []
  const scale = {
    getVisibleLogicalRange: () => (axis.window.to === 0 ? null : { from: 0, to: 100 }),
    setVisibleLogicalRange: () => undefined,
    width: () => 1_000,
  }
  let canTouch = true
  const axis = axisTimes(null)
  const view = new WindowedView({
    chart: { timeScale: () => scale } as unknown as IChartApi,
    model: { shown: plainBars(store) },
    axis,
    layers: {
      draw: ({ from, to }, length) => void calls.push(`draw ${from}-${to} of ${length}`),
      advance: (from, length) => void calls.push(`advance ${from} of ${length}`),
      touch: (from, length) => {
        calls.push(`touch ${from} of ${length}`)
        return canTouch
      },
    },
  })
  return { store, axis, view, calls, refuse: () => (canTouch = false) }
}

describe('older bars', () => {
  it('that arrive before the first draw leave the newest ones in the window', () => {
    const { store, axis, view } = freshViewOf(10)
    store.reset(rows(310))
    view.shift(300, 'resting')
    view.renew()
    expect(axis.window.to).toBe(310)
    expect(axis.window.from).toBeLessThan(310)
  })
})

describe('a tick', () => {
  it('needs the library where a layer refuses it', () => {
    const { view, calls, refuse } = viewOf(10)
    refuse()
    expect([view.touch(9), view.isAhead]).toEqual([false, false])
    expect(view.advance(9)).toBe(true)
    expect(calls).toEqual(['touch 9 of 10', 'advance 9 of 10'])
  })

  it('needs the library when a bar was added, which is then in the window', () => {
    const { store, axis, view, calls } = viewOf(10)
    store.merge([row(10)])
    expect(view.touch(9)).toBe(false)
    expect(view.advance(9)).toBe(true)
    expect(calls).toEqual(['advance 9 of 11'])
    expect([axis.window.to, axis.of(10)]).toEqual([11, 600])
    expect(view.touch(10)).toBe(true)
  })

  it('that adds a bar redraws nothing while the view settles', () => {
    const { store, view, calls } = viewOf(90)
    store.merge([row(90)])
    view.follow('moving')
    view.advance(89)
    expect(calls).toEqual(['advance 89 of 91'])
  })

  it('changes the overlays alone, and the library is behind until it gets the bar or is redrawn', () => {
    const { view, calls } = viewOf(10)
    expect([view.touch(9), view.isAhead]).toEqual([true, true])
    expect(calls).toEqual(['touch 9 of 10'])
    view.advance(9)
    expect(view.isAhead).toBe(false)
    view.touch(9)
    view.redraw()
    expect(view.isAhead).toBe(false)
  })

  it('changes nothing far beyond a view of older bars', () => {
    const { store, view, calls } = viewOf(5_000)
    view.look(100, 200)
    calls.length = 0
    store.merge([row(4_999, 12)])
    expect([view.touch(4_999), view.advance(4_999), view.isAhead]).toEqual([true, false, false])
    expect(calls).toEqual([])
  })
})
