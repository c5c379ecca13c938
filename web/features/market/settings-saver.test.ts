// Bursts, failures and changes during a save.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noChartFlags, type ChartFlags } from '#shared/market/chart-flags.ts'
import { createSettingsSaver } from './settings-saver.ts'

const zigZag: ChartFlags = { ...noChartFlags, zigZag: true }
const both: ChartFlags = { ...zigZag, pivotpoint: true }
const tick = () => vi.advanceTimersByTimeAsync(0)

function start() {
  const told: (readonly [string, ChartFlags])[] = []
  const open: { readonly flags: ChartFlags; readonly succeed: () => void; readonly fail: () => void }[] = []
  const saver = createSettingsSaver({
    delayMs: 400,
    save: (flags) =>
      new Promise((resolve, reject) => {
        open.push({ flags, succeed: () => resolve(flags), fail: () => reject(new Error('no answer')) })
      }),
    onSaved: (flags) => told.push(['saved', flags]),
    onFailed: (flags) => told.push(['failed', flags]),
  })
  const answer = async (index: number, how: 'succeed' | 'fail') => {
    open[index]?.[how]()
    await tick()
  }
  return { saver, told, answer, sent: () => open.map((call) => call.flags) }
}

describe('the settings saver', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('saves a burst once, 400 ms after its last change', async () => {
    const { saver, sent, told, answer } = start()
    saver.change(zigZag, noChartFlags)
    await vi.advanceTimersByTimeAsync(300)
    saver.change(both, noChartFlags)
    await vi.advanceTimersByTimeAsync(399)
    expect(sent()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent()).toEqual([both])
    await answer(0, 'succeed')
    expect(told).toEqual([['saved', both]])
  })

  it('goes back to what was saved when the save fails', async () => {
    const { saver, told, answer } = start()
    saver.change(zigZag, noChartFlags)
    saver.flush()
    await answer(0, 'fail')
    expect(told).toEqual([['failed', noChartFlags]])
  })

  it('sends a change that came during a save after it, and tells once', async () => {
    const { saver, sent, told, answer } = start()
    saver.change(zigZag, noChartFlags)
    saver.flush()
    saver.change(both, zigZag)
    await vi.advanceTimersByTimeAsync(400)
    expect(sent()).toEqual([zigZag])
    await answer(0, 'succeed')
    expect(sent()).toEqual([zigZag, both])
    await answer(1, 'fail')
    expect(told).toEqual([['failed', zigZag]])
  })

  it('goes back past two failed saves', async () => {
    const { saver, told, answer } = start()
    saver.change(zigZag, noChartFlags)
    saver.flush()
    saver.change(both, zigZag)
    await answer(0, 'fail')
    await answer(1, 'fail')
    expect(told).toEqual([['failed', noChartFlags]])
  })

  it('saves nothing where nothing waits', async () => {
    const { saver, sent } = start()
    saver.flush()
    await tick()
    expect(sent()).toEqual([])
  })
})
