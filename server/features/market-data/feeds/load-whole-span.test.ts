// Providers whose responses are shorter than requested: every row arrives, and closed hours are not requested.
import { expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minutesBetween } from '#server/testing/candles.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import { loadWholeSpan } from './load-whole-span.ts'

const fromMs = Date.parse('2026-11-20T03:45:00Z')
const span = { fromMs, toMs: fromMs + 24 * hourMs }
const all = minutesBetween(span.fromMs, span.toMs)

/** A provider that returns at most `rowsMax` rows, the first or the last ones. */
function provider(rowsMax: number, isNewestFirst: boolean, rows = all) {
  const asked: TimeSpan[] = []
  return {
    asked,
    load: (part: TimeSpan) => {
      asked.push(part)
      const found = rows.filter(({ timeMs }) => timeMs >= part.fromMs && timeMs < part.toMs)
      return Promise.resolve(isNewestFirst ? found.slice(-rowsMax) : found.slice(0, rowsMax))
    },
  }
}

test('asked for 1,440 minutes, a provider that returns 500 at a time is asked until the end', async () => {
  for (const isNewestFirst of [false, true]) {
    const { load, asked } = provider(500, isNewestFirst)
    expect(await loadWholeSpan(span, { step: '1m', sessionClass: null, load })).toEqual(all)
    expect(asked).toHaveLength(3)
  }
})

test('any shortness and any quiet minutes, and no row twice', async () => {
  await assertProperty(
    fc.asyncProperty(
      fc.integer({ min: 60, max: 2_000 }),
      fc.boolean(),
      fc.array(fc.nat(1_439), { maxLength: 60 }),
      async (rowsMax, way, quiet) => {
        const rows = all.filter((_, index) => !quiet.includes(index))
        const { load } = provider(rowsMax, way, rows)
        expect(await loadWholeSpan(span, { step: '1m', sessionClass: null, load })).toEqual(rows)
      },
    ),
  )
})

test('a provider that adds rows around the asked part leaves every row once and in order', async () => {
  const first = all[100]?.timeMs ?? 0
  const margin = minutesBetween(span.fromMs - hourMs, span.toMs + hourMs).filter(({ timeMs }) => timeMs < span.fromMs || timeMs >= first)
  const isOutside = ({ timeMs }: { timeMs: number }) => timeMs < span.fromMs || timeMs >= span.toMs
  // As Kraken: rows up to the present, whatever is asked; and a page that has nothing of the part.
  const toThePresent = ({ fromMs: sinceMs }: TimeSpan) => Promise.resolve(margin.filter(({ timeMs }) => timeMs >= sinceMs - hourMs))
  const found = await loadWholeSpan(span, { step: '1m', sessionClass: null, load: toThePresent })
  expect(found).toEqual(margin)
  const half = span.fromMs + 12 * hourMs
  const startsLate = (part: TimeSpan) =>
    Promise.resolve(margin.filter((row) => isOutside(row) || (row.timeMs >= Math.max(part.fromMs, half) && row.timeMs < part.toMs)))
  expect(await loadWholeSpan(span, { step: '1m', sessionClass: null, load: startsLate })).toEqual(
    margin.filter((row) => isOutside(row) || row.timeMs >= half),
  )
})

test('an empty response ends it, and closed hours are not requested', async () => {
  const none = provider(500, false, [])
  expect(await loadWholeSpan(span, { step: '1m', sessionClass: null, load: none.load })).toEqual([])
  expect(none.asked).toHaveLength(1)
  const rows = all.filter(({ timeMs }) => isTradingMinute('nse-equity', timeMs))
  const night = provider(500, false, rows)
  expect(await loadWholeSpan({ fromMs, toMs: fromMs + 18 * hourMs }, { step: '1m', sessionClass: 'nse-equity', load: night.load })).toEqual(
    rows,
  )
  expect(night.asked).toHaveLength(1)
})

test('a provider that returns row by row is given up', async () => {
  const { load } = provider(1, false)
  await expect(loadWholeSpan(span, { step: '1m', sessionClass: null, load })).rejects.toMatchObject({ kind: 'malformed' })
  expect((await loadWholeSpan({ fromMs, toMs: fromMs + 20 * minuteMs }, { step: '1m', sessionClass: null, load })).length).toBe(20)
})
