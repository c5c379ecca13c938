// When the clock closes a minute: soon after its end, later if the source's clock is behind, but within a limit.
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { BarCloseEstimator } from './source-minutes.ts'

const endMs = 10 * minuteMs
const lastMs = endMs - minuteMs

describe('a minute is over', () => {
  it('two seconds after its end, not before', () => {
    const closes = new BarCloseEstimator()
    expect(closes.isOver(lastMs, endMs + 1_999)).toBe(false)
    expect(closes.isOver(lastMs, endMs + 2_000)).toBe(true)
  })

  it('later if the source continued a minute that our clock had closed', () => {
    const closes = new BarCloseEstimator()
    closes.started(lastMs - minuteMs, lastMs - minuteMs + 30_500)
    closes.updatedLate(lastMs - minuteMs, lastMs + 30_000)
    closes.started(lastMs, lastMs + 30_100)
    expect(closes.isOver(lastMs, endMs + 31_999)).toBe(false)
    expect(closes.isOver(lastMs, endMs + 32_000)).toBe(true)
  })

  it('as before when the next minute starts in time: the source was slow, its clock is correct', () => {
    const closes = new BarCloseEstimator()
    closes.updatedLate(lastMs - minuteMs, lastMs + 30_000)
    closes.started(lastMs, lastMs + 100)
    expect(closes.isOver(lastMs, endMs + 2_099)).toBe(false)
    expect(closes.isOver(lastMs, endMs + 2_100)).toBe(true)
  })

  it('at the latest a minute and a half after that', () => {
    const closes = new BarCloseEstimator()
    closes.updatedLate(lastMs, endMs + hourMs)
    expect(closes.isOver(lastMs, endMs + 92_000)).toBe(true)
  })
})
