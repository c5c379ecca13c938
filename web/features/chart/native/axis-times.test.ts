// Axis times: wall clock of the zone, always ascending.
import { describe, expect, it } from 'vitest'
import { createBarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { axisTimes } from './axis-times.ts'
import { zoneOffset } from './zone-offset.ts'

const hourMs = 3_600_000

function barsAt(stamps: readonly number[]) {
  const bars = createBarColumns(stamps.length)
  bars.timeMs.set(stamps)
  bars.length = stamps.length
  return bars
}

function axisOf(stamps: readonly number[], zone: string | null) {
  const axis = axisTimes(zone === null ? null : zoneOffset(zone))
  axis.fill(barsAt(stamps), { from: 0, to: stamps.length, step: 1 })
  return stamps.map((_, index) => new Date(axis.of(index) * 1000).toISOString().slice(0, 19))
}

describe('axis times', () => {
  it('are wall clock times of India', () => {
    expect(axisOf([Date.parse('2026-11-20T03:45:00Z')], 'Asia/Kolkata')).toEqual(['2026-11-20T09:15:00'])
  })

  it('follow daylight saving time in New York across both changes', () => {
    const stamps = ['2026-10-30T13:30:00Z', '2026-11-02T14:30:00Z'].map((text) => Date.parse(text))
    expect(axisOf(stamps, 'America/New_York')).toEqual(['2026-10-30T09:30:00', '2026-11-02T09:30:00'])
  })

  it('ascend also when the clock repeats an hour', () => {
    const start = Date.parse('2026-11-01T04:30:00Z')
    const stamps = Array.from({ length: 5 }, (_, at) => start + at * hourMs)
    expect(axisOf(stamps, 'America/New_York')).toEqual([
      '2026-11-01T00:30:00',
      '2026-11-01T01:30:00',
      '2026-11-01T01:30:01',
      '2026-11-01T02:30:00',
      '2026-11-01T03:30:00',
    ])
  })

  it('leave dates unchanged', () => {
    expect(axisOf([Date.parse('2026-11-20T00:00:00Z')], null)).toEqual(['2026-11-20T00:00:00'])
  })

  it('are unique for the bricks of one candle, and map back to each', () => {
    const axis = axisTimes(null)
    const bars = barsAt([60_000, 60_000, 60_000, 120_000])
    axis.fill(bars, { from: 0, to: 4, step: 1 })
    expect([0, 1, 2, 3].map((index) => axis.of(index))).toEqual([60, 61, 62, 120])
    expect([59, 60, 61, 62, 119, 120, 500].map((seconds) => axis.indexOf(seconds))).toEqual([-1, 0, 1, 2, 2, 3, 3])
  })

  it('are extended for new bars without moving the earlier ones', () => {
    const axis = axisTimes(null)
    const bars = barsAt([60_000, 120_000, 180_000, 240_000])
    axis.fill(bars, { from: 1, to: 3, step: 1 })
    axis.extend(bars, 3, { from: 1, to: 4, step: 1 })
    expect([1, 2, 3].map((index) => axis.of(index))).toEqual([120, 180, 240])
    expect(axis.indexOf(180)).toBe(2)
  })

  it('are those of the first bar of each group when bars are grouped', () => {
    const axis = axisTimes(null)
    const bars = barsAt([1, 2, 3, 4, 5, 6, 7].map((at) => at * 1_000))
    axis.fill(bars, { from: -1, to: 6, step: 2 })
    expect([0, 1, 2, 3, 4, 5].map((index) => axis.of(index))).toEqual([1, 2, 2, 4, 4, 6])
    axis.extend(bars, 6, { from: -1, to: 7, step: 2 })
    expect(axis.of(6)).toBe(6)
    expect([0, 1, 2, 3, 4, 9].map((seconds) => axis.indexOf(seconds))).toEqual([-2, 0, 1, 1, 3, 5])
  })
})
