// Day, week and month of bars, also when only the newest ones are updated.
import { describe, expect, it } from 'vitest'
import { createBarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { periodIds } from './period-ids.ts'

const stamps = [
  '2025-12-30T03:45Z',
  '2025-12-31T03:45Z',
  '2025-12-31T09:59Z',
  '2026-01-01T03:45Z',
  '2026-01-02T03:45Z',
  '2026-01-05T03:45Z',
  '2026-01-05T03:46Z',
].map((text) => Date.parse(text))

function barsOf(count: number) {
  const bars = createBarColumns(stamps.length)
  bars.timeMs.set(stamps)
  bars.length = count
  return bars
}

const groupsOf = (ids: Float64Array) => Array.from(ids, (id) => ids.indexOf(id))

describe('periods of bars', () => {
  it('distinguish days, weeks from Monday, and months', () => {
    const periods = periodIds('nse-index', '1')
    periods.follow(barsOf(stamps.length), 0)
    const { columns } = periods
    expect(groupsOf(columns.dayId)).toEqual([0, 1, 1, 3, 4, 5, 5])
    expect(groupsOf(columns.weekId)).toEqual([0, 0, 0, 0, 0, 5, 5])
    expect(groupsOf(columns.monthId)).toEqual([0, 0, 0, 3, 3, 3, 3])
  })

  it.each(stamps.map((_, from) => [from]))('are the same when those from bar %i on are filled in later', (from) => {
    const whole = periodIds('nse-index', '1')
    whole.follow(barsOf(stamps.length), 0)
    const later = periodIds('nse-index', '1')
    later.follow(barsOf(from), 0)
    expect(later.columns.dayId.slice(0, from)).toEqual(whole.columns.dayId.slice(0, from))
    later.follow(barsOf(stamps.length), from)
    expect(later.columns).toEqual(whole.columns)
    expect(stamps.map((_, index) => later.dayAt(index))).toEqual(Array.from(whole.columns.dayId))
  })
})
